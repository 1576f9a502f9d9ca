import { createSdkMcpServer, tool, type McpServerConfig } from "@anthropic-ai/claude-agent-sdk";
import { errorText } from "../core/errors.ts";
import type { McpServer, ToolDefinition } from "../core/spec.ts";

/** Default patience with an in-process tool, ms: longer than any question waits (0.3.332). */
const IN_PROCESS_TIMEOUT_MS = 7 * 24 * 3_600_000;

/** flower's server descriptions as the SDK's. In-process tools are always listed, never deferred (0.3.332). */
export function sdkMcpServers(servers: Readonly<Record<string, McpServer>>): Record<string, McpServerConfig> {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, sdkServer(name, server)]));
}

function sdkServer(name: string, server: McpServer): McpServerConfig {
  switch (server.kind) {
    case "inProcess":
      return createSdkMcpServer({
        name,
        tools: server.tools.map((definition) =>
          tool(definition.name, definition.description, definition.input, async (input, extra) =>
            call(definition, input, extra),
          ),
        ),
        timeout: server.timeoutMs ?? IN_PROCESS_TIMEOUT_MS,
        alwaysLoad: true,
      });
    case "stdio":
      return {
        type: "stdio",
        command: server.command,
        ...(server.args === undefined ? {} : { args: server.args }),
        ...(server.env === undefined ? {} : { env: server.env }),
      };
    case "http":
      return {
        type: "http",
        url: server.url,
        ...(server.headers === undefined ? {} : { headers: server.headers }),
      };
  }
}

/** Runs a tool of flower's own; what it throws becomes an error result, never an error of the server. */
async function call(definition: ToolDefinition, input: Record<string, unknown>, extra: unknown) {
  const signal = (extra as { signal?: AbortSignal }).signal ?? new AbortController().signal;
  try {
    return { content: [{ type: "text" as const, text: await definition.handle(input, { signal }) }] };
  } catch (error) {
    return { content: [{ type: "text" as const, text: errorText(error) }], isError: true };
  }
}
