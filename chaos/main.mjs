// Kills a scripted job at random moments and runs it again until it is finished:
// `npm run chaos [-- --runs 200 --seed 1]`. Linux only: processes are found in /proc.
import { parseArgs } from "node:util";
import { abandon, job } from "./job.mjs";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const runs = Number(values.runs);
const VICTIMS = ["flower", "harness", "both"];

/** Mulberry32: the same seed gives the same moments. */
let state = Number(values.seed);
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

// Its processes are in sessions of their own, which a terminal's Ctrl-C does not reach.
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    abandon();
    process.exit(130);
  });

const calm = await job({});
console.log(`seed ${values.seed}; undisturbed: ${(calm.ms / 1_000).toFixed(1)} s, ${calm.entries} entries`);
const figures = { finished: 0, killed: 0, again: 0 };
for (let i = 0; i < runs; i += 1) {
  const victim = VICTIMS[i % VICTIMS.length];
  const killMs = Math.round(random() * calm.ms * 0.95);
  try {
    const { runs: needed, killed } = await job({ victim, killMs });
    figures.finished += 1;
    figures.killed += killed ? 1 : 0;
    figures.again += needed - 1;
  } catch (error) {
    console.log(
      `FAIL  run ${i}, ${victim} killed after ${killMs} ms: ${error instanceof Error ? error.message : error}`,
    );
    process.exitCode = 1;
  }
}
console.log(
  `${figures.finished} of ${runs} jobs finished; ${figures.killed} were killed, ${figures.again} runs more were needed`,
);
