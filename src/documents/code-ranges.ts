import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** Lines that are code by CommonMark. */
export interface CodeRange {
  /** First and last line, 0-based, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Between fences; false = by indentation. */
  readonly fenced: boolean;
  /** False when a fence runs to the end of what holds it without its closing line. */
  readonly closed: boolean;
}

/** Where a document holds code, at any depth, in order. */
export function codeRanges(lines: readonly string[]): CodeRange[] {
  const text = lines.join("\n");
  const found: CodeRange[] = [];
  // No recursion: quotes nested by the thousand would exhaust the stack.
  const waiting: Nodes[] = [fromMarkdown(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "code" && node.position !== undefined) {
      const { start, end } = node.position;
      const mark = /^(?:`{3,}|~{3,})/.exec(text.slice(start.offset))?.[0];
      const to = end.line - 1;
      const closed = to > start.line - 1 && mark !== undefined && closes(lines[to] ?? "", mark);
      found.push({ from: start.line - 1, to, fenced: mark !== undefined, closed });
    }
    if ("children" in node) for (const child of node.children) waiting.push(child);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** The mark of a line that opens a fence, and what stands behind it. */
export function fenceOpening(line: string): { mark: string; info: string } | undefined {
  const [, mark, info = ""] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, info: info.trim() };
}

/** Whether a line, in a list or quote or not, closes a fence opened by `mark`. */
export function closes(line: string, mark: string): boolean {
  const bare = line.replace(/^[\s>]*/, "").trimEnd();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}
