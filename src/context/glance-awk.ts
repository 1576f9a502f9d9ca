import { hasNearFields } from "./glance-awk-fields.ts";
import { hasNarrowFormats } from "./glance-awk-formats.ts";
import { awkLoops } from "./glance-awk-loops.ts";
import { growth, MAX_GROWTH } from "./glance-growth.ts";
import { allow, refuse, sortWords, type GlanceRule } from "./glance-rule.ts";
import { isWide } from "./glance-widths.ts";
import type { ShellWord } from "./shell-word.ts";

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

/** Only in a string is `%` a format and no division. */
const padsFar = (args: readonly ShellWord[]): boolean =>
  args.some(({ value }) => (value.match(/"(?:[^"\\]|\\.)*"|^\w+=.*/gs) ?? []).some(isWide));

/** `awk`: a program that neither runs nor redirects anything, and surely ends. */
export const awk: GlanceRule = (args) => {
  const sorted = sortWords(args, { short: "F: v:" });
  if (sorted.trouble !== undefined) return sorted;
  const [program, ...rest] = sorted.operands;
  if (program?.kind !== "literal") return refuse("the program must be written out, in quotes");
  const text = program.value;
  if (AWK_UNSAFE.test(text.replaceAll("||", ""))) {
    return refuse("no `system`, `getline`, `ENVIRON`, `ARGV`, `|` or `@` in the program");
  }
  const loops = awkLoops(text);
  if (loops === undefined || /\bwhile\s*\(|\bfunc(?:tion)?\s+\w+\s*\(/.test(text)) {
    return refuse(
      "no `while`, no function, and `for` only as `for (i = 1; i <= NF; i++)` or `for (key in array)`, twice at most",
    );
  }
  if (padsFar(args) || !hasNarrowFormats(text))
    return refuse(
      "formats of `printf` only as one text that is written out, of at most 999 characters a field",
    );
  const assigned = args.flatMap(({ value }) => /^(?:-v)?([A-Za-z_]\w*)=/.exec(value)?.[1] ?? []);
  if (
    assigned.some((name) => /^(?:OFMT|CONVFMT)$/.test(name)) ||
    !hasNearFields(text, loops.counters, assigned)
  )
    return refuse(
      "fields only as `$3`, `$NF`, `$(NF - 1)`, or `$i` with `i` from the head of a `for (i = …)`",
    );
  if (!mayGrow(text, loops.count > 0))
    return refuse("no text that is made of itself, over and over, in the program");
  return mayRedirect(text) ? refuse("no `>` behind a `print` in the program") : allow(rest);
};

/** Replacing in the text is known in this form: what and by what must be written out. */
const SUBSTITUTION =
  /\b(g?)sub\s*\(\s*(?:\/((?:[^/\\\n]|\\.)*)\/|"((?:[^"\\]|\\.)*)")\s*,\s*"((?:[^"\\]|\\.)*)"\s*(?:,\s*([^(),;]*?)\s*)?\)/g;

/** `name = text` up to the end of the statement. */
const ASSIGNMENT =
  /(\$\s*\w+|\$\s*\([^)]*\)|\b[A-Za-z_]\w*(?:\[[^\]]*\])?)\s*=(?![=~])((?:"(?:[^"\\\n]|\\.)*"|[^;\n}"])*)/g;

/* A record of many fields, all of them empty; or one of which nobody knows how many. */
const MANY_FIELDS = /\bNF\s*(?:[+*^%/]=|=(?![=])(?!\s*(?:NF|(?:NF\s*-\s*)?\d{1,3})\s*(?:[;}\n]|$)))/;

/** Whether no text can double at each record or in each turn of a loop. */
function mayGrow(text: string, inLoops: boolean): boolean {
  if (/\bgensub\b/.test(text) || MANY_FIELDS.test(text)) return false;
  const substitutions = [...text.matchAll(SUBSTITUTION)];
  if (substitutions.length !== (text.match(/\bg?sub\s*\(/g) ?? []).length) return false;
  let lengthening = 1;
  for (const [, everywhere, regex, string, replacement = "", target = "$0"] of substitutions) {
    const pattern = regex ?? string ?? "";
    const factor = growth({ pattern, replacement, everywhere: everywhere === "g" });
    // A field is read anew with each record, a variable stays.
    if (factor > 1 && (inLoops || !target.startsWith("$"))) return false;
    lengthening *= factor;
  }
  return lengthening <= MAX_GROWTH && !joinsItself(text);
}

/** What comes of these is a number. */
const NUMBERS = /\b(?:length|index|int|split|match|systime|rand|sqrt|log|exp|sin|cos|atan2)\s*\([^()]*\)/g;
const COMPARED = /(?:\$\w+|\b[A-Za-z_]\w*(?:\[[^\]]*\])?)\s*(?:==|!=|<=?|>=?|!?~|\?)/g;
/** Two values with nothing but a space between them, or a call that puts values together. */
const JOINED = /[\w")]\s+["$\w(]|"\s*["$\w(]|[\w)]["$]|\)\s*[\w(]|\bsprintf\b/;

/**
 * Whether a text is put together of two that are made in the program: over and over, that doubles. Looked at with texts
 * as they are, and without them and all indices: what looks like a text may be a part of an expression, and the other
 * way round.
 */
function joinsItself(program: string): boolean {
  const bare = program.replace(TEXT, '"').replace(INDEX, "").replace(INDEX, "");
  return [program, bare].some((text) => {
    const assignments = Array.from(text.matchAll(ASSIGNMENT), ([, name = "", value = ""]) => ({
      name,
      value,
    }));
    const names = new Set(assignments.map(({ name }) => nameOf(name)));
    return assignments.some(({ value }) => {
      const parts = value.replace(TEXT, '"').replace(NUMBERS, "0").replace(COMPARED, "").replace(INDEX, "");
      const made = (parts.match(/\$\s*\w*|\b[A-Za-z_]\w*/g) ?? []).filter((word) => names.has(nameOf(word)));
      return made.length > 1 && JOINED.test(parts);
    });
  });
}

const TEXT = /"(?:[^"\\]|\\.)*"/g;
const INDEX = /\[[^[\]]*\]/g;

/** All fields count as one, and all elements of an array. */
const nameOf = (word: string): string => (word.startsWith("$") ? "$" : word.replace(/\[[^]*$/, ""));
