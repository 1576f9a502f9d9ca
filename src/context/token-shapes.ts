/**
 * What may stand in front of a token: no letter, digit or underscore, unless these are an escaped character of JSON
 * (`\nghp_…`) or of a URL.
 */
const START = String.raw`(?:^|\W|\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2})`;
/** In base64 any run of letters comes up by chance: there a token without `_` and `-` begins behind none of its characters. */
const START_OUTSIDE_BASE64 = String.raw`(?:^|[^\w+/-]|\\[bfnrt]|\\u[\da-fA-F]{4})`;
const END_OUTSIDE_BASE64 = String.raw`(?![\w+/=-])`;

/** The look behind comes after the prefix: looking at each character of a megabyte would take ten times as long. */
function shape(prefix: string, rest: string, start = START): RegExp {
  return new RegExp(`${prefix}(?<=${start}${prefix})${rest}`, "g");
}

/**
 * Shapes of keys and tokens that services give out, each of them unmistakable wherever it stands: hashes, ids, slugs
 * and base64 of images and signatures do not have it.
 */
export const TOKEN_SHAPES: readonly RegExp[] = [
  shape("sk-(?:ant|proj|svcacct|admin|or-v1)-", String.raw`(?=[\w-]{0,80}\d)[\w-]{20,}`),
  shape("sk-", String.raw`(?=[A-Za-z]*\d)[A-Za-z\d]{32,}`),
  shape("gh[opsur]_", String.raw`[A-Za-z\d]{20,}`),
  shape("github_pat_", String.raw`(?=\w*\d)\w{20,}`),
  shape("glpat-", String.raw`[\w-]{20,}`),
  shape("npm_", String.raw`[A-Za-z\d]{36}(?!\w)`),
  shape("hf_", String.raw`[A-Za-z\d]{34}(?!\w)`),
  shape("[srp]k_(?:live|test)_", String.raw`[A-Za-z\d]{16,}`),
  shape("xox[abeprs]-", String.raw`[A-Za-z\d-]{10,}`),
  shape("A(?:KI|SI)A", String.raw`[A-Z\d]{16}${END_OUTSIDE_BASE64}`, START_OUTSIDE_BASE64),
  shape("AIza", String.raw`[\w-]{35}${END_OUTSIDE_BASE64}`, START_OUTSIDE_BASE64),
  shape("eyJ", String.raw`[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+`, START_OUTSIDE_BASE64),
  shape(String.raw`SG\.`, String.raw`[\w-]{22}\.[\w-]{43}(?!\w)`),
  // The address is all that it takes to post there.
  shape(String.raw`hooks\.slack\.com\\?/services\\?/`, String.raw`[\w-]+(?:\\?/[\w-]+){2}`),
  shape(String.raw`discord(?:app)?\.com\\?/api\\?/webhooks\\?/`, String.raw`\d+\\?/[\w-]{20,}`),
  // The lines must be those of a key: code that writes or looks for the frame stays.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:\s|\\{1,8}[nr])+[A-Za-z\d+/=]{40,})+(?:(?:\s|\\{1,8}[nr])+[A-Za-z\d+/=]+(?=(?:\s|\\{1,8}[nr])*-----END))?/g,
];

/** Looser shapes: right in a document that outlives the run, too broad for what a model works on. */
export const DOCUMENT_SHAPES: readonly RegExp[] = [
  shape("sk-", String.raw`[\w-]{20,}`),
  shape("(?:github_pat_|npm_|hf_)", String.raw`[\w-]{20,}`),
  /(?<=\bBearer\s)[A-Za-z0-9._~+/-]{16,}=*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  shape(String.raw`SG\.`, String.raw`[\w-]{16,}\.[\w-]{16,}`),
  // `NAME_TOKEN=value` in front of a command, or exported.
  /(?<=\b[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS(?:WORD|WD)?|PWD)=["']?)[^\s"'`;&|$]{6,}/g,
  /(?<=:\/\/[^\s:@/]{1,64}:)[^\s@/]{4,}(?=@)/g,
];

/** A value that is one token from its beginning to its end, by its prefix. */
const WHOLE_TOKEN =
  /^(?:sk-|gh[opsur]_|github_pat_|glpat-|npm_|hf_|[srp]k_(?:live|test)_|xox[abeprs]-|AKIA|ASIA|AIza|eyJ|SG\.|https:\/\/hooks\.slack\.com\/services\/)\S{12,}$/;

/**
 * The tokens in a variable's value, whatever its name is: the whole of one that begins as tokens do, else what has an
 * unmistakable shape in it.
 */
export function tokensIn(value: string): string[] {
  if (WHOLE_TOKEN.test(value)) return [value];
  return TOKEN_SHAPES.flatMap((tokens) => value.match(tokens) ?? []);
}
