import { countLines, hasLongLines, pagedPath } from "./paged-copy.ts";
import { isRecord } from "./transcript.ts";

/** Characters of the preview that stays in the context. */
const PREVIEW_CHARS = 400;

/** Tools whose output repeats the call's own input: the model sees one line of it (0.3.332). */
const ECHOING_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** Fields that repeat the call and never reach the model: the task an Agent was given. */
const ECHOED_FIELDS: ReadonlySet<string> = new Set(["prompt"]);

/** Kinds of blocks and of Read results that carry encoded data; a preview of it is worth nothing. */
const DATA_KINDS: ReadonlySet<unknown> = new Set(["image", "document", "pdf", "audio"]);

/** With these fields of a Bash output the harness frames the text itself (0.3.332). */
const FRAME_FIELDS: ReadonlySet<string> = new Set(["persistedOutputPath", "persistedOutputSize"]);

/** Reports of agents are asked for at 30 lines: only one beyond twice the limit for material is spilled. */
const REPORT_FACTOR = 2;

/** Characters from which strings in a tool's output are spilled, by the limit for material. */
export function spillLimit(toolName: string, thresholdChars: number): number {
  return toolName === "Agent" || toolName === "Task" ? REPORT_FACTOR * thresholdChars : thresholdChars;
}

/** The harness keeps no more of an output, bytes; its size it says all the same (0.3.332). */
const HARNESS_KEEPS_BYTES = 64 * 1024 ** 2;

/**
 * The line that stands where a long text was: how much it is, where it lies (absolute), how to read on. Where lines are
 * too long for that it names the copy of `pagedCopy`, which whoever writes the text puts beside it.
 * @param cutFromBytes size of what the text is only the beginning of. Default: it is whole.
 */
export function spillPointer(text: string, path: string, cutFromBytes?: number): string {
  const copy = hasLongLines(text) ? `; its long lines are broken in ${pagedPath(path)}` : "";
  const size = `${text.length} characters, ${countLines(text)} lines`;
  const what =
    cutFromBytes === undefined
      ? `the whole text is in ${path}`
      : `cut, of ${cutFromBytes} bytes printed the end is missing (run it again into a file of your own to see that); the beginning is in ${path}`;
  return `[${size}: ${what}; use Read with offset and limit, or Grep, on that file${copy}]`;
}

/** True for a text that is one line of {@link spillPointer} and nothing else, as trim leaves it. */
export function isSpillPointer(text: string): boolean {
  return /^\[\d+ characters, \d+ lines: [^\n]*\]$/.test(text);
}

/** What of a text is shown beside its pointer. */
export interface PreviewOptions {
  /** Length of the preview; default 400 characters. */
  chars?: number;
  /** Also show the end, head and tail each half as long. Default false. */
  keepsTail?: boolean;
}

/** The head of a text; where the end matters also its tail. A text that is short enough is shown whole. */
export function previewOf(
  text: string,
  { chars = PREVIEW_CHARS, keepsTail = false }: PreviewOptions = {},
): string {
  if (text.length <= chars) return text;
  if (!keepsTail) return `${cutHead(text, chars)}\n[…]`;
  const half = Math.floor(chars / 2);
  return `${cutHead(text, half)}\n[…]\n${cutTail(text, half)}`;
}

/** How to spill a tool's output. */
export interface SpillOptions {
  /** Strings of at least this many characters are spilled; of an Agent's report twice as many. */
  thresholdChars: number;
  /** Characters of the preview; default 400. */
  previewChars?: number;
  /** Also show the end, where the end matters (the summary of a test run). Default false. */
  keepsTail?: boolean;
  /**
   * Keeps the text, and its `pagedCopy` beside it; its path, or undefined when it could not be written: then the text
   * stays as it was.
   */
  write(text: string): string | undefined;
  /**
   * Reads the file in which the harness itself kept a long output: the hook gets only the first 30,000 characters of
   * Bash, and of an MCP result above 25,000 tokens none at all (0.3.332). Undefined when the file cannot be read: then the output stays as it was,
   * because the harness's own frame still names the whole. Absent: what the hook got is spilled.
   */
  readFile?(path: string): string | undefined;
}

/**
 * A tool's output with every long string replaced by a pointer and a preview, its structure kept: the harness
 * silently ignores a replacement of another shape (0.3.332). Lists of strings become one element when
 * they are long together, text blocks are spilled one by one; images, documents and every other list stay.
 * @returns undefined when nothing changed.
 */
export function spillOutput(toolName: string, output: unknown, options: SpillOptions): unknown {
  if (ECHOING_TOOLS.has(toolName)) return undefined;
  const limited = { ...options, thresholdChars: spillLimit(toolName, options.thresholdChars) };
  const spilled = spillOf(toolName, output, limited);
  return spilled === output ? undefined : spilled;
}

