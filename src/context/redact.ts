/** Stands where a credential was. */
const REDACTED = "[secret removed]";

/** Shorter values are left alone: they would be found in ordinary text. */
const MIN_SECRET_CHARS = 8;
/** So short a value is told from ordinary text when it is neither a word nor a number. */
const MIN_ODD_SECRET_CHARS = 6;

function isTold(secret: string): boolean {
  const isOdd = /\p{L}/u.test(secret) && /[^\p{L}]/u.test(secret);
  return secret.length >= (isOdd ? MIN_ODD_SECRET_CHARS : MIN_SECRET_CHARS);
}

/**
 * A function that takes known credential values out of a text: as they are, URI-encoded, and in base64 wherever
 * in the encoded text they stand. Values under 8 characters are not looked for, under 6 when they
 * mix letters with other characters; longer ones go first.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter(isTold).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
}

/** Shapes of keys and tokens that services give out; each is long and random enough to be nothing else. */
const TOKEN_SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\b(?:gh[opsur]_|github_pat_|glpat-|npm_|hf_)[A-Za-z0-9_-]{20,}/g,
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /(?<=\bBearer\s)[A-Za-z0-9._~+/-]{16,}=*/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // `NAME_TOKEN=value` in front of a command, or exported.
  /(?<=\b[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS(?:WORD|WD)?|PWD)=["']?)[^\s"'`;&|$]{6,}/g,
  /(?<=:\/\/[^\s:@/]{1,64}:)[^\s@/]{4,}(?=@)/g,
];

/** Takes out what has the shape of a key or token, known or not; for documents that outlive the run. */
export function redactShapes(text: string): string {
  return TOKEN_SHAPES.reduce((rest, shape) => rest.replace(shape, REDACTED), text);
}

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

function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => base64At(secret, offset));
  const encoded = [
    encodeURIComponent(Buffer.from(secret).toString()),
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [secret, ...encoded.filter((form) => form.length >= MIN_SECRET_CHARS)];
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
