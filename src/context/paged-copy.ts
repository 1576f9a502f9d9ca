/**
 * A longer line cannot be paged, as Read takes whole lines, bytes. Of one above 25,000 tokens it shows the beginning,
 * and nothing shows the rest (0.3.332).
 */
const LONG_LINE_BYTES = 2_000;
/** Length of the pieces of a broken line, characters. */
const PIECE_CHARS = 500;
/** UTF-8 has at most three bytes for a unit of UTF-16. */
const BYTES_PER_CHAR = 3;
/** No line of so many characters is long. */
const SURELY_SHORT_CHARS = Math.floor(LONG_LINE_BYTES / BYTES_PER_CHAR);
const INDENT = "  ";
/** Deeper nesting is not shown by more indentation: each line would be mostly spaces. */
const MAX_DEPTH = 40;

/** Where the copy lies whose lines can be read one page after another: beside the text itself. */
export function pagedPath(path: string): string {
  return `${path.replace(/\.txt$/, "")}-lines.txt`;
}

/** True for a text with a line of more than 2,000 bytes, of which nobody can read on. */
export function hasLongLines(text: string): boolean {
  let start = 0;
  while (start < text.length) {
    // All lines that end within so few characters are short enough: no look at each of them.
    const lastEnd = text.lastIndexOf("\n", start + SURELY_SHORT_CHARS);
    if (lastEnd >= start) {
      start = lastEnd + 1;
      continue;
    }
    const end = lineEnd(text, start);
    if (isLong(text, start, end)) return true;
    start = end + 1;
  }
  return false;
}

/** The same text in lines that can be paged: JSON with one value a line, else long lines broken. Undefined without long lines. */
export function pagedCopy(text: string): string | undefined {
  if (!hasLongLines(text)) return undefined;
  const lines = isJson(text) ? prettyJson(text) : text;
  return lines
    .split("\n")
    .map((line) => (isLong(line, 0, line.length) ? breakLine(line) : line))
    .join("\n");
}

/** Lines of a text; a line break at its end begins no further one. */
export function countLines(text: string): number {
  let count = text.endsWith("\n") || text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function isLong(text: string, start: number, end: number): boolean {
  const chars = end - start;
  if (chars > LONG_LINE_BYTES || chars <= SURELY_SHORT_CHARS) return chars > LONG_LINE_BYTES;
  return Buffer.byteLength(text.slice(start, end)) > LONG_LINE_BYTES;
}

function breakLine(line: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < line.length;) {
    const end = at + PIECE_CHARS;
    // Never inside a surrogate pair: half of one is no valid text.
    const whole = /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end + 1 : end;
    pieces.push(line.slice(at, whole));
    at = whole;
  }
  return pieces.join("\n");
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Puts line breaks between the values of valid JSON. Written anew it would lose digits of long numbers. */
function prettyJson(json: string): string {
  const out: string[] = [];
  let depth = 0;
  const newline = (): void => void out.push("\n", INDENT.repeat(Math.min(depth, MAX_DEPTH)));
  for (let i = 0; i < json.length; i += 1) {
    const char = json.charAt(i);
    if (char === '"') {
      const end = stringEnd(json, i);
      out.push(json.slice(i, end + 1));
      i = end;
    } else if (char === "{" || char === "[") {
      out.push(char);
      depth += 1;
      newline();
    } else if (char === "}" || char === "]") {
      depth -= 1;
      newline();
      out.push(char);
    } else if (char === ",") {
      out.push(char);
      newline();
    } else if (char === ":") out.push(": ");
    else if (!/\s/.test(char)) out.push(char);
  }
  return out.join("");
}

/** Place of the quote that ends the string beginning at `start`. */
function stringEnd(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && json.charAt(end) !== '"') end += json.charAt(end) === "\\" ? 2 : 1;
  return end;
}
