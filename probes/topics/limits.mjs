// The window, what does not fit into it, faults of the API.
import { join } from "node:path";
import { apiError, drop, say } from "../../dist/testing/index.js";
import { about, bash, main, numberIn, play, until } from "../kit.mjs";

const UNKNOWN = "a-model-of-a-gateway";
const ended = ({ results }) => {
  const { subtype, is_error: failed, terminal_reason: terminal, result } = results[0] ?? {};
  return { subtype, failed, terminal, result };
};
const level = async (sdk, model, env = {}) => {
  let usage;
  const { bodies } = await play(sdk, {
    actors: [main()],
    prompts: [async ({ live }) => void (usage = await live.getContextUsage({ detail: "summary" }))],
    spec: { model },
    window: 987_654,
    env,
  });
  return { window: usage.rawMaxTokens, requests: bodies.length };
};

/** Sessions side by side, under their names. */
async function together(sessions) {
  const seen = await Promise.all(Object.values(sessions));
  return Object.fromEntries(Object.keys(sessions).map((name, at) => [name, seen[at]]));
}

export const LIMITS = [
  {
    name: "only for models that it does not know the harness repeats the window that it was told",
    mechanism: "src/runtime/session-factory.ts (open), src/config/window.ts",
    expected: {
      "claude-opus-5": { window: 1_000_000, requests: 0 },
      "claude-haiku-4-5": { window: 200_000, requests: 0 },
      unknown: { window: 987_654, requests: 0 },
      "unknown, told nothing": { window: 1_000_000, requests: 0 },
    },
    async look(sdk) {
      const untold = { CLAUDE_CODE_MAX_CONTEXT_TOKENS: undefined };
      return together({
        "claude-opus-5": level(sdk, "claude-opus-5"),
        "claude-haiku-4-5": level(sdk, "claude-haiku-4-5"),
        unknown: level(sdk, UNKNOWN),
        "unknown, told nothing": level(sdk, UNKNOWN, untold),
      });
    },
  },
  {
    name: "the harness itself refuses some 23,000 tokens below the window, unless its limit is set higher",
    mechanism:
      "src/harness/environment.ts (CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE), src/context/shrink-usage.ts",
    expected: {
      "at window - 30,000": { terminal: "completed", requests: 2 },
      "at window - 23,000": { terminal: "blocking_limit", requests: 1 },
      "with flower's limit": { terminal: "completed", requests: 2 },
    },
    async look(sdk) {
      const at = async (tokens, env) => {
        const usage = { input_tokens: tokens - 1, output_tokens: 1, cache_read_input_tokens: 0 };
        const { results, bodies } = await play(sdk, {
          actors: [main({ ...say("one"), usage: { ...usage, cache_creation_input_tokens: 0 } }, say("two"))],
          prompts: ["Begin.", "Go on."],
          spec: { model: UNKNOWN },
          window: 100_000,
          env,
        });
        return { terminal: results[1]?.terminal_reason, requests: bodies.length };
      };
      const bare = { CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: undefined };
      // The harness counts an estimate of what is new on top of what the last reply told.
      return together({
        "at window - 30,000": at(70_000, bare),
        "at window - 23,000": at(77_000, bare),
        "with flower's limit": at(77_000, {}),
      });
    },
  },
  {
    name: "a prompt that is too long is not tried again, and the process takes another one",
    mechanism: "src/runtime/overflow.ts, src/runtime/handoff-round.ts",
    expected: {
      "the result": {
        subtype: "success",
        failed: true,
        terminal: "prompt_too_long",
        result: "Prompt is too long",
      },
      requests: 2,
      "the next turn": "a document",
    },
    async look(sdk) {
      const seen = await play(sdk, {
        actors: [main(apiError(400, "prompt is too long: 9 tokens > 8 maximum"), say("a document"))],
        prompts: ["Begin.", "Write the document."],
      });
      return {
        "the result": ended(seen),
        requests: seen.bodies.length,
        "the next turn": seen.results[1]?.result,
      };
    },
  },
  {
    name: "a reply that filled the window is continued three times, then given up in words of its own",
    mechanism: "src/runtime/overflow.ts (DOES_NOT_FIT)",
    expected: {
      requests: 4,
      "the result": {
        subtype: "success",
        failed: true,
        terminal: "api_error",
        result: "API Error: The model has reached its context window limit.",
      },
    },
    async look(sdk) {
      const full = { ...say("half a rep"), stopReason: "model_context_window_exceeded" };
      const seen = await play(sdk, { actors: [main(full, full, full, full)] });
      return { requests: seen.bodies.length, "the result": ended(seen) };
    },
  },
  {
    name: "faults of the connection are tried twice more, an overload no oftener, a long wait not at all",
    mechanism:
      "src/harness/environment.ts (HARNESS_RETRIES), src/runtime/patience.ts, src/runtime/resilience.ts",
    slow: true,
    expected: {
      "connection dropped": { requests: 3, category: "server_error" },
      500: { requests: 3, category: "server_error" },
      529: { requests: 3, category: "server_error" },
      "429, retry-after 300": { requests: 1, category: "rate_limit" },
      403: { requests: 1, category: "authentication_failed" },
    },
    async look(sdk) {
      const fault = async (reply) => {
        const { messages, journal } = await play(sdk, { actors: [main(reply, reply, reply, reply)] });
        return { requests: journal.length, category: messages.findLast(({ error }) => error)?.error };
      };
      const faults = {
        "connection dropped": drop(),
        500: apiError(500, "broken"),
        529: apiError(529, "Overloaded"),
        "429, retry-after 300": apiError(429, "later", { headers: { "retry-after": "300" } }),
        403: apiError(403, "no"),
      };
      return together(
        Object.fromEntries(Object.entries(faults).map(([name, reply]) => [name, fault(reply)])),
      );
    },
  },
  {
    name: "a usage limit names its reset in seconds",
    mechanism: "src/harness/session.ts (rate_limit_event), src/runtime/usage-limit.ts",
    expected: { "the event": { status: "rejected", resetsAt: 1_900_000_000 } },
    async look(sdk) {
      // Told of a subscription only.
      const { messages } = await play(sdk, {
        env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-probe" },
        actors: [
          main(
            apiError(429, "limit", {
              headers: {
                "retry-after": "3000",
                "anthropic-ratelimit-unified-status": "rejected",
                "anthropic-ratelimit-unified-reset": "1900000000",
                "anthropic-ratelimit-unified-representative-claim": "five_hour",
              },
            }),
          ),
        ],
      });
      const info = messages.findLast(({ type }) => type === "rate_limit_event")?.rate_limit_info;
      return {
        "the event": info === undefined ? "absent" : { status: info.status, resetsAt: info.resetsAt },
      };
    },
  },
  {
    name: "a model that declines ends the turn with a stop reason of its own",
    mechanism: "src/harness/contract.ts (DECLINED), src/harness/round.ts (failureOf)",
    expected: { stop_reason: "refusal", failed: true, requests: 2 },
    async look(sdk) {
      const declined = { ...say("I cannot help with that."), stopReason: "refusal" };
      const { results, bodies } = await play(sdk, { actors: [main(declined, declined)] });
      const { stop_reason, is_error: failed } = results[0] ?? {};
      return { stop_reason, failed, requests: bodies.length };
    },
  },
  {
    name: "an interrupted turn ends in an error, and its process stays",
    mechanism: "src/runtime/end-turn.ts, src/context/prune.ts (isInterrupted)",
    expected: {
      "the result": { subtype: "error_during_execution", failed: true },
      "the mark of the call": "user-rejected",
      "what the model is told": "[Request interrupted by user",
      "the next turn": "two",
    },
    async look(sdk) {
      const { results, store, bodies } = await play(sdk, {
        actors: [main(bash("echo $$ >shell; sleep 20.5"), say("two"))],
        prompts: ["Begin.", "Go on."],
        hooks: {
          PreToolUse: (_input, { live, seen }) =>
            void until(() => numberIn(join(seen.cwd, "shell"))).then(() => live.interrupt()),
        },
      });
      const { subtype, is_error: failed } = results[0] ?? {};
      return {
        "the result": { subtype, failed },
        "the mark of the call": store.main().find(({ toolDenialKind }) => toolDenialKind)?.toolDenialKind,
        "what the model is told": about(JSON.stringify(bodies[1]?.messages), /\[Request interrupted by user/),
        "the next turn": results[1]?.result,
      };
    },
  },
];
