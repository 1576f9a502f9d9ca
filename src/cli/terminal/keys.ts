import { stripControl } from "../../core/terminal-text.ts";
import type { EditKey } from "./edit.ts";

/** What a person did at the keyboard. */
export type Pressed = EditKey | { readonly do: "enter" | "interrupt" | "endOfInput" };

/** Makes keys of what a terminal sends, piece by piece. */
export interface KeyReader {
  read(came: string): Pressed[];
  /** Nothing followed for a while: what looked like the beginning of a key was Escape, which does nothing. */
  rest(): void;
  /** The end of a paste has not come yet. */
  readonly pasting: boolean;
}

/** How a terminal marks what is pasted. */
const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";
/** The sequence of a key, Alt with a key, or text; Alt may be a second escape in front. */
const PIECE = /\u001b\u001b?(?:\[\[?[0-?]*[ -/]*[@-~]|O[ -~])|\u001b[^\u001b]?|[^\u001b]+/gu;
/** What may go on in the next read; in a paste also a line end of two characters. */
const HALF_KEY = /\u001b\u001b?(?:\[\[?[0-?]*[ -/]*|O)?$/;
const HALF_OF_PASTE = /(?:\r|\u001b(?:\[(?:2(?:0(?:1)?)?)?)?)$/;

/**
 * Reads raw input: keys, and all text that came at once. Between the marks of a paste a line end is text; elsewhere it
 * is Enter, also in the middle of text, because a script or a fast typist sends both at once.
 */
export function keyReader(): KeyReader {
  let pasting = false;
  let held = "";
  /** Splits off what the next read may complete. */
  const whole = (text: string, half: RegExp): string => {
    held = half.exec(text)?.[0] ?? "";
    return text.slice(0, text.length - held.length);
  };
  return {
    read(came) {
      // Never text when it comes alone: who pastes by mistake must get out.
      if (pasting && came === "\u0003") {
        pasting = false;
        held = "";
        return [{ do: "interrupt" }];
      }
      const pressed: Pressed[] = [];
      let text = held + came;
      held = "";
      for (;;) {
        const mark = pasting ? PASTE_ENDS : PASTE_BEGINS;
        const place = text.indexOf(mark);
        const before = place < 0 ? whole(text, pasting ? HALF_OF_PASTE : HALF_KEY) : text.slice(0, place);
        pressed.push(...(pasting ? insert(before) : keysIn(before)));
        if (place < 0) return pressed;
        pasting = !pasting;
        text = text.slice(place + mark.length);
      }
    },
    rest() {
      if (!pasting) held = "";
    },
    get pasting() {
      return pasting;
    },
  };
}

function keysIn(text: string): Pressed[] {
  // The Tab key does nothing; a tab among text is text.
  if (text === "\t") return [];
  return (text.match(PIECE) ?? []).flatMap((piece) =>
    piece.startsWith("\u001b")
      ? named(piece)
      : piece.split(/(\r\n?|[\u0001-\u0008\u000a-\u001a\u007f])/).flatMap(typed),
  );
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

/** A key that sends an escape sequence (xterm, VT220, rxvt, Linux console); one that is not known does nothing. */
function named(sequence: string): Pressed[] {
  const alone = /^\u001b([^[O]|[[O]$)/u.exec(sequence)?.[1];
  if (alone !== undefined && alone !== "\u001b") return ALT[alone] ?? [];
  const parts = /^(\u001b+)[O[](\d*)(?:;(\d+))?([~A-Za-z^@])$/.exec(sequence);
  const [, escapes = "", code = "", modifiers = "1", final = ""] = parts ?? [];
  // Bits behind the 1: shift, alt, ctrl. rxvt says ctrl by the last character.
  const isSideways = escapes.length > 1 || ((Number(modifiers) - 1) & 6) !== 0 || /[\^@cd]/.test(final);
  switch (/[~^@]/.test(final) ? (TILDE_KEYS[code] ?? "") : final.toUpperCase()) {
    case "A":
      return [{ do: "history", by: 1 }];
    case "B":
      return [{ do: "history", by: -1 }];
    case "C":
      return [{ do: "move", to: isSideways ? "wordRight" : "right" }];
    case "D":
      return [{ do: "move", to: isSideways ? "wordLeft" : "left" }];
    case "H":
      return [{ do: "move", to: "start" }];
    case "F":
      return [{ do: "move", to: "end" }];
    case "delete":
      return [{ do: "erase", to: "right" }];
    default:
      return [];
  }
}

/** Keys by number, those of letters by theirs. */
const TILDE_KEYS: Readonly<Record<string, string>> = {
  ...{ "1": "H", "7": "H", "4": "F", "8": "F" },
  "3": "delete",
};

/** Ctrl with a letter, as the shells have it. */
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

/** Alt with a key. */
const ALT: Readonly<Record<string, Pressed[]>> = {
  b: [{ do: "move", to: "wordLeft" }],
  f: [{ do: "move", to: "wordRight" }],
  "\r": [{ do: "insert", text: "\n" }],
  "\n": [{ do: "insert", text: "\n" }],
  "\u007f": [{ do: "erase", to: "wordLeft" }],
  "\u0008": [{ do: "erase", to: "wordLeft" }],
};
