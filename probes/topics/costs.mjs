// Figures of money and tokens.
import { say, together } from "../../dist/testing/index.js";
import { bash, main, memoryStore, play, send, sub, tempDir } from "../kit.mjs";

const usd = (value) => Math.round(value * 1e6) / 1e6;
const tokens = ({ modelUsage }) =>
  Object.values(modelUsage).reduce((sum, { outputTokens }) => sum + outputTokens, 0);
/** What the scripted model takes: round figures, so that sums can be read. */
const used = (reply, output) => ({
  ...reply,
  usage: {
    input_tokens: 1_000,
    output_tokens: output,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  },
});

export const COSTS = [
  {
    name: "costs are cumulative, within a process, over subagents and over resumes",
    mechanism: "src/harness/round.ts (Cumulative, costBefore), src/runtime/billing.ts",
    expected: {
      "output tokens after each turn": [130, 140],
      "after the resume": 150,
      "its cost is more than before": true,
      "cost-state of the first process": true,
      "usage of a result has": "the main thread's of its turn",
    },
    async look(sdk) {
      const store = memoryStore();
      const [dir, gone] = tempDir();
      const one = await play(sdk, {
        store,
        dir,
        prompts: ["Begin.", "Go on."],
        actors: [
          main(used(send(), 10), used(say("done"), 20), used(say("more"), 10)),
          sub(used(say("report"), 100)),
        ],
      });
      const state = store.main().findLast(({ type }) => type === "cost-state");
      const two = await play(sdk, {
        store,
        dir,
        actors: [main(used(say("again"), 10))],
        options: { resume: one.results[0].session_id },
      });
      gone();
      const [first, second] = one.results;
      return {
        "output tokens after each turn": [tokens(first), tokens(second)],
        "after the resume": tokens(two.results[0]),
        "its cost is more than before": two.results[0].total_cost_usd > second.total_cost_usd,
        "cost-state of the first process": usd(state?.totalCostUSD) === usd(second.total_cost_usd),
        "usage of a result has":
          first.usage.output_tokens === 30 && second.usage.output_tokens === 10
            ? "the main thread's of its turn"
            : [first.usage.output_tokens, second.usage.output_tokens],
      };
    },
  },
  {
    name: "a model without a price is marked; turns count calls too",
    mechanism: "src/harness/round.ts (costIsEstimate, numTurns)",
    expected: {
      "costBasis of a known model": "list",
      "of an unknown one": "unknown",
      "num_turns of 2 requests, 2 calls": 3,
    },
    async look(sdk) {
      const of = async (model) => {
        const { results } = await play(sdk, {
          actors: [main(together(bash("echo one"), bash("echo two")), say("done"))],
          spec: { model },
        });
        return { basis: Object.values(results[0].modelUsage)[0].costBasis, turns: results[0].num_turns };
      };
      const known = await of("claude-opus-5");
      return {
        "costBasis of a known model": known.basis ?? "absent",
        "of an unknown one": (await of("a-model-of-a-gateway")).basis,
        "num_turns of 2 requests, 2 calls": known.turns,
      };
    },
  },
  {
    name: "the cost so far can be asked for while a turn runs",
    mechanism: "src/harness/session.ts (spentUsd), src/runtime/budget.ts",
    expected: { "it is the result's": true },
    async look(sdk) {
      let said;
      const { results } = await play(sdk, {
        actors: [main(used(bash("echo one"), 10), say("done"))],
        hooks: {
          PostToolBatch: async (_input, { live }) => {
            const usage = await live.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({
              skipBehaviors: true,
            });
            said = usage.session.total_cost_usd;
          },
        },
      });
      return { "it is the result's": said > 0 && said < results[0].total_cost_usd };
    },
  },
  {
    name: "a reply without content comes in no message, yet it is counted",
    mechanism: "src/harness/round.ts (noteEmptyReply)",
    expected: { messages: 2, "output tokens of the result": 60, subtype: "success" },
    async look(sdk) {
      const { messages, results } = await play(sdk, {
        actors: [
          main(
            used(bash("echo one"), 10),
            used({ kind: "message", content: [], stopReason: "end_turn" }, 20),
            used(say("done"), 30),
          ),
        ],
      });
      return {
        messages: messages.filter(({ type }) => type === "assistant").length,
        "output tokens of the result": results[0]?.usage.output_tokens,
        subtype: results[0]?.subtype,
      };
    },
  },
];
