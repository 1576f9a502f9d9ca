import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** A comment that is a marker; of several blocks each has a number of its own, and the first has none. */
const MARKER = /^ {0,3}<!-- flower:bequest(?: ([1-9]\d{0,5}))? (begin|end) -->[ \t]*$/;

/** A marker in its place. */
interface Marker {
  number: number;
  edge: "begin" | "end";
  /** Line, 0-based. */
  at: number;
}

/**
 * Puts a body between flower's own markers: in place of the block that is there, else behind the text. All other
 * characters stay as they are, and the block takes over the text's line ends. A marker is a comment of its own in the
 * document, by CommonMark: not in code, HTML, a list or a quote. Markers that do not belong together are left alone,
 * and the block gets the next free number behind the text: the run after this one finds it by that. A fence or HTML
 * that the text leaves open is closed in front of the block, which would be a part of it.
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
  const content = parse(lines);
  const markers = markersOf(content);
  const own = ownBlock(markers);
  if (own !== undefined) {
    const from = offsetOf(text, own.begin.at);
    const to = offsetOf(text, own.end.at) + (lines[own.end.at] ?? "").length;
    return text.slice(0, from) + block(body, own.begin.number, eol) + text.slice(to);
  }
  let number = 1;
  while (markers.some((marker) => marker.number === number)) number += 1;
  const gap = text === "" ? "" : /[\n\r]$/.test(text) ? eol : eol + eol;
  const closing = closingLine(lines, content);
  const closed = closing === "" ? gap : `${gap.slice(eol.length)}${closing}${eol}${eol}`;
  return `${text}${closed}${block(body, number, eol)}${eol}`;
}

function block(body: string, number: number, eol: string): string {
  return [markerLine(number, "begin"), ...body.split("\n"), markerLine(number, "end")].join(eol);
}

function markerLine(number: number, edge: Marker["edge"]): string {
  return `<!-- flower:bequest${number === 1 ? "" : ` ${number}`} ${edge} -->`;
}

/** The block that earlier runs wrote: of several the one with the highest number, as it is the newest. */
function ownBlock(markers: readonly Marker[]): { begin: Marker; end: Marker } | undefined {
  const whole = markers.flatMap((begin, at) => {
    const end = markers[at + 1];
    const isOnly = markers.filter(({ number }) => number === begin.number).length === 2;
    return isOnly && begin.edge === "begin" && end?.edge === "end" && end.number === begin.number
      ? [{ begin, end }]
      : [];
  });
  return whole.sort((a, b) => b.begin.number - a.begin.number)[0];
}

function parse(lines: readonly string[]): RootContent[] {
  return fromMarkdown(lines.join("\n")).children;
}

function markersOf(content: readonly RootContent[]): Marker[] {
  return content.flatMap((node): Marker[] => {
    if (node.type !== "html" || node.position === undefined) return [];
    const [, number = "1", edge] = MARKER.exec(node.value) ?? [];
    const at = node.position.start.line - 1;
    return edge === "begin" || edge === "end" ? [{ number: Number(number), edge, at }] : [];
  });
}

/** What ends the fence or HTML that would take in whatever is written behind the text; "" = nothing is open. */
function closingLine(lines: readonly string[], content: readonly RootContent[]): string {
  const last = content.at(-1);
  if (last?.type !== "code" && last?.type !== "html") return "";
  const firstLine = (lines[(last.position?.start.line ?? 0) - 1] ?? "").trimStart();
  const fence = /^(?:`{3,}|~{3,})/.exec(firstLine)?.[0];
  const element = /^<(pre|script|style|textarea)\b/i.exec(firstLine)?.[1];
  const endings = [
    "",
    ...(fence === undefined ? [] : [fence]),
    ...(element === undefined ? [] : [`</${element}>`]),
    // Of a declaration, a comment, an instruction and character data.
    ...[">", "-->", "?>", "]]>"],
  ];
  // What is open depends on all that stands in front: trying is surer than knowing each kind.
  return endings.find((ending) => isMarkerBehind(lines, ending)) ?? "";
}

/** Whether a marker behind the text is one by {@link markersOf}. */
function isMarkerBehind(lines: readonly string[], ending: string): boolean {
  const tried = parse([...lines, ...(ending === "" ? [] : [ending]), "", markerLine(1, "begin")]);
  return markersOf(tried.slice(-1)).length === 1;
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