function spillOf(toolName: string, output: unknown, options: SpillOptions): unknown {
  if (toolName === "Bash" && isRecord(output)) return spillBash(output, options);
  if (toolName === "WebSearch" && isRecord(output)) return spillSearch(output, options);
  if (!toolName.startsWith("mcp__")) return spillValue(output, options);
  const whole = unframe(output, options);
  const spilled = spillValue(whole, options);
  return spilled === whole ? output : spilled;
}

/** Texts and lists of links stand in one list there (0.3.332); the links stay. */
function spillSearch(output: Record<string, unknown>, options: SpillOptions): unknown {
  const { results } = output;
  if (!Array.isArray(results) || results.every((item) => typeof item === "string"))
    return spillValue(output, options);
  const spilled = results.map((item: unknown) =>
    typeof item === "string" ? spillText(item, options) : item,
  );
  return spilled.some((item, i) => item !== results[i]) ? { ...output, results: spilled } : output;
}

/** What the harness says in place of an MCP result that it put aside (0.3.332). */
const PUT_ASIDE =
  /^Error: result \([^)]*\) exceeds maximum allowed tokens\. Output has been saved to (\S[^\n]*?)\.\n/;

/** The whole of an MCP result that the harness put aside; any other output as it is. */
function unframe(output: unknown, options: SpillOptions): unknown {
  if (Array.isArray(output) && output.length === 1) {
    const [block] = output as [unknown];
    if (!isRecord(block) || block["type"] !== "text") return output;
    const text = unframe(block["text"], options);
    return text === block["text"] ? output : [{ ...block, text }];
  }
  const path = typeof output === "string" ? PUT_ASIDE.exec(output)?.[1] : undefined;
  return (path === undefined ? undefined : options.readFile?.(path)) ?? output;
}

function spillBash(output: Record<string, unknown>, options: SpillOptions): unknown {
  if (output["isImage"] === true) return output;
  const stdout = spillStdout(output, options);
  const stderr = spillValue(output["stderr"], options);
  if (stdout === output["stdout"]) {
    return stderr === output["stderr"] ? output : { ...output, stderr };
  }
  // The harness's own frame and preview would stand around the pointer.
  const unframed = Object.entries(output).filter(([name]) => !FRAME_FIELDS.has(name));
  return { ...Object.fromEntries(unframed), stdout, ...("stderr" in output ? { stderr } : {}) };
}

function spillStdout(output: Record<string, unknown>, options: SpillOptions): unknown {
  const { stdout, persistedOutputPath: kept } = output;
  if (typeof kept !== "string" || options.readFile === undefined) return spillValue(stdout, options);
  const whole = options.readFile(kept);
  if (whole === undefined) return stdout;
  const size = output["persistedOutputSize"];
  const cutFromBytes = typeof size === "number" && size > HARNESS_KEEPS_BYTES ? size : undefined;
  const spilled = spillText(whole, options, cutFromBytes);
  return spilled === whole ? stdout : spilled;
}

function spillValue(value: unknown, options: SpillOptions): unknown {
  if (typeof value === "string") return spillText(value, options);
  if (Array.isArray(value)) return spillList(value, options);
  if (!isRecord(value) || DATA_KINDS.has(value["type"])) return value;
  const before = Object.entries(value);
  const after = before.map(
    ([name, field]) => [name, ECHOED_FIELDS.has(name) ? field : spillValue(field, options)] as const,
  );
  return after.some(([, field], i) => field !== before[i]?.[1]) ? Object.fromEntries(after) : value;
}

function spillList(list: readonly unknown[], options: SpillOptions): readonly unknown[] {
  if (list.length > 0 && list.every((item) => typeof item === "string")) {
    const joined = list.join("\n");
    const text = spillText(joined, options);
    return text === joined ? list : [text];
  }
  const spilled = list.map((item) => (isRecord(item) ? spillTextBlock(item, options) : item));
  return spilled.some((item, i) => item !== list[i]) ? spilled : list;
}

function spillTextBlock(block: Record<string, unknown>, options: SpillOptions): Record<string, unknown> {
  if (block["type"] !== "text" || typeof block["text"] !== "string") return block;
  const text = spillText(block["text"], options);
  return text === block["text"] ? block : { ...block, text };
}

function spillText(text: string, options: SpillOptions, cutFromBytes?: number): string {
  if (text.length < options.thresholdChars) return text;
  const path = options.write(text);
  if (path === undefined) return text;
  const pointer = spillPointer(text, path, cutFromBytes);
  const preview = previewOf(text, {
    chars: options.previewChars ?? PREVIEW_CHARS,
    // Where a text is cut, that would pass for its end.
    keepsTail: options.keepsTail === true && cutFromBytes === undefined,
  });
  return `${pointer}\n${preview}`;
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

/** What a picture or a document counts, in characters of text: about 1,500 tokens, whatever its encoded length. */
const DATA_CHARS = 6_000;

/** Characters of all texts in a tool's input or output, names of fields aside; pictures and documents count 6,000. */
export function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + charsOf(item), 0);
  if (!isRecord(value)) return 0;
  return DATA_KINDS.has(value["type"]) ? DATA_CHARS : charsOf(Object.values(value));
}
