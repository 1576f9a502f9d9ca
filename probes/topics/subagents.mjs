// Subagents: how they run, how they end.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiError, say, together } from "../../dist/testing/index.js";
import { about, allow, bash, cwdOf, lastResult, main, play, send, sub } from "../kit.mjs";

export const SUBAGENTS = [
  {
    name: "Agent calls run in the foreground, parallel ones at the same time",
    mechanism: "src/harness/environment.ts (CLAUDE_CODE_DISABLE_BACKGROUND_TASKS), src/harness/normalize.ts",
    expected: {
      "may ask for the background": false,
      "results of the query": 1,
      "agents at the same time": 2,
      "their words are forwarded": ["report 1", "report 2"],
      "notices of an end for each": 2,
    },
    async look(sdk) {
      let running = 0;
      let most = 0;
      const { bodies, results, messages } = await play(sdk, {
        actors: [
          main(together(send("one"), send("two")), say("done")),
          {
            name: "sub",
            when: (request) => request.isSubagent,
            script: (request) => {
              // Each waits for the other, so that both must run.
              const [own, other] = request.firstUserText === "one" ? [1, 2] : [2, 1];
              const meet = `touch ${own}; for i in $(seq 400); do [ -e ${other} ] && break; sleep .05; done`;
              if (request.turnCount === 0) return bash(meet);
              return say(request.firstUserText === "one" ? "report 1" : "report 2");
            },
          },
        ],
        hooks: {
          SubagentStart: () => void (most = Math.max(most, (running += 1))),
          SubagentStop: () => void (running -= 1),
        },
      });
      const agent = bodies[0].tools.find(({ name }) => name === "Agent");
      const said = messages.filter(({ type, parent_tool_use_id: of }) => type === "assistant" && of !== null);
      const ends = messages.filter(
        ({ subtype, patch }) =>
          subtype === "task_notification" || (subtype === "task_updated" && patch?.status),
      );
      return {
        "may ask for the background": "run_in_background" in agent.input_schema.properties,
        "results of the query": results.length,
        "agents at the same time": most,
        "their words are forwarded": said
          .flatMap(({ message }) => message.content.flatMap(({ text }) => text ?? []))
          .sort(),
        "notices of an end for each": ends.length / 2,
      };
    },
  },
  {
    name: "a subagent that a hook ended looks finished",
    mechanism: "src/runtime/agent-reports.ts (CUT_REPORT), src/runtime/prompts.ts",
    expected: {
      status: "completed",
      frame: "[Subagent hand-back]",
      SubagentStop: 0,
      "main thread goes on": "done",
    },
    async look(sdk) {
      const { bodies, hooks, results } = await play(sdk, {
        actors: [main(send(), say("done")), sub(together(say("halfway"), bash("echo one")))],
        hooks: {
          PostToolUse: undefined,
          SubagentStop: undefined,
          PostToolBatch: ({ agent_id: id }) =>
            id === undefined ? {} : { continue: false, stopReason: "cut" },
        },
      });
      return {
        status: hooks.find((hook) => hook.event === "PostToolUse" && hook.tool_name === "Agent")
          ?.tool_response.status,
        frame: about(lastResult(bodies[2]), /\[Subagent hand-back\]/),
        SubagentStop: hooks.filter(({ event }) => event === "SubagentStop").length,
        "main thread goes on": results[0]?.result,
      };
    },
  },
  {
    name: "an API error ends a subagent, and its caller is told",
    mechanism: "src/runtime/agent-reports.ts (DIED)",
    expected: {
      "the words": "Agent terminated early due to an API error: Prompt is too long",
      hook: "PostToolUseFailure",
      "main thread goes on": "done",
    },
    async look(sdk) {
      const { bodies, hooks, results } = await play(sdk, {
        actors: [main(send(), say("done")), sub(apiError(400, "prompt is too long: 9 tokens > 8 maximum"))],
        hooks: { PostToolUse: undefined, PostToolUseFailure: undefined },
      });
      return {
        "the words": about(lastResult(bodies[2]), /Agent terminated early due to an API error: [\w ]+\w/),
        hook: hooks.findLast(({ tool_name: name }) => name === "Agent")?.event,
        "main thread goes on": results[0]?.result,
      };
    },
  },
  {
    name: "a worktree can be made by a hook, and the worker is held in it",
    mechanism:
      "src/isolation/names.ts, src/harness/hooks.ts (WorktreeCreate), src/gate/pass-isolation-check.ts",
    expected: {
      name: "agent-<id of the subagent>",
      "the worker's commands run in": "tree",
      "a command that names git in a form that is not plain": "refused",
      "the same text read from a file": "ran",
      "result names the worktree": true,
    },
    async look(sdk) {
      let named;
      const tree = (cwd) => join(cwd, "..", "tree");
      const { bodies, hooks, cwd } = await play(sdk, {
        prepare: (dir) => {
          writeFileSync(join(dir, "..", "cmd"), "$(echo git) --version >/dev/null; echo through");
        },
        actors: [
          main(send(), say("done")),
          sub(
            bash("pwd"),
            bash("g=git; $(echo $g) --version; echo through"),
            (request) => bash(`eval "$(command -p cat ${join(cwdOf(request), "..", "cmd")})"`),
            say("report"),
          ),
        ],
        hooks: {
          PreToolUse: ({ tool_name: name, tool_input: input }) =>
            name === "Agent" ? allow({ updatedInput: { ...input, isolation: "worktree" } }) : allow(),
          PostToolUse: undefined,
          WorktreeCreate: async ({ name }, { seen }) => {
            named = name;
            const { mkdirSync } = await import("node:fs");
            mkdirSync(tree(seen.cwd));
            return { hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath: tree(seen.cwd) } };
          },
        },
      });
      void cwd;
      const [, , place, refused, ran] = bodies.map(lastResult);
      const start = hooks.find((hook) => hook.tool_name === "Bash");
      return {
        name: named === `agent-${start?.agent_id}` ? "agent-<id of the subagent>" : named,
        "the worker's commands run in": place?.split("/").at(-1),
        "a command that names git in a form that is not plain": /through$/.test(refused) ? "ran" : "refused",
        "the same text read from a file": /through$/.test(ran) ? "ran" : `refused: ${ran}`,
        "result names the worktree":
          hooks.findLast((hook) => hook.tool_name === "Agent" && hook.event === "PostToolUse")?.tool_response
            .worktreePath !== undefined,
      };
    },
  },
];
