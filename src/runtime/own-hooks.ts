import { errorText } from "../core/errors.ts";
import type { ToolCall, ToolHook } from "../core/tool-call.ts";

/** The hooks of a spec as one. */
export interface OwnHooks {
  /** The first reason to refuse a call. */
  refusal(call: ToolCall): Promise<string | undefined>;
  /** The output as they leave it, one after the other, and what they say beside it. */
  result(call: ToolCall, output: unknown): Promise<{ output: unknown; contexts: string[] }>;
}

/** Runs a spec's own hooks in order. Never rejects: one that throws refuses, or leaves the output alone. */
export function ownHooks(hooks: readonly ToolHook[], warn: (message: string) => void): OwnHooks {
  return {
    async refusal(call) {
      for (const hook of hooks) {
        try {
          const reason = await hook.beforeTool?.(call);
          if (reason !== undefined) return reason;
        } catch (error) {
          return `A rule of this project failed on the call (${errorText(error)}), so it is refused.`;
        }
      }
      return undefined;
    },
    async result(call, output) {
      let last = output;
      const contexts: string[] = [];
      for (const hook of hooks) {
        try {
          const addition = await hook.afterTool?.(call, last);
          if (addition?.output !== undefined) last = addition.output;
          if (addition?.context !== undefined) contexts.push(addition.context);
        } catch (error) {
          warn(`a hook failed on the result of ${call.name}: ${errorText(error)}`);
        }
      }
      return { output: last, contexts };
    },
  };
}
