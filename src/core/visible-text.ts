/** Unseen characters: control, format (zero width, direction), private, unassigned; separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text as it really is, for somebody who decides by it: what cannot be seen is written out (`\u{1b}`), all but newline
 * and tab. Dropping it would hide text, for an escape sequence may hold a whole command.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
