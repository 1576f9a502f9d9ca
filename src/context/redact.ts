import { DROPPED } from "../core/terminal-text.ts";
import { formsOf } from "./secret-forms.ts";
import { DOCUMENT_SHAPES, TOKEN_SHAPES } from "./token-shapes.ts";

/** Stands where a credential was. */
const REDACTED = "[secret removed]";

/** What is taken out: a text as it is, or all that an expression (global) finds. */
type Pattern = string | RegExp;

/**
 * A function that takes credentials out of a text: the known values in each of their forms (see `formsOf`), longer
 * ones first, and whatever has the unmistakable shape of a token, also where control sequences (colours) run through it.
 * Values under 8 characters are not looked for, under 6 when they mix letters with other characters.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return removing([...forms, ...TOKEN_SHAPES]);
}

/** Takes out what has the shape of a key or token, known or not; for documents that outlive the run. */
export const redactShapes: (text: string) => string = removing([...TOKEN_SHAPES, ...DOCUMENT_SHAPES]);

/**
 * Applies `redact` to every string of a JSON value.
 * @returns the very same value when nothing changed, so that a caller can tell without comparing.
 */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  return redactUnknown(value, redact) as T;
}

function redactUnknown(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactUnknown(item, redact));
    return items.some((item, i) => !Object.is(item, value[i])) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [key, redactUnknown(item, redact)] as const);
  return after.some(([, item], i) => !Object.is(item, before[i]?.[1])) ? Object.fromEntries(after) : value;
}

/** No pattern is shorter, so most ids and words are done with at once. */
const MIN_PATTERN_CHARS = 6;

function removing(patterns: readonly Pattern[]): (text: string) => string {
  return (text) => {
    if (text.length < MIN_PATTERN_CHARS) return text;
    const rest = patterns.reduce<string>((left, pattern) => left.replaceAll(pattern, REDACTED), text);
    const shown = throughControl(rest, patterns, UNSEEN);
    return WRITTEN.test(shown) ? throughControl(shown, patterns, UNSEEN_OR_WRITTEN) : shown;
  };
}

/** What a terminal's text goes without may split a credential. In one group, so that `split` keeps it. */
const UNSEEN = new RegExp(`((?:${DROPPED.source})+)`);
/** The beginning of a colour as JSON and programs write it, and in its one-character form, which few terminals know. */
const WRITTEN = /(?:\\{1,8}(?:u00|x)1[bB]\[|\u009b)[0-?]*[ -/]*[@-~]/;
const UNSEEN_OR_WRITTEN = new RegExp(`((?:${WRITTEN.source}|${DROPPED.source})+)`);
/** Stands for a character of a credential; no text without control characters has it. */
const MASK = "\0";

/** Looks in what a terminal would show. What is not seen stays, also where a credential stood around it. */
function throughControl(text: string, patterns: readonly Pattern[], unseen: RegExp): string {
  const pieces = text.split(unseen);
  if (pieces.length === 1) return text;
  const seen = pieces.filter((_, i) => i % 2 === 0).join("");
  const masked = patterns.reduce<string>(
    (left, pattern) => left.replaceAll(pattern, (found) => MASK.repeat(found.length)),
    seen,
  );
  if (masked === seen) return text;
  let at = 0;
  const shown = pieces.map((piece, i) => {
    if (i % 2 === 1) return piece;
    const from = at;
    at += piece.length;
    const goesOn = masked[from - 1] === MASK;
    return masked
      .slice(from, at)
      .replace(/\0+/g, (_, offset: number) => (goesOn && offset === 0 ? "" : REDACTED));
  });
  return shown.join("");
}
