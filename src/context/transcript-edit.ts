import { withoutPreserved } from "./preserved.ts";
import { blocksOf, isProtected, isRecord, type Block, type Entry } from "./transcript.ts";

/** The entry with other blocks; the original stays as it was. */
export function withBlocks(entry: Entry, blocks: readonly Block[]): Entry {
  const message = entry["message"];
  return { ...entry, message: { ...(isRecord(message) ? message : {}), content: blocks } };
}

/** {@link withResults} for all entries of a history. */
export function replaceResults(
  entries: readonly Entry[],
  texts: ReadonlyMap<string, string>,
): readonly Entry[] {
  return texts.size === 0 ? entries : entries.map((entry) => withResults(entry, texts));
}

/**
 * Replaces result texts by call id, in the message and in the harness's copy beside it (`toolUseResult`, which is a
 * plain string for failed calls too, 0.3.332). A protected entry stays.
 */
export function withResults(entry: Entry, texts: ReadonlyMap<string, string>): Entry {
  if (entry.type !== "user" || isProtected(entry)) return entry;
  let copy: string | undefined;
  const blocks = blocksOf(entry).map((block) => {
    const text = block.type === "tool_result" ? texts.get(String(block["tool_use_id"])) : undefined;
    if (text === undefined) return block;
    copy = text;
    return { ...block, content: text };
  });
  if (copy === undefined) return entry;
  const changed = withBlocks(entry, blocks);
  // Of its own making, so nobody else sees it change; another copy would take as long as the rest.
  if (changed["toolUseResult"] !== undefined) changed["toolUseResult"] = copy;
  return changed;
}

/** Removes calls and results by call id. Other blocks of the same message stay; undefined when nothing is left. */
export function withoutCalls(entry: Entry, ids: ReadonlySet<string>): Entry | undefined {
  const blocks = blocksOf(entry);
  const rest = blocks.filter(
    (block) =>
      !(block.type === "tool_use" && ids.has(String(block["id"]))) &&
      !(block.type === "tool_result" && ids.has(String(block["tool_use_id"]))),
  );
  if (rest.length === blocks.length) return entry;
  return rest.length === 0 ? undefined : withBlocks(entry, rest);
}

/** Fields that name another entry of the chain. */
const LINKS = ["parentUuid", "logicalParentUuid", "leafUuid"] as const;

/** Leaves out the entries that became `undefined` and links what pointed to them to their nearest living ancestor. */
export function relink(before: readonly Entry[], after: readonly (Entry | undefined)[]): readonly Entry[] {
  const parentOfGone = new Map<string, unknown>();
  before.forEach((entry, i) => {
    if (after[i] === undefined && entry.uuid !== undefined)
      parentOfGone.set(entry.uuid, entry["parentUuid"] ?? null);
  });
  return after.flatMap((entry) => (entry === undefined ? [] : [linked(entry, parentOfGone)]));
}

/** The entry with links to nearest living ancestors in place of those to entries that went; a list of entries loses them. */
export function linked(entry: Entry, parentOfGone: Map<string, unknown>): Entry {
  let changed = withoutPreserved(entry, parentOfGone);
  for (const link of LINKS) {
    const to = entry[link];
    if (isKeyOf(parentOfGone, to)) changed = { ...changed, [link]: follow(parentOfGone, to) };
  }
  return changed;
}

/**
 * Walks from an id over the given steps to the first one that is none of them. Shortens the way for the next walk, so
 * that all walks together are linear; a cycle in a damaged file ends at null.
 */
export function follow(steps: Map<string, unknown>, from: unknown): unknown {
  const way = new Set<string>();
  let at = from;
  while (isKeyOf(steps, at) && !way.has(at)) {
    way.add(at);
    at = steps.get(at);
  }
  const end = isKeyOf(steps, at) ? null : at;
  for (const step of way) steps.set(step, end);
  return end;
}

function isKeyOf(map: ReadonlyMap<string, unknown>, key: unknown): key is string {
  return typeof key === "string" && map.has(key);
}
