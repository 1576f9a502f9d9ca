/** Each of them takes a format; so do numbers that become text, by two variables. */
const FORMATS = /\b(?:s?printf|strftime)\b|\b(?:OFMT|CONVFMT)\b/g;
/**
 * One text alone, with no escapes but those that can be neither `%` nor a digit. Behind its bracket `printf` may go on
 * with the text, a call does not.
 */
const TEXT = String.raw`"((?:[^"\\\n]|\\[abfnrtv"\\/])*)"\s*`;
const IN_STATEMENT = new RegExp(String.raw`\s*\(?\s*${TEXT}(?:,|\)?\s*(?:[;}\n#]|$))`, "y");
const IN_CALL = new RegExp(String.raw`\s*\(\s*${TEXT}[,)]`, "y");
/* In a pattern, or today's date as it is. */
const NO_FORMAT = /\/|\s*\(\s*\)/y;
const WIDE = /%[^a-zA-Z%]*(?:\d{4}|\*)/;

/** Whether all formats of a program of awk are written out in one piece, and pad to 999 characters at most. */
export function hasNarrowFormats(program: string): boolean {
  return [...program.matchAll(FORMATS)].every(({ 0: word, index }) => {
    const written = word === "printf" ? IN_STATEMENT : IN_CALL;
    written.lastIndex = NO_FORMAT.lastIndex = index + word.length;
    const [, format] = written.exec(program) ?? [];
    if (format !== undefined) return !WIDE.test(format.replaceAll("%%", ""));
    return NO_FORMAT.test(program);
  });
}
