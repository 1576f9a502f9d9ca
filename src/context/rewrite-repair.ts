import { createHash } from "node:crypto";
import { passOf, type Pass } from "./rewrite-pass.ts";
import { follow } from "./transcript-edit.ts";
import { blocksOf, isChainLink, messageIdOf, type Entry } from "./transcript.ts";

/** Fields that an entry made here takes over from the call's. */
const ENVELOPE = [
  "isSidechain",
  "agentId",
  "timestamp",
  "sessionId",
  "cwd",
  "version",
  "userType",
  "entrypoint",
];

/**
 * Calls without a result (a hard kill) get `note` for one, as an entry in the shape that the harness gives to its own
 * (0.3.332): it hangs on the call and is put into the same user message as the results of parallel calls. Left alone, the
 * harness fills in only at the end of a history and drops such calls in the middle.
 */
export function repairCalls(note: string): Pass {
  return passOf((draft) => {
    const open = draft.calls.filter(({ answer }) => answer === undefined);
    if (open.length === 0) return {};
    const entries = draft.entries();
    const places = lastPlaces(entries);
    const made = new Map<number, Entry[]>();
    const resultOfCall = new Map<string, { uuid: string; messageId: string | undefined }>();
    for (const { id, callAt } of open) {
      const call = entries[callAt];
      if (call === undefined) continue;
      const messageId = messageIdOf(call);
      const place = places.get(messageId) ?? callAt;
      const result = resultEntry(call, id, note);
      made.set(place, [...(made.get(place) ?? []), result]);
      if (call.uuid !== undefined) resultOfCall.set(call.uuid, { uuid: result.uuid, messageId });
    }
    draft.restart(entries.flatMap((entry, i) => [behindResult(entry, resultOfCall), ...(made.get(i) ?? [])]));
    return { repaired: open.length, charsSaved: -open.length * note.length };
  });
}

/** Where the last entry of each message of the model lies, or the last result of its calls; copies do not count. */
function lastPlaces(entries: readonly Entry[]): ReadonlyMap<string | undefined, number> {
  const places = new Map<string | undefined, number>();
  const messageOfCall = new Map<unknown, string | undefined>();
  const seen = new Set<string>();
  entries.forEach((entry, i) => {
    if (entry.uuid !== undefined && seen.has(entry.uuid)) return;
    if (entry.uuid !== undefined) seen.add(entry.uuid);
    for (const block of blocksOf(entry)) {
      if (entry.type === "assistant") {
        places.set(messageIdOf(entry), i);
        if (block.type === "tool_use") messageOfCall.set(block["id"], messageIdOf(entry));
      } else if (block.type === "tool_result" && messageOfCall.has(block["tool_use_id"])) {
        places.set(messageOfCall.get(block["tool_use_id"]), i);
      }
    }
  });
  return places;
}

/** What followed on the open call itself follows on its result; its message's other parts and results do not. */
function behindResult(
  entry: Entry,
  results: ReadonlyMap<string, { uuid: string; messageId: string | undefined }>,
): Entry {
  const parent = entry["parentUuid"];
  const result = typeof parent === "string" ? results.get(parent) : undefined;
  if (result === undefined || messageIdOf(entry) === result.messageId) return entry;
  if (blocksOf(entry).some(({ type }) => type === "tool_result")) return entry;
  return { ...entry, parentUuid: result.uuid };
}

function resultEntry(call: Entry, id: string, note: string): Entry & { uuid: string } {
  const envelope = ENVELOPE.flatMap((name) => (name in call ? [[name, call[name]] as const] : []));
  return {
    ...Object.fromEntries(envelope),
    type: "user",
    uuid: uuidFor(id),
    parentUuid: call.uuid ?? null,
    sourceToolAssistantUUID: call.uuid,
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: note, is_error: true }],
    },
    toolUseResult: note,
    toolDenialKind: "interrupted",
  };
}

/** Always the same id: what the harness appends after a resume hangs on it, while the entry itself is never stored. */
function uuidFor(toolUseId: string): string {
  const hex = createHash("sha256").update(`result of ${toolUseId}`).digest("hex");
  // Version 8 and its variant: an id of one's own making (RFC 9562).
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/**
 * Entries whose parent was never written hang on the nearest message before them, of the main thread or of the same
 * subagent, so that the way from the newest entry does not end there; those on an entry that is no message (progress, hooks) hang on that one's nearest message.
 */
export function bridgeParents(): Pass {
  return passOf((draft) => {
    const entries = draft.places;
    const far: number[] = [];
    for (let at = 0; at < entries.length; at += 1) if (!hangsNearby(entries, at)) far.push(at);
    if (far.length === 0) return { bridged: 0 };
    const links = new Set<unknown>();
    for (const entry of entries) if (entry !== undefined && isChainLink(entry)) links.add(entry.uuid);
    const lost = far.filter((at) => !links.has(entries[at]?.["parentUuid"]));
    if (lost.length === 0) return { bridged: 0 };

    const besides = new Map<string, unknown>();
    // A copy of an entry hangs where the entry does, and what follows on it followed on the entry itself.
    const before = new Map<string, string | null>();
    const newest = new Map<unknown, string>();
    for (const entry of entries) {
      if (entry?.uuid === undefined) continue;
      if (!isChainLink(entry)) besides.set(entry.uuid, entry["parentUuid"]);
      else if (!before.has(entry.uuid)) {
        const thread = threadOf(entry);
        before.set(entry.uuid, newest.get(thread) ?? null);
        newest.set(thread, entry.uuid);
      }
    }
    for (const at of lost) {
      const entry = entries[at];
      if (entry?.uuid === undefined) continue;
      const found = follow(besides, entry["parentUuid"]);
      const living = typeof found === "string" && links.has(found);
      draft.put(at, { ...entry, parentUuid: living ? found : before.get(entry.uuid) });
    }
    return { bridged: lost.length };
  });
}

/** What an entry's conversation goes by: undefined is the main thread. */
const threadOf = (entry: Entry): unknown =>
  entry["isSidechain"] === true ? (entry["agentId"] ?? "a subagent") : undefined;

/** Parallel calls and their results hang on an entry a few before them, nearly all others on the one before. */
const NEAR_ENTRIES = 16;

/** True for all but messages whose parent is none of those shortly before: most need no look at the whole history. */
function hangsNearby(entries: readonly (Entry | undefined)[], at: number): boolean {
  const entry = entries[at];
  if (entry === undefined || !isChainLink(entry)) return true;
  const parent = entry["parentUuid"];
  if (typeof parent !== "string") return true;
  for (let i = at - 1; i >= 0 && i >= at - NEAR_ENTRIES; i -= 1) {
    const before = entries[i];
    if (before?.uuid === parent && isChainLink(before)) return true;
  }
  return false;
}
