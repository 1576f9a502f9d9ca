import { replaceResults } from "../context/transcript-edit.ts";
import { blocksOf, exchangesOf, isRecord, type Entry, type Exchange } from "../context/transcript.ts";
import type { SessionKey, SessionStore, TranscriptEntry } from "../store/contract.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { CUT_REPORT } from "./prompts.ts";
import { unfinishedReport } from "./unfinished-report.ts";

/** What lost reports are made up from. */
export interface LostReportParts {
  store: SessionStore;
  key: SessionKey;
  /** The history as it is stored: results that were made shorter do not name their agents any more. */
  originals: readonly TranscriptEntry[];
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
  { store, key, originals, note, workbench }: LostReportParts,
): Promise<readonly TranscriptEntry[]> {
  const agents = exchangesOf(entries).filter(({ name }) => name === "Agent");
  const lost = agents.filter(({ answer }) => answer?.text === note);
  if (lost.length === 0) return entries;
  const others = answeredAgents(
    agents.filter((agent) => !lost.includes(agent)),
    originals,
  );
  const threads = await threadsOf(store, key, others.ids);
  for (const prompt of others.prompts) {
    const at = threads.findIndex((thread) => promptOf(thread) === prompt);
    if (at !== -1) threads.splice(at, 1);
  }
  const reports = new Map<string, string>();
  for (const { id, input } of lost) {
    const at = threads.findLastIndex((thread) => promptOf(thread) === input["prompt"]);
    const [thread] = at === -1 ? [] : threads.splice(at, 1);
    if (thread === undefined) continue;
    reports.set(id, unfinishedReport(CUT_REPORT, thread, workbench));
  }
  return replaceResults(entries, reports);
}

/**
 * Whose threads belong to calls that were answered: by id, or where the result does not name it, by prompt. What failed
 * without an id may never have begun.
 */
function answeredAgents(
  answered: readonly Exchange[],
  originals: readonly Entry[],
): { ids: ReadonlySet<unknown>; prompts: readonly unknown[] } {
  const before = new Map(
    exchangesOf(originals).map(({ id, answer }) => [id, answer?.entry["toolUseResult"]]),
  );
  const ids = new Set<unknown>();
  const prompts: unknown[] = [];
  for (const { id, input, answer } of answered) {
    const result = before.get(id);
    const agentId = isRecord(result) ? result["agentId"] : undefined;
    if (typeof agentId === "string") ids.add(agentId);
    else if (answer?.block["is_error"] !== true) prompts.push(input["prompt"]);
  }
  return { ids, prompts };
}

async function threadsOf(
  store: SessionStore,
  key: SessionKey,
  taken: ReadonlySet<unknown>,
): Promise<Entry[][]> {
  const subpaths = await store.listSubkeys(key);
  const free = subpaths.filter((subpath) => !taken.has(/agent-([^/]+)$/.exec(subpath)?.[1]));
  return Promise.all(free.map(async (subpath) => (await store.load({ ...key, subpath })) ?? []));
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
