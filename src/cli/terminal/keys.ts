import type { Key } from "ink";
import { stripControl } from "../../core/terminal-text.ts";
import type { EditKey } from "./edit.ts";

/** What a person did at the keyboard. */
export type Pressed = EditKey | { readonly do: "enter" | "interrupt" | "endOfInput" };

/** How a terminal marks what is pasted (Ink takes the escape away). */
const PASTE_BEGINS = "[200~";
const PASTE_ENDS = "[201~";
/** The beginning of a mark that two reads have cut in two. */
const HALF_MARK = /\[(?:2(?:0[01]?)?)?$/;

/**
 * Reads what Ink hands out: one key, or all text that came at once. Between the marks of a paste a line end is text;
 * elsewhere it is Enter, also in the middle of text, because a script or a fast typist sends both at once.
 */
export function keyReader(): (input: string, key: Key) => Pressed[] {
  let pasting = false;
  let held = "";
  return (came, key) => {
    // Never text: who pastes by mistake must get out.
    if (key.ctrl && came === "c") {
      pasting = false;
      held = "";
      return [{ do: "interrupt" }];
    }
    let input = held + (pasting && key.return ? "\n" : pasting && key.tab ? "\t" : came);
    held = "";
    const mark = pasting ? PASTE_ENDS : PASTE_BEGINS;
    const place = input.indexOf(mark);
    if (place >= 0) {
      const [before, after] = [input.slice(0, place), input.slice(place + mark.length)];
      pasting = !pasting;
      return [...insert(before), ...insert(after)];
    }
    if (pasting || input.length > 1) {
      held = HALF_MARK.exec(input)?.[0] ?? "";
      // A bracket alone is a bracket.
      if (held === "[" && !pasting) held = "";
      input = input.slice(0, input.length - held.length);
    }
    if (pasting) return insert(input);
    if (input === "" && held !== "") return [];
    return named(input, key) ?? input.split(/(\r\n?|[\u0001-\u0008\u000a-\u001a\u007f])/).flatMap(typed);
  };
}

/** A piece of text that came at once: Enter, a control key, or letters. */
function typed(piece: string): Pressed[] {
  if (/^[\r\n]/.test(piece)) return [{ do: "enter" }];
  if (piece === "\u0008" || piece === "\u007f") return [{ do: "erase", to: "left" }];
  if (/^[\u0001-\u001a]$/.test(piece)) return CONTROL[String.fromCharCode(piece.charCodeAt(0) + 96)] ?? [];
  return insert(piece);
}

function insert(text: string): Pressed[] {
  const clean = stripControl(text);
  return clean === "" ? [] : [{ do: "insert", text: clean }];
}

/** Keys that are no text; undefined for text. Ctrl with a letter as the shells have it. */
function named(input: string, key: Key): Pressed[] | undefined {
  // Alt with Enter begins a new line in the message.
  if (key.return) return key.meta ? [{ do: "insert", text: "\n" }] : [{ do: "enter" }];
  const sideways = key.ctrl || key.meta;
  if (key.leftArrow) return [{ do: "move", to: sideways ? "wordLeft" : "left" }];
  if (key.rightArrow) return [{ do: "move", to: sideways ? "wordRight" : "right" }];
  if (key.upArrow) return [{ do: "history", by: 1 }];
  if (key.downArrow) return [{ do: "history", by: -1 }];
  if (key.home) return [{ do: "move", to: "start" }];
  if (key.end) return [{ do: "move", to: "end" }];
  // Terminals send 0x7f for Backspace, which Ink calls delete (6.8).
  if (key.backspace || key.delete) return [{ do: "erase", to: "left" }];
  if (key.ctrl) return CONTROL[input] ?? [];
  if (key.escape || key.tab || key.pageUp || key.pageDown) return [];
  if (key.meta) return META[input] ?? [];
  return undefined;
}

const CONTROL: Readonly<Record<string, Pressed[]>> = {
  a: [{ do: "move", to: "start" }],
  e: [{ do: "move", to: "end" }],
  b: [{ do: "move", to: "left" }],
  f: [{ do: "move", to: "right" }],
  p: [{ do: "history", by: 1 }],
  n: [{ do: "history", by: -1 }],
  u: [{ do: "erase", to: "start" }],
  k: [{ do: "erase", to: "end" }],
  w: [{ do: "erase", to: "wordLeft" }],
  c: [{ do: "interrupt" }],
  d: [{ do: "endOfInput" }],
};

const META: Readonly<Record<string, Pressed[]>> = {
  b: [{ do: "move", to: "wordLeft" }],
  f: [{ do: "move", to: "wordRight" }],
};
