/** One tool call as the hooks see it, on the original input. */
export interface ToolCall {
  /** `tool_use_id` of the harness. */
  readonly id: string;
  /** Tool name, e.g. `Bash`, `Agent`, `mcp__flower__ask`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Id of the subagent that calls; absent on the main thread (0.3.332). */
  readonly agentId?: string;
  /** The subagent's type, i.e. its name in `AgentSpec.agents`. */
  readonly agentType?: string;
  /** Working directory of the caller: the workspace, or a worktree. */
  readonly cwd: string;
}

/** What the one gate decides on a tool call. */
export type GateDecision =
  | { readonly allow: true; readonly input?: Record<string, unknown> }
  | {
      readonly allow: false;
      readonly reason: string;
      readonly rule: string;
      /** The reason holds a person's words, which no rewrite of the history may drop. Default false. */
      readonly personsWords?: boolean;
    };

/** A rule of one's own on tool calls: {@link AgentSpec.hooks}, and what the guards are. */
export interface ToolHook {
  /**
   * The reason to refuse a call, which the model reads; undefined lets it pass. What flower refuses it does not hear of.
   * A throw refuses.
   */
  beforeTool?(call: ToolCall): string | undefined | Promise<string | undefined>;
  /**
   * Hears of a call that succeeded, before flower spills its output: `output` replaces it (in the tool's own structure),
   * `context` is text for the model beside it. A throw leaves the output as it was, and is said.
   */
  afterTool?(call: ToolCall, output: unknown): ToolAddition | undefined | Promise<ToolAddition | undefined>;
}

/** What a {@link ToolHook} makes of a result. */
export interface ToolAddition {
  output?: unknown;
  context?: string;
}
