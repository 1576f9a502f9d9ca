import { replaceResults } from "../context/transcript-edit.ts";
import { blocksOf, exchangesOf, type Entry } from "../context/transcript.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { CUT_REPORT } from "./prompts.ts";
import { unfinishedReport } from "./unfinished-report.ts";

/** What lost reports are made up from. */
export interface LostReportParts {
  store: SessionStore;
  key: SessionKey;
  /** What stands for the result of a call that was interrupted or killed. */
  note: string;
  workbench: Workbench | undefined;
}

/**
 * A main history in which subagents that were killed or dropped have what their own transcripts hold for a report: the
 * bare note would have their work done again. The same transcripts give the same text.
 */
export async function withLostReports(
  entries: readonly TranscriptEntry[],
  { store, key, note, workbench }: LostReportParts,
): Promise<readonly TranscriptEntry[]> {
  const lost = exchangesOf(entries).filter(({ name, answer }) => name === "Agent" && answer?.text === note);
  if (lost.length === 0) return entries;
  const threads = await threadsOf(store, key);
  const reports = new Map<string, string>();
  for (const { id, input } of lost) {
    const at = threads.findLastIndex((thread) => promptOf(thread) === input["prompt"]);
    const [thread] = at === -1 ? [] : threads.splice(at, 1);
    if (thread === undefined) continue;
    reports.set(id, unfinishedReport(CUT_REPORT, thread, workbench));
  }
  return replaceResults(entries, reports);
}

async function threadsOf(store: SessionStore, key: SessionKey): Promise<Entry[][]> {
  const subpaths = await store.listSubkeys(key);
  return Promise.all(subpaths.map(async (subpath) => (await store.load({ ...key, subpath })) ?? []));
}

/** A thread begins with what its Agent call said (0.3.332). */
function promptOf(thread: readonly Entry[]): string | undefined {
  const first = thread.find(({ type }) => type === "user");
  const content = (first?.["message"] as { content?: unknown } | undefined)?.content;
  if (typeof content === "string") return content;
  const text =
    first === undefined ? undefined : blocksOf(first).find(({ type }) => type === "text")?.["text"];
  return typeof text === "string" ? text : undefined;
}
