// Every fact of the harness that flower relies on and that can be tried, by topic.
import { COSTS } from "./topics/costs.mjs";
import { HOOKS } from "./topics/hooks.mjs";
import { LIMITS } from "./topics/limits.mjs";
import { PROCESSES } from "./topics/processes.mjs";
import { QUESTIONS } from "./topics/questions.mjs";
import { REQUESTS } from "./topics/requests.mjs";
import { RESULTS } from "./topics/results.mjs";
import { STORE } from "./topics/store.mjs";
import { SUBAGENTS } from "./topics/subagents.mjs";

const TOPICS = {
  hooks: HOOKS,
  results: RESULTS,
  subagents: SUBAGENTS,
  requests: REQUESTS,
  store: STORE,
  limits: LIMITS,
  costs: COSTS,
  processes: PROCESSES,
  questions: QUESTIONS,
};

/**
 * A probe: `name` is the fact in words, `mechanism` the files of src/ that rely on it, `look(sdk, { sdkFile, long })`
 * resolves to what was seen, under the names of `expected`. `slow`: `npm test` leaves it to the long run.
 */
export const PROBES = Object.entries(TOPICS).flatMap(([topic, probes]) =>
  probes.map((probe) => ({ topic, ...probe })),
);

/** The page's table: one row a probe. */
export function table() {
  const rows = PROBES.map(({ topic, name, mechanism, slow }) => {
    const files = mechanism.replaceAll(/src\/[\w./-]+/g, "`$&`");
    return `| ${topic} | ${name}${slow ? " (slow)" : ""} | ${files} |`;
  });
  return ["| topic | fact | relied on by |", "| --- | --- | --- |", ...rows].join("\n");
}
