import { lineageStepOf } from "../runtime/step-name.ts";
import { BEQUEST_STEP } from "../documents/names.ts";
import { Verdict } from "../documents/verdict.ts";
import type { BookRow, Holder } from "../runtime/read-run.ts";
import { foldCosts } from "./run-view-costs.ts";
import type { RunView } from "./run-view.ts";
import { shellWord } from "./shell-word.ts";

/**
 * How a run stands. `fresh`: nothing ever ran here; `done`: all it was to do; `stopped`: a step or a verdict ended it;
 * `interrupted`: by a person; `cut`: its process is gone without a word.
 */
export type RunState = "fresh" | "running" | "done" | "stopped" | "interrupted" | "cut";

/** How a run stands, and what it cost. US dollars. */
export interface StatusView {
  state: RunState;
  run: string | null;
  /** Who holds the directory, by the lock. */
  holder: { pid: number; host: string; since: string; step: string | null } | null;
  /** Why it stopped; null when nothing says so. */
  reason: string | null;
  /** What the last judge said; null without one. */
  verdict: Verdict["conclusion"] | null;
  cost: { runUsd: number; totalUsd: number; isEstimate: boolean };
  /** The command that goes on; null while it runs. */
  next: string | null;
}

/** What {@link statusOf} goes by. */
export interface StatusFacts {
  run: string | undefined;
  rows: readonly BookRow[];
  holder: Holder | undefined;
  view: RunView;
  /** How the command was called; `runDir` undefined = the default one. */
  place: { workspace: string; runDir: string | undefined; isolated: boolean };
}

/** Reads how a run stands from its books, its lock and its events. */
export function statusOf({ run, rows, holder, view, place }: StatusFacts): StatusView {
  const own = rows.filter((row) => row.run === run);
  const last = own.findLast(({ step }) => step !== BEQUEST_STEP);
  const isHeld = holder?.alive === true;
  const state = isHeld ? "running" : endOf(last, view, holder);
  const verdict = isVerdict(last) ? (Verdict.parse(last.text)?.conclusion ?? null) : null;
  return {
    state,
    run: run ?? null,
    holder:
      holder === undefined || !isHeld
        ? null
        : { pid: holder.process.pid, host: holder.process.host, since: holder.since, step: holder.step },
    reason:
      state === "stopped" || state === "interrupted" ? (last?.error ?? stepOf(view)?.note ?? null) : null,
    verdict,
    cost: costOf(own, rows, view),
    next: isHeld ? null : nextCommand(last, place),
  };
}

/** A bequest comes behind the work, and says nothing of how that ended. */
function stepOf({ step }: RunView): RunView["step"] {
  return step?.id === BEQUEST_STEP ? null : step;
}

function endOf(last: BookRow | undefined, view: RunView, holder: Holder | undefined): RunState {
  if (last === undefined && view.step === null) return holder === undefined ? "fresh" : "cut";
  // A run that ended in order has given its lock back.
  if (holder !== undefined || view.step?.phase === "started" || last?.status === "running") return "cut";
  const step = stepOf(view);
  const phase = step === null || step.phase === "skipped" ? last?.status : step.phase;
  if (phase === "killed-by-signal") return "cut";
  if (phase === "interrupted") return "interrupted";
  if (phase === "failed") return "stopped";
  return isVerdict(last) && Verdict.parse(last.text)?.conclusion !== "achieved" ? "stopped" : "done";
}

const isVerdict = (row: BookRow | undefined): row is BookRow => row?.step.includes("·verdict#") === true;

/** A row may be some seconds behind the events. */
function costOf(own: readonly BookRow[], rows: readonly BookRow[], view: RunView): StatusView["cost"] {
  const total = foldCosts(rows).total;
  const run = foldCosts(own).total;
  const byEvents = view.endedUsd + view.stepUsd;
  const behindUsd = Math.max(0, byEvents - own.reduce((sum, { costUsd }) => sum + costUsd, 0));
  return {
    runUsd: run.costUsd + behindUsd,
    totalUsd: total.costUsd + behindUsd,
    isEstimate: total.isEstimate || view.costIsEstimate,
  };
}

/** Those of `flower go`. */
const STARTER_STEPS: ReadonlySet<string> = new Set(["clarify", "goal", "work"]);

/** In the words of a shell; what a person wants to add comes behind it. */
function nextCommand(
  last: BookRow | undefined,
  { workspace, runDir, isolated }: StatusFacts["place"],
): string | null {
  const at = [`-w ${shellWord(workspace)}`, ...(runDir === undefined ? [] : [`-r ${shellWord(runDir)}`])];
  if (last !== undefined && lineageStepOf(last.step) === "once")
    return last.sessionId === null
      ? null
      : ["flower once", ...at, `--resume ${last.sessionId}`, '"…"'].join(" ");
  // Of somebody's own workflow: nothing here names its file.
  if (last !== undefined && !STARTER_STEPS.has(lineageStepOf(last.step))) return null;
  return ["flower", ...at, ...(isolated ? ["--isolate"] : [])].join(" ");
}
