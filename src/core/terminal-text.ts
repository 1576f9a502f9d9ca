/*
 * Control characters are this file's subject. A string that a sequence begins (a title, a device's data) and does not
 * end costs its own line: what stands in the lines below is for a person to see.
 */
const ESCAPE_SEQUENCE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b\n]*(?:\u001b\\)?|[ -/]*[0-~])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const BIDI_OVERRIDE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One of the things that `stripControl` drops, carriage returns among them; without groups of its own. */
export const DROPPED = new RegExp(
  [ESCAPE_SEQUENCE, CONTROL, BIDI_OVERRIDE].map(({ source }) => source).join("|"),
);

/**
 * Text of a model or a tool made safe for a terminal: escape sequences, control characters (all but tab and
 * newline) and bidirectional overrides are dropped, so output can neither move the cursor nor disguise itself.
 */
export function stripControl(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(CONTROL, "")
    .replace(BIDI_OVERRIDE, "");
}

/** Such a text in one line of at most so many characters; "…" stands for the rest. Of a megabyte only the beginning is looked at. */
export function oneLine(text: string, maxChars: number): string {
  const flat = stripControl(text.slice(0, 8 * maxChars))
    .replace(/\s+/g, " ")
    .trim();
  return flat.length > maxChars ? `${flat.slice(0, maxChars - 1)}…` : flat;
}
