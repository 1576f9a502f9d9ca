import { preservedBy } from "./preserved.ts";
import { isApiError, isChainLink, messageIdOf, type Entry } from "./transcript.ts";

/** Where a conversation goes on: the uuid of the entry that the next one hangs on; null = nowhere. */
export type Leaf = string | null;

/** Where the harness goes on unless it is told otherwise: the newest entry, of the main thread if the history has one (0.3.332). */
export function newestLeaf(entries: readonly (Entry | undefined)[]): Leaf {
  let ofSubagent: Leaf = null;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined || !isChainLink(entry)) continue;
    if (entry["isSidechain"] !== true) return entry.uuid;
    ofSubagent ??= entry.uuid;
  }
  return ofSubagent;
}

/**
 * The model's messages that a session which goes on from a leaf has before it, by message id, with how many of the
 * model's messages ago each came (0 = the last). Branches that were left are not among them, nor is what lies before a
 * compact boundary, but for what that preserves. Parents lie before their children in the file, so one way back is enough.
 */
export function liveMessages(
  entries: readonly (Entry | undefined)[],
  leaf: Leaf = newestLeaf(entries),
): ReadonlyMap<string | undefined, number> {
  const ages = new Map<string | undefined, number>();
  const preserved = new Set<string>();
  let next: unknown = leaf;
  let last: string | undefined;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry?.uuid === undefined) continue;
    if (entry.uuid === next) {
      next = entry["parentUuid"];
      if (entry.type === "system") for (const uuid of preservedBy(entry)) preserved.add(uuid);
    } else if (!preserved.has(entry.uuid)) continue;
    if (entry.type !== "assistant") continue;
    const id = messageIdOf(entry);
    // A message's entries mostly follow one another: equal texts are found faster than a place in the map.
    if ((id === last && id !== undefined) || ages.has(id) || isApiError(entry)) continue;
    ages.set(id, ages.size);
    last = id;
  }
  return ages;
}
