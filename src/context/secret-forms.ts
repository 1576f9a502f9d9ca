/** Shorter values are left alone: they would be found in ordinary text. */
const MIN_SECRET_CHARS = 8;
/** So short a value is told from ordinary text when it is neither a word nor a number. */
const MIN_ODD_SECRET_CHARS = 6;
/** A line of a longer value is looked for by itself from here on, when it is no ordinary word. */
const MIN_LINE_CHARS = 16;
/** So long a line is no word, whatever it is made of. */
const MIN_LETTERS_LINE_CHARS = 40;

/**
 * How a credential's value may stand in a text: as it is, URI-encoded, in base64 wherever in the encoded text, escaped
 * as in JSON and in JSON within JSON; of a value of several lines also each line by itself, as programs put numbers and
 * margins in front of them. None for a value that is too short to be told from ordinary text.
 */
export function formsOf(secret: string): string[] {
  if (!isTold(secret)) return [];
  // `.env` files keep line ends as `\n`, and the programs that read them put real ones there.
  const lined = secret.replace(/\r\n?|\\r\\n|\\n/g, "\n");
  const lines = lined.includes("\n") ? lined.split(/\s+/).map(bare).filter(isTelling) : [];
  const inBase64 = [0, 1, 2].map((offset) => base64At(secret, offset));
  const encoded = [
    encodeURIComponent(Buffer.from(secret).toString()),
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [
    ...new Set([
      ...[secret, lined, ...lines].flatMap(escapedForms),
      ...encoded.filter((form) => form.length >= MIN_SECRET_CHARS),
    ]),
  ];
}

function isTold(secret: string): boolean {
  const isOdd = /\p{L}/u.test(secret) && /[^\p{L}]/u.test(secret);
  return secret.length >= (isOdd ? MIN_ODD_SECRET_CHARS : MIN_SECRET_CHARS);
}

/** Without what surrounds it in JSON or YAML. */
const bare = (word: string): string => word.replace(/^["',:;[\]{}]+|["',:;[\]{}]+$/g, "");

/** Frames of a key (`-----BEGIN`), prose and public addresses tell nothing, and stand in other texts as well. */
function isTelling(word: string): boolean {
  if (word.length < MIN_LINE_CHARS || word.includes("://") || word.startsWith("-----")) return false;
  return /\p{L}/u.test(word) && (/\d/.test(word) || word.length >= MIN_LETTERS_LINE_CHARS);
}

function escapedForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  return [value, once, JSON.stringify(once).slice(1, -1)];
}

/**
 * The characters of base64 that depend on the secret alone when `offset` bytes (modulo 3) stand in front of it:
 * `Basic base64(user:secret)` shows the secret just as well as the secret itself does.
 */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), whole);
}
