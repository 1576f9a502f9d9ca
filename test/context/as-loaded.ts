import { blocksOf, messageIdOf, type Entry } from "../../src/context/transcript.ts";

interface Preserved {
  anchorUuid: string;
  uuids: string[];
}

/**
 * What the harness makes of a history of a main thread, in the order of the file (0.3.332, as the SDK's own reader of
 * histories does it): what a compact boundary preserves is put behind its summary, if all of it is there; then the way
 * from the newest entry that nothing hangs on up; then the other entries of the messages on it, with their results.
 */
export function asLoaded(entries: readonly Entry[]): Entry[] {
  const links = new Map(
    entries.flatMap((e) => (isLink(e) && e.uuid !== undefined ? [[e.uuid, { ...e }] as const] : [])),
  );
  for (const { compactMetadata } of [...links.values()]) {
    const preserved = (compactMetadata as { preservedMessages?: Preserved } | undefined)?.preservedMessages;
    if (preserved !== undefined) relink(links, preserved);
  }
  const parents = new Set([...links.values()].map((entry) => entry["parentUuid"]));
  const loaded = new Set<string>();
  let at = [...links.values()].findLast(({ uuid }) => !parents.has(uuid));
  while (at?.uuid !== undefined && !loaded.has(at.uuid)) {
    loaded.add(at.uuid);
    at = links.get(String(at["parentUuid"]));
  }
  const isOfModel = (entry: Entry): boolean => entry.type === "assistant";
  const messages = new Set(
    [...links.values()].filter((e) => isOfModel(e) && loaded.has(String(e.uuid))).map(messageIdOf),
  );
  const ofThem = [...links.values()].filter((e) => isOfModel(e) && messages.has(messageIdOf(e)));
  const calls = new Set(
    ofThem.flatMap(blocksOf).flatMap(({ type, id }) => (type === "tool_use" ? [id] : [])),
  );
  return entries.filter(
    (entry) =>
      (entry.uuid !== undefined && loaded.has(entry.uuid)) ||
      (isOfModel(entry) && messages.has(messageIdOf(entry))) ||
      blocksOf(entry).some(({ type, tool_use_id: id }) => type === "tool_result" && calls.has(id)),
  );
}

const isLink = ({ type }: Entry): boolean => ["user", "assistant", "attachment", "system"].includes(type);

function relink(links: ReadonlyMap<string, Entry>, { anchorUuid, uuids }: Preserved): void {
  if (uuids.length === 0 || uuids.some((uuid) => !links.has(uuid))) return;
  let parent = anchorUuid;
  for (const uuid of uuids) {
    links.get(uuid)!["parentUuid"] = parent;
    parent = uuid;
  }
  for (const [uuid, entry] of links)
    if (entry["parentUuid"] === anchorUuid && uuid !== uuids[0]) entry["parentUuid"] = parent;
}
