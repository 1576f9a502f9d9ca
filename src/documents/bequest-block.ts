import { codeRanges } from "./code-ranges.ts";

/** A line with a marker; of several blocks each has a number of its own, and the first has none. */
const MARKER = /^[ \t]*<!-- flower:bequest(?: (\d{1,6}))? (begin|end) -->[ \t]*$/;

/** A marker in its place. */
interface Marker {
  number: number;
  edge: "begin" | "end";
  /** Line, 0-based. */
  at: number;
}

/**
 * Puts a body between flower's own markers: in place of the block that is there, else behind the text. All other
 * characters stay as they are, and the block takes over the text's line ends. Markers that do not belong together are
 * left alone, and the block gets the next number behind the text: the run after this one finds it by that.
 * @param text any encoding that holds ASCII; only ASCII is looked for.
 * @param body lines apart by `\n`; without markers in it.
 */
export function putBlock(text: string, body: string): string {
  const mark = BYTE_ORDER_MARK.exec(text)?.[0] ?? "";
  return mark + putBehindMark(text.slice(mark.length), body);
}

/** As a character, or as bytes that are read one by one. */
const BYTE_ORDER_MARK = /^(?:\ufeff|\u00ef\u00bb\u00bf)/;

function putBehindMark(text: string, body: string): string {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const lines = text.split(/\r\n|\n|\r/);
  const markers = markersOf(lines);
  const number = Math.max(1, ...markers.map((marker) => marker.number));
  const own = markers.filter((marker) => marker.number === number);
  const [begin, end] = own;
  if (own.length === 2 && begin?.edge === "begin" && end?.edge === "end") {
    const from = offsetOf(text, begin.at);
    const to = offsetOf(text, end.at) + (lines[end.at] ?? "").length;
    return text.slice(0, from) + block(body, number, eol) + text.slice(to);
  }
  const gap = text === "" ? "" : /[\n\r]$/.test(text) ? eol : eol + eol;
  return `${text}${gap}${block(body, own.length === 0 ? number : number + 1, eol)}${eol}`;
}

function block(body: string, number: number, eol: string): string {
  const marker = (edge: Marker["edge"]): string =>
    `<!-- flower:bequest${number === 1 ? "" : ` ${number}`} ${edge} -->`;
  return [marker("begin"), ...body.split("\n"), marker("end")].join(eol);
}

/** Markers that a text shows as an example, between fences, are none. A fence that is left open hides nothing. */
function markersOf(lines: readonly string[]): Marker[] {
  const found = lines.flatMap((line, at): Marker[] => {
    const [, number = "1", edge] = MARKER.exec(line) ?? [];
    return edge === "begin" || edge === "end" ? [{ number: Number(number), edge, at }] : [];
  });
  if (found.length === 0) return found;
  const shown = codeRanges(lines).filter(({ fenced, closed }) => fenced && closed);
  return found.filter(({ at }) => !shown.some(({ from, to }) => from <= at && at <= to));
}

/** Where a line begins. */
function offsetOf(text: string, line: number): number {
  const ends = text.matchAll(/\r\n|\n|\r/g);
  let offset = 0;
  for (let passed = 0; passed < line; passed += 1) {
    const { value: end } = ends.next();
    offset = end === undefined ? text.length : end.index + end[0].length;
  }
  return offset;
}
