import type { AgentDefinition, Options } from "@anthropic-ai/claude-agent-sdk";
import type { AgentSpec, SubagentSpec } from "../core/spec.ts";
import { pluginConfigs } from "./plugins.ts";

/** Tools of a main thread whose spec names none. */
const DEFAULT_TOOLS = [
  "Agent",
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "Read",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "Write",
];

/** Rules of the harness's own settings, as a second net behind flower's gate. */
export interface OptionsContext {
  workspace: string;
  additionalDirectories: readonly string[];
  portable: boolean;
  /** e.g. `Edit(//abs/runs/**)`: beats every allow (0.3.332). */
  denyRules: readonly string[];
}

/**
 * The static part of the SDK's options for a spec: system prompt, tools, agents, settings. Hooks, store, process and
 * streams are added by the session. The SDK's type shows here on purpose, for those who drive the SDK themselves.
 * @throws FlowerError `usage` for a plugin that is none.
 */
export function buildOptions(spec: AgentSpec, context: OptionsContext): Options {
  const agents = Object.entries(spec.agents ?? {});
  const mainTools = spec.allowedTools ?? DEFAULT_TOOLS;
  // `tools` is a ceiling for the whole session, so it holds what any agent needs; the gate narrows the main thread
  // (0.3.332).
  const ceiling = new Set([...mainTools, ...agents.flatMap(([, agent]) => agent.tools)]);
  return {
    cwd: context.workspace,
    additionalDirectories: [...context.additionalDirectories],
    systemPrompt: {
      type: "preset",
      preset: "claude_code",
      append: spec.instructions,
      excludeDynamicSections: true,
    },
    tools: [...ceiling].filter((name) => !name.startsWith("mcp__")).sort(),
    ...(agents.length === 0
      ? {}
      : { agents: Object.fromEntries(agents.map(([name, agent]) => [name, agentDefinition(agent)])) }),
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(spec.effort === undefined ? {} : { effort: spec.effort }),
    ...(spec.plugins === undefined ? {} : { plugins: pluginConfigs(spec.plugins, context.workspace) }),
    ...(context.portable ? { settingSources: [] } : {}),
    settings: {
      autoMemoryEnabled: false,
      attribution: { commit: "", pr: "" },
      ...(context.denyRules.length === 0 ? {} : { permissions: { deny: [...context.denyRules] } }),
    },
    permissionMode: "default",
    // Prompts carry documents and a person's words: `/clear` in them must stay text (0.3.332).
    verbatimPrompts: true,
    // Not on the harness's command line, where others could read what servers are given as environment (0.3.332).
    mcpServersDelivery: "initialize",
    forwardSubagentText: true,
    // Signs of life while a long reply is written; nothing else is read from them.
    includePartialMessages: true,
  };
}

function agentDefinition(agent: SubagentSpec): AgentDefinition {
  return {
    description: agent.description,
    prompt: agent.prompt,
    tools: [...agent.tools],
    model: agent.model,
    ...(agent.effort === undefined ? {} : { effort: agent.effort }),
    ...(agent.maxTurns === undefined ? {} : { maxTurns: agent.maxTurns }),
  };
}
