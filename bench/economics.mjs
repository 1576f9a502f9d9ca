// What a long task costs by one bare agent with the harness's own compaction, and by flower: the same steps, three
// days with the process ended and the cache cold in between.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settableClock } from "../dist/testing/index.js";
import { bare } from "./economics-bare.mjs";
import { flower } from "./economics-flower.mjs";
import { prepare, WORK } from "./economics-steps.mjs";

const DAYS = 3;

/** Both sides of the task; the figures come from a run of 10.4 hours, see docs/reference/bench.md. */
const TASK = {
  model: "claude-opus-5",
  windowTokens: 200_000,
  /** 10.4 hours by 3,043 requests. */
  requestMs: 12_300,
  nightMs: 14 * 3_600_000,
  /** Steps of one dispatch: 59 hands-on calls and the 33 looks that went with them. */
  dispatchSteps: 92,
  briefChars: 650,
  workerReportChars: 1_700,
  reportChars: 1_000,
  summaryChars: 8_000,
  prompt: (day) =>
    `Carry out day ${day + 1} of ${DAYS} of the plan: the steps that are open, up to the end of the day. Say at the end what was done.`,
};

const TARGETS = { cost: 0.35, chars: 0.948, turns: 0.977, slope: 2_200, breaks: 0.005 };

const k = (tokens) => `${(tokens / 1_000).toFixed(1)}K`;
const percent = (share) => `${(100 * share).toFixed(2)} %`;
const verdict = (reached) => (reached ? "reached" : "MISSED");

async function inWorkspace(steps, run) {
  const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
  const workspace = join(dir, "work");
  mkdirSync(workspace);
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  prepare(workspace, steps);
  const days = Array.from({ length: DAYS }, (_, day) => Math.round((steps * (day + 1)) / DAYS));
  try {
    return await run({ dir, workspace, days, task: TASK, clock: settableClock(Date.now()) });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function show(name, result) {
  const { requests, inputTokens, cost, hits, coldTokens, meanContext, brokenTokens, failed } = result;
  console.log(
    `${name}: ${requests} requests, mean context ${k(meanContext)}, ${k(inputTokens)} input tokens, ` +
      `${percent(hits)} from the cache, weighted ${k(cost)}; sent again cold ${k(coldTokens)}; ` +
      `prefix breaks ${k(brokenTokens)} (${percent(brokenTokens / inputTokens)}); ${failed} failed calls`,
  );
}

/** Smaller ones are told as one: the line in which the harness says how many tokens are left. */
const BREAK_TOKENS = 100;

function showBreaks({ breaks, inputTokens }) {
  const large = breaks.filter(({ tokens }) => tokens >= BREAK_TOKENS);
  for (const { thread, note, place, tokens, difference } of large)
    console.log(
      `  break: ${thread === "main" ? "main" : "subagent"}, ${note}, ${place}: ${Math.round(tokens)} tokens ` +
        `(${percent(tokens / inputTokens)}); ${difference}`,
    );
  const small = breaks.filter(({ tokens }) => tokens < BREAK_TOKENS);
  if (small.length > 0)
    console.log(
      `  and ${small.length} of together ${Math.round(small.reduce((sum, { tokens }) => sum + tokens, 0))} tokens, ` +
        `the first in ${small[0].place}; ${small[0].difference}`,
    );
}

export async function economics({ calls }) {
  const steps = Math.min(WORK.length, calls);
  console.log(
    `${steps} steps, ${DAYS} days, window ${k(TASK.windowTokens)}; output tokens left out on both sides`,
  );
  const alone = await inWorkspace(steps, bare);
  show("bare agent", alone);
  console.log(`  ${alone.compactions} compactions`);
  showBreaks(alone);
  for (const sideBySide of [1, 3]) {
    const ours = await inWorkspace(steps, (run) => flower({ ...run, sideBySide }));
    const who = sideBySide === 1 ? "one worker a dispatch" : `${sideBySide} workers side by side`;
    show(`flower, ${who}`, ours);
    showBreaks(ours);
    const { mainChars, subagentChars, requests, mainRequests, slope, mainFrom, mainTo } = ours;
    const chars = subagentChars / (mainChars + subagentChars);
    const turns = (requests - mainRequests) / requests;
    const cost = ours.cost / alone.cost;
    const broken = ours.brokenTokens / ours.inputTokens;
    console.log(
      `  cost against the bare agent ${cost.toFixed(3)}, target ${TARGETS.cost}: ${verdict(cost <= TARGETS.cost)}`,
    );
    console.log(
      `  of it by the main thread ${percent(ours.mainCost / ours.cost)}; its context ${k(mainFrom)} to ${k(mainTo)} in ` +
        `${mainRequests} turns: ${k(slope)} a turn, target ${k(TARGETS.slope)}: ${verdict(slope <= TARGETS.slope)} (bare agent ${k(alone.slope)})`,
    );
    console.log(
      `  in subagents ${percent(chars)} of body characters, target ${percent(TARGETS.chars)}: ${verdict(chars >= TARGETS.chars)}`,
    );
    console.log(
      `  and ${percent(turns)} of turns, target ${percent(TARGETS.turns)}: ${verdict(turns >= TARGETS.turns)}`,
    );
    console.log(
      `  prefix breaks ${percent(broken)}, target ${percent(TARGETS.breaks)}: ${verdict(broken <= TARGETS.breaks)} ` +
        `(bare agent ${percent(alone.brokenTokens / alone.inputTokens)})`,
    );
  }
}
