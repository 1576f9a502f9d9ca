import { blocksOf, type Block, type Entry } from "../../src/context/transcript.ts";

/** Builds a history in the harness's shape (0.3.332): one block an entry, each on the one before unless said. */
export class TranscriptParts {
  readonly entries: Entry[] = [];
  #leaf: string | null = null;

  /** Adds an entry; `uuid` and `parentUuid` may be given. Returns it, so that others can hang on it. */
  add(entry: Entry): Entry & { uuid: string } {
    const uuid = entry.uuid ?? `u${this.entries.length}`;
    const added = { parentUuid: this.#leaf, ...entry, uuid };
    this.entries.push(added);
    this.#leaf = uuid;
    return added;
  }

  prompt(text: string, fields: object = {}): Entry & { uuid: string } {
    return this.add({
      type: "user",
      message: { role: "user", content: [{ type: "text", text }] },
      ...fields,
    });
  }

  /** One block of the message `id` of the model. */
  says(id: string, block: Block, fields: object = {}): Entry & { uuid: string } {
    return this.add({ type: "assistant", message: { id, role: "assistant", content: [block] }, ...fields });
  }

  bash(id: string, callId: string, command: string): Entry & { uuid: string } {
    return this.says(id, { type: "tool_use", id: callId, name: "Bash", input: { command } });
  }

  result(callId: string, content: unknown, fields: object = {}): Entry & { uuid: string } {
    const block = { type: "tool_result", tool_use_id: callId, content };
    return this.add({
      type: "user",
      message: { role: "user", content: [block] },
      toolUseResult: content,
      ...fields,
    });
  }

  /** A call that the gate refused, with the harness's mark. */
  denied(callId: string, fields: object = {}): Entry & { uuid: string } {
    const block = { type: "tool_result", tool_use_id: callId, content: "Use Agent instead.", is_error: true };
    return this.add({
      type: "user",
      message: { role: "user", content: [block] },
      toolDenialKind: "permission-rule",
      ...fields,
    });
  }

  /** One round: the command and its result. */
  round(callId: string, command: string, content: unknown, fields: object = {}): void {
    this.bash(`msg-${callId}`, callId, command);
    this.result(callId, content, fields);
  }
}

/** Ids of the calls that are there. */
export function callIds(entries: readonly Entry[]): unknown[] {
  return entries.flatMap(blocksOf).flatMap((block) => (block.type === "tool_use" ? [block["id"]] : []));
}

/** What answers a call. */
export function contentFor(entries: readonly Entry[], callId: string): unknown {
  return entries.flatMap(blocksOf).find((block) => block["tool_use_id"] === callId)?.["content"];
}

/** The entry with this uuid. */
export function entryOf(entries: readonly Entry[], uuid: string): Entry {
  const found = entries.find((entry) => entry.uuid === uuid);
  if (found === undefined) throw new Error(`no entry ${uuid}`);
  return found;
}

/** Ids from the newest user or assistant entry up to a beginning: what a session that is loaded holds. */
export function wayFromLeaf(entries: readonly Entry[]): string[] {
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]));
  const way: string[] = [];
  let at = entries.findLast(({ type }) => type === "user" || type === "assistant");
  while (at?.uuid !== undefined && way.length <= entries.length) {
    way.push(at.uuid);
    at = byId.get(at["parentUuid"] as string);
  }
  return way;
}
