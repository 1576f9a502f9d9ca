// What hooks see and what their answers do.
import { say, together } from "../../dist/testing/index.js";
import { about, allow, bash, lastResult, main, play, send, sub } from "../kit.mjs";

const replaced = (tool_response, output) => ({
  hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: output(tool_response) },
});
const context = (hookEventName, additionalContext) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const resultEntries = (entries) =>
  entries.filter((entry) => entry.type === "user" && entry.toolUseResult !== undefined);

export const HOOKS = [
  {
    name: "a call is denied, or runs with another input",
    mechanism: "src/harness/hooks.ts",
    expected: {
      "the reason is in the result": "PreToolUse:Bash hook error: NOT THIS ONE",
      "the denied entry's mark": "permission-rule",
      "the other input ran": "rewritten",
      "PostToolUse sees": "echo rewritten",
      "the transcript keeps": "echo original",
    },
    async look(sdk) {
      const { bodies, hooks, store } = await play(sdk, {
        actors: [main(bash("echo denied"), bash("echo original"), say("done"))],
        hooks: {
          PreToolUse: ({ tool_input: { command } }) =>
            command === "echo denied"
              ? allow({ permissionDecision: "deny", permissionDecisionReason: "NOT THIS ONE" })
              : allow({ updatedInput: { command: "echo rewritten" } }),
          PostToolUse: undefined,
        },
      });
      const calls = store
        .main()
        .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
      return {
        "the reason is in the result": lastResult(bodies[1]),
        "the denied entry's mark": store.main().find((entry) => entry.toolDenialKind)?.toolDenialKind,
        "the other input ran": lastResult(bodies[2]),
        "PostToolUse sees": hooks.find(({ event }) => event === "PostToolUse")?.tool_input.command,
        "the transcript keeps": calls.findLast(({ type }) => type === "tool_use")?.input.command,
      };
    },
  },
  {
    name: "a hook's question that canUseTool denies holds the person's words",
    mechanism: "src/harness/hooks.ts (leave), src/context/transcript.ts (mayRewrite)",
    expected: {
      "the words are the result": "no, said the person",
      "the entry's marks": { toolDenialKind: "permission-rule", holdsPersonsWords: true },
    },
    async look(sdk) {
      const { bodies, store } = await play(sdk, {
        actors: [main(bash("touch asked"), say("done"))],
        hooks: { PreToolUse: () => allow({ permissionDecision: "ask" }) },
        options: { canUseTool: async () => ({ behavior: "deny", message: "no, said the person" }) },
      });
      const [{ toolDenialKind, holdsPersonsWords } = {}] = resultEntries(store.main());
      return {
        "the words are the result": lastResult(bodies[1]),
        "the entry's marks": { toolDenialKind, holdsPersonsWords },
      };
    },
  },
  {
    name: "a hook that throws lets the call through, unless its failure blocks",
    mechanism: "src/harness/hooks.ts (matcher)",
    expected: { "without onFailure": "ran", "with onFailure: block": "blocked" },
    async look(sdk) {
      const tryWith = async (more) => {
        const hook = async () => {
          throw new Error("the guard is broken");
        };
        const { bodies } = await play(sdk, {
          actors: [main(bash("ls; echo through"), say("done"))],
          options: {
            hooks: { PreToolUse: [{ hooks: [hook], ...more }] },
            canUseTool: async (_name, updatedInput) => ({ behavior: "allow", updatedInput }),
          },
        });
        return lastResult(bodies[1]) === "through" ? "ran" : "blocked";
      };
      return {
        "without onFailure": await tryWith({}),
        "with onFailure: block": await tryWith({ onFailure: "block" }),
      };
    },
  },
  {
    name: "a result is replaced in its own shape only",
    mechanism: "src/context/spill-text.ts (spillOutput)",
    expected: {
      "same shape": "REPLACED",
      "a string": "one",
      "the store has of the replaced": { original: false, replacement: true },
    },
    async look(sdk) {
      const outputs = [(response) => ({ ...response, stdout: "REPLACED" }), () => "a string"];
      const { bodies, store } = await play(sdk, {
        actors: [main(bash("echo $((40 + 2))"), bash("echo one"), say("done"))],
        hooks: { PostToolUse: ({ tool_response }) => replaced(tool_response, outputs.shift()) },
      });
      const [first] = resultEntries(store.main()).map((entry) => JSON.stringify(entry));
      return {
        "same shape": lastResult(bodies[1]),
        "a string": lastResult(bodies[2]),
        "the store has of the replaced": {
          original: first?.includes('"42'),
          replacement: first?.includes("REPLACED"),
        },
      };
    },
  },
  {
    name: "a failed call has a hook of its own, which can only add text",
    mechanism: "src/gate/spill-failing-output.ts, src/harness/contract.ts (afterFailure)",
    expected: {
      "events after it": ["PostToolUseFailure"],
      "output is cut to": 10_000,
      "the cut is marked": "... [20012 characters truncated] ...",
      "a replacement is": "ignored",
      "added text": "PostToolUseFailure:Bash hook additional context: ADDED",
    },
    async look(sdk) {
      const { bodies, hooks } = await play(sdk, {
        actors: [main(bash("head -c 50000 /dev/zero | tr '\\0' x; exit 3"), say("done"))],
        hooks: {
          PostToolUse: undefined,
          PostToolUseFailure: () => ({
            hookSpecificOutput: {
              hookEventName: "PostToolUseFailure",
              additionalContext: "ADDED",
              updatedToolOutput: "REPLACED",
            },
          }),
        },
      });
      const text = lastResult(bodies[1]) ?? "";
      return {
        "events after it": hooks.map(({ event }) => event).filter((event) => event.startsWith("Post")),
        "output is cut to": text.replace(/\n\n\.\.\. \[.*\] \.\.\.\n\n/, "").length,
        "the cut is marked": about(text, /\.\.\. \[\d+ characters truncated\] \.\.\./),
        "a replacement is": text.includes("REPLACED") ? "taken" : "ignored",
        "added text": about(
          JSON.stringify(bodies[1].messages),
          /PostToolUseFailure:Bash hook additional context: \w+/,
        ),
      };
    },
  },
  {
    name: "the hook after a batch is asked before the next request, and may ask for the level",
    mechanism: "src/runtime/step-hooks.ts (afterBatch), src/harness/session.ts (level)",
    expected: {
      "calls of the batch": ["Bash", "Bash"],
      "its text is in the next request": true,
      "level is the last request": true,
      "level has the reply": true,
      window: 1_000_000,
    },
    async look(sdk) {
      let level;
      const { bodies, hooks, journal } = await play(sdk, {
        actors: [main(together(bash("echo one"), bash("echo two")), say("done"))],
        hooks: {
          PostToolBatch: async (_input, { live }) => {
            level = await live.getContextUsage({ detail: "summary" });
            return context("PostToolBatch", "LATE WORDS");
          },
        },
      });
      const { apiUsage: usage, rawMaxTokens } = level;
      const input = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
      return {
        "calls of the batch": hooks
          .find(({ event }) => event === "PostToolBatch")
          ?.tool_calls.map((c) => c.tool_name),
        "its text is in the next request": JSON.stringify(bodies[1].messages).includes("LATE WORDS"),
        "level is the last request": input === journal[0].inputTokens,
        "level has the reply": usage.output_tokens === journal[0].outputTokens,
        window: rawMaxTokens,
      };
    },
  },
  {
    name: "a hook after a batch cuts the turn, and the process takes another prompt",
    mechanism: "src/runtime/end-turn.ts, src/runtime/handoff-round.ts",
    expected: {
      "the cut turn": { subtype: "success", terminal: "hook_stopped", error: false },
      "requests of the cut turn": 1,
      "the next turn": "a document",
      sessions: 1,
      "the reason is told to the model": "STOP FOR A DOCUMENT",
      "synthetic entries": 0,
    },
    async look(sdk) {
      const requestsAt = [];
      const { results, messages, bodies, store } = await play(sdk, {
        actors: [main(bash("echo one"), say("a document"))],
        prompts: ["Begin.", "Write the document."],
        hooks: { PostToolBatch: () => ({ continue: false, stopReason: "STOP FOR A DOCUMENT" }) },
        onMessage: (message) => message.type === "result" && requestsAt.push(message.num_turns),
      });
      const [cut, next] = results;
      return {
        "the cut turn": { subtype: cut.subtype, terminal: cut.terminal_reason, error: cut.is_error },
        "requests of the cut turn": bodies.length - 1,
        "the next turn": next?.result,
        sessions: new Set(messages.map(({ session_id: id }) => id)).size,
        "the reason is told to the model": about(JSON.stringify(bodies[1]?.messages), /STOP FOR A DOCUMENT/),
        "synthetic entries": store.main().filter(({ message }) => message?.model === "<synthetic>").length,
      };
    },
  },
  {
    name: "hooks of subagents name the agent, and its start can bring it text",
    mechanism: "src/harness/hooks.ts (callOf, subagentStarted)",
    expected: {
      "main thread": { id: false, type: "absent" },
      subagent: { id: true, type: "worker" },
      "text of SubagentStart is in its first request": true,
    },
    async look(sdk) {
      const { hooks, bodies } = await play(sdk, {
        actors: [main(send(), say("done")), sub(bash("echo two"), say("report"))],
        hooks: { SubagentStart: () => context("SubagentStart", "FOR THE WORKER") },
      });
      const of = (tool) => {
        const { agent_id: id, agent_type: type } = hooks.find((hook) => hook.tool_name === tool) ?? {};
        return { id: id !== undefined, type: type ?? "absent" };
      };
      return {
        "main thread": of("Agent"),
        subagent: of("Bash"),
        "text of SubagentStart is in its first request": JSON.stringify(bodies[1].messages).includes(
          "FOR THE WORKER",
        ),
      };
    },
  },
  {
    name: "SessionStart is called for a compaction, and its text is in the next request",
    mechanism: "src/harness/hooks.ts (SessionStart), src/runtime/step-hooks.ts (afterCompaction)",
    expected: { sources: ["compact"], "behind the summary": true },
    async look(sdk) {
      const { hooks, bodies } = await play(sdk, {
        noCompaction: false,
        actors: [
          main(
            bash("echo one"),
            {
              kind: "error",
              status: 400,
              type: "invalid_request_error",
              message: "prompt is too long: 9 tokens > 8 maximum",
            },
            say("<summary>what was</summary>"),
            say("done"),
          ),
        ],
        hooks: { SessionStart: () => context("SessionStart", "AFTER COMPACTION") },
      });
      return {
        sources: hooks.filter(({ event }) => event === "SessionStart").map(({ source }) => source),
        "behind the summary": JSON.stringify(bodies.at(-1).messages).includes("AFTER COMPACTION"),
      };
    },
  },
];
