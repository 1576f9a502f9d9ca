import { saysNone } from "./wording.ts";

const ITEM = /^(\s*)(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

/**
 * One entry per list item, on one line each: lines that begin no item, and items of a deeper level, belong to the
 * one before. Text without any list marks is one entry a line; a line that only introduces the list, and entries
 * that say "none", are dropped.
 */
export function listItems(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const marked = lines.map((line) => ITEM.exec(line));
  const first = marked.findIndex((mark) => mark !== null);
  const depth = marked[first]?.[1]?.length ?? 0;
  const items: string[] = [];
  lines.forEach((line, at) => {
    const mark = marked[at];
    const last = items.length - 1;
    if (first === -1 || last < 0 || (mark != null && (mark[1]?.length ?? 0) <= depth + 1)) {
      const introduces = at < first && /[:\uff1a]\s*$/.test(line);
      if (!introduces) items.push(line.replace(ITEM, "").trim());
    } else items[last] = `${items[last] ?? ""} ${line.trim()}`;
  });
  return items.filter((item) => item !== "" && !saysNone(item));
}
