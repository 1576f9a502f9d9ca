import { allow, isWide, refuse, sortWords, type GlanceRule } from "./glance-rule.ts";
import type { ShellWord } from "./shell-word.ts";

const SED_FLAGS = {
  short: "n E r s u z e:",
  long: "quiet silent regexp-extended expression= separate unbuffered null-data",
};

/** `sed`: printing, deleting, substituting, quitting; never in place, no `w`, `e`, `r`. */
export const sed: GlanceRule = (args) => {
  const sorted = sortWords(args, SED_FLAGS);
  if (sorted.trouble !== undefined) return sorted;
  const { options, operands } = sorted;
  if (options.has("-e") || options.has("--expression")) {
    const count = args.filter((word) => /^(-[a-zA-Z]*e|--expression)/.test(word.value)).length;
    if (count > 1) return refuse("one script at a time");
  }
  const given = options.get("-e") ?? options.get("--expression");
  const [first, ...rest] = operands;
  const script = given ?? (first?.kind === "literal" ? first.value : undefined);
  if (script === undefined || !isPlainSedScript(script)) {
    return refuse("only scripts of `p`, `d`, `=`, `l`, `q` and `s` without `e` or `w`, split by `;`");
  }
  return allow(given === undefined ? rest : operands);
};

/*
 * A class must not hold the delimiter: GNU sed ends the expression there, BSD sed does not. There must be one way alone
 * to read a script, or the time to refuse it doubles with every part of it.
 */
const REGEX_BODY = String.raw`(?:\[(?:\^[^/\n\\]|[^^/\n\\])[^\]/\n\\]*\]|\\[^\n]|[^/\\\n[])*`;
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/${REGEX_BODY}/I?|[+~]\d+)`;
const SUBSTITUTE = ["/", "|", "#", ",", "@", ":"]
  .map((mark) => {
    const delimiter = mark === "|" ? String.raw`\|` : mark;
    const body = REGEX_BODY.replaceAll("/", delimiter);
    const replacement = String.raw`(?:\\[^\n]|[^${mark}\\\n])*`;
    return `s${delimiter}${body}${delimiter}${replacement}${delimiter}[gpiI0-9]*`;
  })
  .join("|");
const SPACE = String.raw`[ \t]*`;
const WHERE = `(?:${ADDRESS}${SPACE}(?:,${SPACE}${ADDRESS}${SPACE})?)?(?:!${SPACE})?`;
const SED_STEP = `${SPACE}${WHERE}(?:[pdlPD=]|[qQ](?:${SPACE}\\d+)?|${SUBSTITUTE})${SPACE}`;
const SED_BLOCK = `${SPACE}${WHERE}\\{(?:${SED_STEP})(?:[;\\n](?:${SED_STEP})?)*\\}${SPACE}`;
const SED_SCRIPT = new RegExp(
  `^(?:${SED_STEP}|${SED_BLOCK})(?:[;\\n](?:${SED_STEP}|${SED_BLOCK}|${SPACE}))*$`,
);

/** Long scripts are no glance. */
const SED_MAX_CHARS = 500;

function isPlainSedScript(script: string): boolean {
  return script.length <= SED_MAX_CHARS && SED_SCRIPT.test(script);
}

/* `@` loads and includes in gawk; ENVIRON would show credentials; ARGV would read files that no word names. */
const AWK_UNSAFE = /system|getline|close|ENVIRON|ARGV|SYMTAB|[|@`]/;

/** What stands in brackets, where a string, an expression or a comment cannot be what holds one of the two. */
const IN_BRACKETS = /\([^()"/#\n\\]*\)/g;
/** Brackets in brackets that are looked into. */
const MAX_NESTED = 4;

/**
 * Only what is printed can be redirected; elsewhere, and in brackets, `>` compares. The word could be cut in two by a
 * continued line.
 */
function mayRedirect(written: string): boolean {
  let program = written;
  for (let i = 0; i < MAX_NESTED; i += 1) program = program.replace(IN_BRACKETS, "0");
  const printed = program.indexOf("print");
  return (printed !== -1 && program.indexOf(">", printed) !== -1) || program.includes("\\\n");
}

/** Loops that may have no end, and formats that pad without one. */
const AWK_ENDLESS = /\b(while|do)\b|\bfor\s*\([^;)]*;\s*;/;

/** Only in a string is `%` a format and no division. */
const padsFar = (args: readonly ShellWord[]): boolean =>
  args.some(({ value }) => (value.match(/"(?:[^"\\]|\\.)*"|^\w+=.*/gs) ?? []).some(isWide));

/** `awk`: a program that neither runs nor redirects anything. */
export const awk: GlanceRule = (args) => {
  const sorted = sortWords(args, { short: "F: v:" });
  if (sorted.trouble !== undefined) return sorted;
  const [program, ...rest] = sorted.operands;
  if (program?.kind !== "literal") return refuse("the program must be written out, in quotes");
  if (AWK_UNSAFE.test(program.value.replaceAll("||", ""))) {
    return refuse("no `system`, `getline`, `ENVIRON`, `ARGV`, `|` or `@` in the program");
  }
  if (AWK_ENDLESS.test(program.value) || padsFar(args)) {
    return refuse("no `while`, `do`, `for` without a condition, or wide format in the program");
  }
  return mayRedirect(program.value) ? refuse("no `>` behind a `print` in the program") : allow(rest);
};

const JQ = {
  short: "r c e s S n a j C M R",
  long:
    "raw-output compact-output exit-status slurp sort-keys null-input ascii-output join-output color-output " +
    "monochrome-output raw-input tab indent=",
};

/* Between `$` and a name jq 1.6 lets blanks and comments stand. Behind a single dot a word names a field. */
const JQ_UNSAFE = /^[^$]*\$[^]*\bENV\b|(?<!(?<!\.)\.)\b(env|import|include)\b/;

/** Filters that go on without end, or as good as. */
const JQ_ENDLESS = /(?<!(?<!\.)\.)\b(repeat|until|while|infinite)\b|\brange\s*\([^)]*(\d{6}|\d[eE])/;

/** `jq`: a filter that does not look at the environment. */
export const jq: GlanceRule = (args) => {
  const sorted = sortWords(args, JQ);
  if (sorted.trouble !== undefined) return sorted;
  const [filter, ...rest] = sorted.operands;
  if (filter?.kind !== "literal") return refuse("the filter must be written out, in quotes");
  if (JQ_UNSAFE.test(filter.value))
    return refuse(
      "no `env`, `$ENV`, `import` or `include` in the filter, but as the name of a field (`.env`)",
    );
  if (JQ_ENDLESS.test(filter.value))
    return refuse("no `repeat`, `until`, `while` or long `range` in the filter");
  return allow(rest);
};
