import { blocksOf, exchangesOf, isProtected, type Entry } from "./transcript.ts";

/** Characters of a call's input, and of its result; whole ones are in the store. */
const INPUT_CHARS = 2_000;
const RESULT_CHARS = 4_000;

/** A thread for people and models to read: what was said, each call with its result, apart by blank lines. */
export function transcriptText(entries: readonly Entry[]): string {
  const resultOf = new Map(exchangesOf(entries).map(({ id, answer }) => [id, answer?.text]));
  const parts = entries.filter((entry) => !isProtected(entry)).flatMap((entry) => said(entry, resultOf));
  return `${parts.filter((part) => part.trim() !== "").join("\n\n")}\n`;
}

function said(entry: Entry, resultOf: ReadonlyMap<unknown, string | undefined>): string[] {
  const message = entry["message"] as { content?: unknown } | undefined;
  if (entry.type === "user" && typeof message?.content === "string") return [`> ${message.content}`];
  // Main threads get their prompts as blocks, beside which results are no words of anybody (0.3.332).
  if (entry.type === "user")
    return blocksOf(entry).flatMap(({ type, text }) =>
      type === "text" && typeof text === "string" ? [`> ${text}`] : [],
    );
  if (entry.type !== "assistant") return [];
  return blocksOf(entry).flatMap(({ type, text, id, name, input }) => {
    if (type === "text" && typeof text === "string") return [text.trim()];
    if (type !== "tool_use") return [];
    const result = resultOf.get(id);
    const call = `* ${String(name)} ${clip(JSON.stringify(input ?? {}), INPUT_CHARS)}`;
    return [result === undefined ? `${call}\n(no result)` : `${call}\n${clip(result, RESULT_CHARS)}`];
  });
}

const clip = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length} characters)`;
