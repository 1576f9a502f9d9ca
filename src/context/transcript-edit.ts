import { blocksOf, isProtected, isRecord, type Block, type Entry } from "./transcript.ts";

/** The entry with other blocks; the original stays as it was. */
export function withBlocks(entry: Entry, blocks: readonly Block[]): Entry {
  const message = entry["message"];
  return { ...entry, message: { ...(isRecord(message) ? message : {}), content: blocks } };
}

/**
 * Replaces result texts by call id, in the message and in the harness's copy beside it (`toolUseResult`, which is a
 * plain string for failed calls too, 0.3.332). Protected entries stay.
 */
export function replaceResults(
  entries: readonly Entry[],
  texts: ReadonlyMap<string, string>,
): readonly Entry[] {
  if (texts.size === 0) return entries;
  return entries.map((entry) => {
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
    return entry["toolUseResult"] === undefined ? changed : { ...changed, toolUseResult: copy };
  });
}

/**
 * Removes calls with their results by call id. Other blocks of the same message stay; an entry that is left with
 * nothing goes, and its children hang on its nearest living ancestor.
 */
export function removeCalls(entries: readonly Entry[], ids: ReadonlySet<string>): readonly Entry[] {
  if (ids.size === 0) return entries;
  const left = entries.map((entry): Entry | undefined => {
    const blocks = blocksOf(entry);
    const rest = blocks.filter(
      (block) =>
        !(block.type === "tool_use" && ids.has(String(block["id"]))) &&
        !(block.type === "tool_result" && ids.has(String(block["tool_use_id"]))),
    );
    if (rest.length === blocks.length) return entry;
    return rest.length === 0 ? undefined : withBlocks(entry, rest);
  });
  return relink(entries, left);
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
  return after.flatMap((entry) => {
    if (entry === undefined) return [];
    const broken = LINKS.filter((link) => isKeyOf(parentOfGone, entry[link]));
    if (broken.length === 0) return [entry];
    const links = broken.map((link) => [link, follow(parentOfGone, entry[link])] as const);
    return [{ ...entry, ...Object.fromEntries(links) }];
  });
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
