// The long task by one agent of the bare SDK, with the harness's own compaction.
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { say, startRehearsal } from "../dist/testing/index.js";
import { figures } from "./economics-figures.mjs";
import { lastStep, prose, stepReply, summary } from "./economics-steps.mjs";

const isCompaction = ({ lastUserText }) => /create a detailed summary/.test(lastUserText);

/** Runs all days; `days` are the last steps of each. */
export async function bare({ dir, workspace, days, task, clock }) {
  const seen = figures();
  let today = 0;
  const rehearsal = await startRehearsal({
    clock,
    contextWindow: task.windowTokens,
    keepBodies: false,
    scenario: {
      name: "economics, bare",
      // Input and max_tokens together, which the harness then lowers; and what a compaction answers.
      expectRefusals: ["window"],
      actors: [
        {
          name: "agent",
          when: () => true,
          script: (request) => {
            clock.advance(task.requestMs);
            seen.seen(request, rehearsal.journal.at(-1), `day ${today + 1}`);
            if (isCompaction(request)) return summary(request.messages, task.summaryChars);
            const step = lastStep(request.messages) + 1;
            return step > days[today] ? say(prose(task.reportChars)) : stepReply(workspace, step);
          },
        },
      ],
    },
  });
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CLAUDE|ANTHROPIC)/.test(name));
  let compactions = 0;
  let failed = 0;
  let sessionId;
  try {
    for (today = 0; today < days.length; today += 1) {
      if (today > 0) clock.advance(task.nightMs);
      const live = query({
        prompt: task.prompt(today),
        options: {
          cwd: workspace,
          model: task.model,
          ...(sessionId === undefined ? {} : { resume: sessionId }),
          settingSources: [],
          systemPrompt: { type: "preset", preset: "claude_code" },
          tools: ["Bash", "Read", "Write", "Edit", "Grep", "Glob"],
          canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
          env: {
            ...Object.fromEntries(inherited),
            ...rehearsal.env,
            CLAUDE_CONFIG_DIR: join(dir, "config"),
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
            // The harness takes this model's window for 1,000,000 and would compact only once refused (0.3.332).
            CLAUDE_CODE_DISABLE_1M_CONTEXT: "1",
          },
        },
      });
      for await (const message of live) {
        if (message.type === "system" && message.subtype === "compact_boundary") compactions += 1;
        if (message.type === "user" && Array.isArray(message.message.content))
          failed += message.message.content.filter((block) => block.is_error === true).length;
        if (message.type === "result" && message.is_error) throw new Error(message.result);
        sessionId = message.session_id;
      }
    }
    rehearsal.assertDone();
    return { ...seen.result(), compactions, failed };
  } finally {
    await rehearsal.close({ check: false });
  }
}
