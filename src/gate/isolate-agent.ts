import type { ToolCall } from "../core/tool-call.ts";

/**
 * The input of an Agent call with the harness's isolation set as the agent's type wants it; undefined when it is right
 * as it is. The tool offers the setting to the model as well (0.3.332): a worktree asked for there would be made inside
 * of the checkout, and a remote one out of reach.
 */
export function isolateAgent(
  { name, input }: ToolCall,
  isolatedAgents: readonly string[],
): Record<string, unknown> | undefined {
  if (name !== "Agent") return undefined;
  const { isolation, ...rest } = input;
  const type = input["subagent_type"];
  if (typeof type === "string" && isolatedAgents.includes(type)) return { ...rest, isolation: "worktree" };
  return isolation === undefined ? undefined : rest;
}
