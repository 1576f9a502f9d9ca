import { messageIdOf, type Block, type Entry } from "../../src/context/transcript.ts";

/** Words that a person gave with a refusal; no rewrite may lose them. */
export const PERSONS_WORDS = "No, ask me first.";

/** A reproducible generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Kinds of results; a call of kind `none` was never answered. */
const RESULTS = [
  "ok",
  "ok",
  "ok",
  "ok",
  "long",
  "denied",
  "person",
  "stopped",
  "cut",
  "image",
  "none",
] as const;

const COMMANDS = ["git status -s", "git status -s", "ls", "npm test", "make all"] as const;

/**
 * A transcript of `rounds` rounds in the harness's shape (0.3.332): one block an entry; parallel results hang on their
 * own call, in any order, and the conversation goes on from the last; other entries lie between. With what happens to
 * files besides: lost parents, progress entries within the chain, errors of the API, interruptions, hard kills.
 */
export function randomTranscript(seed: number, rounds: number): Entry[] {
  const random = seeded(seed);
  const chance = (p: number): boolean => random() < p;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const entries: Entry[] = [];
  let count = 0;
  let leaf: string | null = null;

  const add = (entry: Entry, parent: string | null = leaf): string => {
    const uuid = `${seed}-${(count += 1)}`;
    const lost = chance(0.02) && parent !== null;
    entries.push({ ...entry, uuid, parentUuid: lost ? `lost-${uuid}` : parent });
    return uuid;
  };
  const message = (role: "user" | "assistant", content: Block[] | string, more: object = {}): Entry => ({
    type: role,
    message: { role, content, ...("id" in more ? { id: more.id } : {}) },
    ...("fields" in more ? (more.fields as object) : {}),
  });

  /** The harness keeps the last messages before a boundary in context: each on the one before, the first on the summary. */
  const compact = (): void => {
    const summary = `${seed}-${count + 2}`;
    const kept = chance(0.7) ? lastMessages(entries, 1 + Math.floor(random() * 3)) : [];
    const uuids = kept.map(({ uuid }) => uuid);
    const preserved = {
      preservedSegment: { headUuid: uuids[0], anchorUuid: summary, tailUuid: uuids.at(-1) },
      preservedMessages: { anchorUuid: summary, uuids, allUuids: [...uuids, "never-written"] },
    };
    leaf = add(
      {
        type: "system",
        subtype: "compact_boundary",
        logicalParentUuid: leaf,
        compactMetadata: { trigger: "auto", ...(kept.length === 0 ? {} : preserved) },
      },
      null,
    );
    leaf = add(message("user", "Summary of it all.", { fields: { isCompactSummary: true } }));
    // What is before it is gone for good.
    prompts.splice(0, Infinity, leaf);
  };

  const between = (): void => {
    if (chance(0.2)) entries.push({ type: "last-prompt", leafUuid: leaf, lastPrompt: "x" });
    if (chance(0.1)) entries.push({ type: "file-history-snapshot", messageId: leaf, snapshot: {} });
    if (chance(0.1)) leaf = add({ type: "attachment", attachment: { type: "date", date: "2026-01-01" } });
    if (chance(0.05)) leaf = add({ type: "progress", data: { n: count } });
    if (chance(0.05)) entries.push({ type: "from-the-future", uuid: `future-${count}`, deep: { a: [1] } });
    if (chance(0.05)) leaf = add(message("user", "<meta>", { fields: { isMeta: true } }));
    if (chance(0.03)) compact();
    if (chance(0.08)) {
      const fields = { isApiErrorMessage: true, error: "server_error" };
      leaf = add(
        message("assistant", [{ type: "text", text: "API Error: 500" }], { id: `e${count}`, fields }),
      );
    }
    if (chance(0.15)) leaf = add(message("user", [{ type: "text", text: `Words ${count}` }]));
    if (chance(0.05)) entries.push(message("user", [{ type: "text", text: "Words without an id" }]));
    // Somebody went back to an earlier prompt, and said something else.
    const back = chance(0.05);
    if (back) leaf = pick(prompts);
    if (back || chance(0.1))
      prompts.push((leaf = add(message("user", [{ type: "text", text: `Now ${count}` }]))));
  };

  const answer = (id: string, kind: (typeof RESULTS)[number], parent: string): void => {
    const result = resultOf(id, kind);
    if (result === undefined) return;
    const { content, isError = false, fields = {} } = result;
    const block: Block = {
      type: "tool_result",
      tool_use_id: id,
      content,
      ...(isError ? { is_error: true } : {}),
    };
    leaf = add(
      message("user", [block], { fields: { toolUseResult: { stdout: content }, ...fields } }),
      parent,
    );
  };

  const prompts = [(leaf = add(message("user", [{ type: "text", text: "Do it." }])))];
  for (let round = 0; round < rounds; round += 1) {
    between();
    const id = `msg-${seed}-${round}`;
    const say = (block: Block): string => (leaf = add(message("assistant", [block], { id })));
    if (chance(0.7)) say({ type: "thinking", thinking: `Thought ${round}`, signature: "s" });
    if (chance(0.4)) say({ type: "text", text: `Text ${round}` });
    const calls = Array.from({ length: Math.floor(random() * 4) }, (_, n) => {
      const call = `call-${seed}-${round}-${n}`;
      const bash = chance(0.8);
      const input = bash ? { command: pick(COMMANDS) } : { file_path: "/workspace/a.txt" };
      const uuid = say({ type: "tool_use", id: call, name: bash ? "Bash" : "Read", input });
      return { call, uuid, kind: pick(RESULTS), order: random() };
    });
    for (const { call, uuid, kind } of calls.sort((a, b) => a.order - b.order)) answer(call, kind, uuid);
  }
  return entries;
}

/** What was written since one of the model's last messages began, but for what lies beside the chain. */
function lastMessages(entries: readonly Entry[], messages: number): Entry[] {
  const ids = entries.flatMap((entry) => (entry.type === "assistant" ? [messageIdOf(entry)] : []));
  const first = [...new Set(ids)].at(-messages);
  const begin = entries.findIndex((entry) => first !== undefined && messageIdOf(entry) === first);
  return begin === -1
    ? []
    : entries
        .slice(begin)
        .filter((e) => e.uuid !== undefined && (e.type === "user" || e.type === "assistant"));
}

function resultOf(
  id: string,
  kind: (typeof RESULTS)[number],
): { content: unknown; isError?: boolean; fields?: object } | undefined {
  switch (kind) {
    case "ok":
      return { content: `result of ${id}` };
    case "long":
      return { content: [{ type: "text", text: `${id} `.repeat(800) }] };
    case "image":
      return { content: [{ type: "image", source: { data: "AAAA" } }] };
    case "denied":
      return { content: "Use Agent instead.", isError: true, fields: { toolDenialKind: "permission-rule" } };
    case "person":
      return {
        content: PERSONS_WORDS,
        isError: true,
        fields: { toolDenialKind: "permission-rule", holdsPersonsWords: true },
      };
    case "stopped":
      return {
        content: "The user doesn't want to proceed with this tool use.",
        isError: true,
        fields: { toolDenialKind: "user-rejected", toolUseResult: "User rejected tool use" },
      };
    case "cut":
      return {
        content: "[Tool call interrupted: the session ended]",
        isError: true,
        fields: { toolDenialKind: "interrupted" },
      };
    case "none":
      return undefined;
  }
}
