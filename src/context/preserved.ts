import { isRecord, type Entry } from "./transcript.ts";

const NONE: readonly string[] = [];

/** Ids of the entries before a compact boundary that stay in context behind it; none for other entries (0.3.332). */
export function preservedBy(entry: Entry): readonly string[] {
  const metadata = entry["compactMetadata"];
  const messages = isRecord(metadata) ? metadata["preservedMessages"] : undefined;
  return isRecord(messages) ? idsIn(messages["uuids"]) : NONE;
}

/**
 * A compact boundary that no longer names what went: the harness keeps nothing when one of the listed entries is missing
 * (0.3.332). First and last are named once more as a segment, which it goes by only where there is no list.
 */
export function withoutPreserved(entry: Entry, gone: ReadonlyMap<string, unknown>): Entry {
  if (entry.type !== "system") return entry;
  const uuids = preservedBy(entry);
  const rest = uuids.filter((uuid) => !gone.has(uuid));
  if (rest.length === uuids.length) return entry;
  const { preservedMessages, preservedSegment, ...metadata } = recordIn(entry["compactMetadata"]);
  if (rest.length === 0) return { ...entry, compactMetadata: metadata };
  const messages = recordIn(preservedMessages);
  const allUuids = idsIn(messages["allUuids"]).filter((uuid) => !gone.has(uuid));
  const ends = { headUuid: rest[0], tailUuid: rest.at(-1) };
  return {
    ...entry,
    compactMetadata: {
      ...metadata,
      ...(isRecord(preservedSegment) ? { preservedSegment: { ...preservedSegment, ...ends } } : {}),
      preservedMessages: { ...messages, uuids: rest, ...("allUuids" in messages ? { allUuids } : {}) },
    },
  };
}

const recordIn = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : NONE;
}
