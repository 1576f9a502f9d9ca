/** Characters of the preview that stays in the context. */
const PREVIEW_CHARS = 400;

/** A spilled text, for its pointer. */
export interface Spilled {
  path: string;
  chars: number;
  lines: number;
}

/** The line that stands where a long text was: how much it is, where it lies, how to read on. */
export function spillPointer({ path, chars, lines }: Spilled): string {
  return `[${chars} characters, ${lines} lines: the whole text is in ${path}; use Read with offset and limit, or Grep, on that file]`;
}

/** How to spill a tool's output. */
export interface SpillOptions {
  /** Strings of at least this many characters are spilled. */
  thresholdChars: number;
  /** Default 400. */
  previewChars?: number;
  /** Also show the end, where the end matters (the summary of a test run). Default false. */
  keepsTail?: boolean;
  /** Keeps the text; its path, or undefined when it could not be written: then the text stays as it was. */
  write(text: string): string | undefined;
}

/**
 * A tool's output with every long string replaced by a pointer and a preview, its structure kept: the harness
 * silently ignores a replacement of another shape (HARNESS Q4, 0.3.332). Image and document blocks stay, and every
 * list but text blocks and lists of strings.
 * @returns undefined when nothing was long enough.
 */
export function spillOutput(toolName: string, output: unknown, options: SpillOptions): unknown {
  const spilled = spillValue(output, options);
  if (spilled === output) return undefined;
  if (toolName !== "Bash" || !isRecord(spilled)) return spilled;
  // With these two the harness would put its own frame and file around the pointer.
  return Object.fromEntries(Object.entries(spilled).filter(([name]) => !name.startsWith("persistedOutput")));
}

function spillValue(value: unknown, options: SpillOptions): unknown {
  if (typeof value === "string") return spillText(value, options);
  if (Array.isArray(value)) return spillList(value, options);
  if (!isRecord(value)) return value;
  const before = Object.entries(value);
  // `prompt` of an Agent result and ids are the call's own words, not its output; they are short in practice.
  const after = before.map(([name, field]) => [name, spillValue(field, options)] as const);
  return after.some(([, field], i) => field !== before[i]?.[1]) ? Object.fromEntries(after) : value;
}

function spillList(list: readonly unknown[], options: SpillOptions): unknown {
  if (list.length > 0 && list.every((item) => typeof item === "string")) {
    const joined = list.join("\n");
    const text = spillText(joined, options);
    return text === joined ? list : [text];
  }
  const spilled = list.map((item) =>
    isRecord(item) && item["type"] === "text" && typeof item["text"] === "string"
      ? withText(item, spillText(item["text"], options))
      : item,
  );
  return spilled.some((item, i) => item !== list[i]) ? spilled : list;
}

function withText(block: Record<string, unknown>, text: string): Record<string, unknown> {
  return text === block["text"] ? block : { ...block, text };
}

function spillText(text: string, options: SpillOptions): string {
  if (text.length < options.thresholdChars) return text;
  const path = options.write(text);
  if (path === undefined) return text;
  const pointer = spillPointer({ path, chars: text.length, lines: text.split("\n").length });
  return `${pointer}\n${preview(text, options.previewChars ?? PREVIEW_CHARS, options.keepsTail ?? false)}`;
}

/** The head; where the end matters also the tail, each half as long. */
function preview(text: string, chars: number, keepsTail: boolean): string {
  if (!keepsTail) return `${cutHead(text, chars)}\n[…]`;
  const half = Math.floor(chars / 2);
  return `${cutHead(text, half)}\n[…]\n${cutTail(text, half)}`;
}

/** Cuts between characters, never inside a surrogate pair: half of one is no valid text. */
function cutHead(text: string, chars: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars;
  return text.slice(0, end);
}

function cutTail(text: string, chars: number): string {
  const start = text.length - chars;
  return text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
