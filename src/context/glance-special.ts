import {
  allow,
  isPattern,
  refuse,
  sortWords,
  textAsPath,
  type GlanceAnswer,
  type GlanceRule,
} from "./glance-rule.ts";
import type { ShellWord } from "./shell-word.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/* Left out on purpose: -exec*, -ok*, -delete, -fprint*, -fls, -files0-from. */
const FIND_PLAIN = words(
  "! ( ) , -not -a -and -o -or -L -H -P -print -print0 -ls -prune -quit -true -false -empty -follow -xdev -mount " +
    "-depth -daystart -noleaf -executable -readable -writable -nouser -nogroup",
);
const FIND_VALUED = words(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype " +
    "-maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat " +
    "-newerct -perm -user -uid -group -gid -links -inum -samefile -printf -fstype",
);
const FIND_FILES = words("-newer -anewer -cnewer -samefile");

/** `find`: tests and printing to standard output. */
export const find: GlanceRule = (args) => {
  const paths: ShellWord[] = [];
  let starting = true;
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word === undefined) break;
    const { value } = word;
    if (starting && !/^[-!(),]/.test(value)) {
      if (word.kind !== "literal" && /^[*?[{]/.test(value)) return refuse(`write \`./${word.source}\``);
      paths.push(word);
      continue;
    }
    starting &&= ["-L", "-H", "-P"].includes(value);
    if (word.kind !== "literal") return refuse(`put \`${word.source}\` into quotes`);
    if (FIND_PLAIN.has(value)) continue;
    if (!FIND_VALUED.has(value))
      return refuse(`\`${word.source}\` is not among its harmless tests and actions`);
    i += 1;
    const operand = args[i];
    if (operand?.kind !== "literal")
      return refuse(`the value of \`${value}\` must be written out, in quotes`);
    if (FIND_FILES.has(value)) paths.push(operand);
  }
  return allow(paths);
};

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

/* A class must not hold the delimiter: GNU sed ends the expression there, BSD sed does not. */
const REGEX_BODY = String.raw`(?:\[\^?\]?[^\]/\n\\]*\]|\\[^\n]|[^/\\\n[])*`;
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
const SED_STEP = `${SPACE}${WHERE}(?:[pdlPD=]|[qQ]${SPACE}\\d*|${SUBSTITUTE})${SPACE}`;
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
/* Only what is printed can be redirected; elsewhere `>` compares. The word could be cut in two by a continued line. */
const AWK_REDIRECTS = /print[^]*>|\\\n/;

/** `awk`: a program that neither runs nor redirects anything. */
export const awk: GlanceRule = (args) => {
  const sorted = sortWords(args, { short: "F: v:" });
  if (sorted.trouble !== undefined) return sorted;
  const [program, ...rest] = sorted.operands;
  if (program?.kind !== "literal") return refuse("the program must be written out, in quotes");
  if (AWK_UNSAFE.test(program.value.replaceAll("||", ""))) {
    return refuse("no `system`, `getline`, `ENVIRON`, `ARGV`, `|` or `@` in the program");
  }
  return AWK_REDIRECTS.test(program.value) ? refuse("no `>` behind a `print` in the program") : allow(rest);
};

const JQ = {
  short: "r c e s S n a j C M R",
  long:
    "raw-output compact-output exit-status slurp sort-keys null-input ascii-output join-output color-output " +
    "monochrome-output raw-input tab indent=",
};

/* Between `$` and a name jq 1.6 lets blanks and comments stand. Behind a single dot a word names a field. */
const JQ_UNSAFE = /\$[^]*\bENV\b|(?<!(?<!\.)\.)\b(env|import|include)\b/;

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
  return allow(rest);
};

/**
 * `test` and `[`: comparisons and file tests.
 * Shells work out subscripts there, so `test -v 'a[$(x)]'` would run x.
 */
export const test: GlanceRule = (args) => {
  const bad = args.find((word) => word.kind !== "literal" || /^-[vR]$|[$`[(]/.test(word.value));
  if (bad !== undefined) return refuse(`\`${bad.source}\` can run something in a test`);
  const ofFile = (word: ShellWord | undefined): boolean => /^-[a-hkprstuwxGLNOS]$/.test(word?.value ?? "");
  const ofTwo = (word: ShellWord | undefined): boolean => /^-(nt|ot|ef)$/.test(word?.value ?? "");
  return allow(args.filter((_, i) => ofFile(args[i - 1]) || ofTwo(args[i - 1]) || ofTwo(args[i + 1])));
};

/** `[ … ]`. */
export const bracket: GlanceRule = (args) =>
  args.at(-1)?.value === "]" ? test(args.slice(0, -1)) : refuse("`]` is missing");

/** A format that pads to 10,000 characters and more. */
const WIDE = /%[-+ #'0]*(\d*\.)?\d{5}/;

/** `printf`: to standard output; `-v` and `%n` would set a variable, and some shells calculate `%d`. */
export const printf: GlanceRule = (args) => {
  if (args.some((word) => WIDE.test(word.value))) return refuse("its output would be too wide");
  const bad = args.find((word) => /^-v|%[-+ #'*.\d]*[hlLjzt]*n|\$\(|`/.test(word.value));
  return bad === undefined ? allow(args.filter(isPattern)) : refuse(`\`${bad.source}\` does more than print`);
};

/** `date`: asking and formatting; `-s` and a bare number would set the clock. */
export const date: GlanceRule = (args) => {
  const sorted = sortWords(args, {
    short: "u R d: r: I? j",
    long: "utc universal rfc-email rfc-3339= date= reference= iso-8601?",
  });
  if (sorted.trouble !== undefined) return sorted;
  const { options, operands } = sorted;
  const bad = operands.find((word) => word.kind !== "literal" || !word.value.startsWith("+"));
  if (bad !== undefined) return refuse(`\`${bad.source}\` could set the clock`);
  const files = [options.get("-r"), options.get("--reference")].flatMap((file) => file ?? []);
  return { trouble: undefined, paths: files.map(textAsPath) };
};

/** `command -v name`: where a program is; without the option it would run it. */
export const command: GlanceRule = (args) =>
  args.length > 1 && (args[0]?.value === "-v" || args[0]?.value === "-V")
    ? allow()
    : refuse("only `command -v` and `command -V`");

const TAR = { short: "t v z j J f:", long: "list verbose gzip bzip2 xz file=" };

/** `tar -t`: the list of an archive on this machine; `host:file` would start a remote shell. */
export const tar: GlanceRule = ([mode, ...rest]) => {
  if (mode === undefined) return refuse(TAR_FORM);
  // The old way, without a dash: `tar tf archive`.
  const first = /^[tvzjJ]+f?$/.test(mode.value) ? { ...mode, value: `-${mode.value}` } : mode;
  const words = [first, ...rest];
  const sorted = sortWords(words, TAR);
  if (sorted.trouble !== undefined) return sorted;
  const { options } = sorted;
  const archive = options.get("-f") ?? options.get("--file");
  const archives = words.filter(({ value }) => /^(-[a-zA-Z]*f|--file)/.test(value)).length;
  const lists = options.has("-t") || options.has("--list");
  if (!lists || archives !== 1 || archive === undefined || archive.includes(":")) return refuse(TAR_FORM);
  return sorted.operands.every(({ kind }) => kind === "literal")
    ? { trouble: undefined, paths: [textAsPath(archive)] }
    : refuse(TAR_FORM);
};

const TAR_FORM = "only `tar -tf archive [names]`";

/** Lines of `seq` and words from braces that are no glance any more. */
const MAX_COUNT = 10_000;

/** `seq`: as far as somebody wants to look at it. */
export const seq: GlanceRule = (args) => {
  const numbers: number[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word?.kind !== "literal") return refuse("every word must be written out");
    if (WIDE.test(word.value)) return refuse("its output would be too wide");
    if (/^(-[sf]|--(separator|format))$/.test(word.value)) i += 1;
    else if (/^[-+]?(\d+\.?\d*|\.\d+)$/.test(word.value)) numbers.push(Number(word.value));
    else if (!/^-(w|[sf].+|-equal-width|-(separator|format)=.*)$/s.test(word.value))
      return refuse(`\`${word.source}\` is neither a plain number nor one of its options`);
    if (WIDE.test(args[i]?.value ?? "")) return refuse("its output would be too wide");
  }
  const [first = 1, last = first] = numbers.length === 1 ? [1, ...numbers] : [numbers[0], numbers.at(-1)];
  const step = numbers.length === 3 ? (numbers[1] ?? 1) : 1;
  const count = (last - first) / step + 1;
  return Number.isNaN(count) || count > MAX_COUNT ? refuse(`more than ${MAX_COUNT} lines`) : allow();
};

/** Whether braces in a word make more words of it than anybody looks at: `{1..99999999}`. */
export function isManyWords({ value, braces }: ShellWord): boolean {
  if (!braces) return false;
  let count = 1;
  for (const [, from = "", to = ""] of value.matchAll(/\{([^{},]+?)\.\.([^{},]+?)(?:\.\.[^{},]*)?\}/g)) {
    const ends = [from, to].map((end) => (/^[-+]?\d+$/.test(end) ? Number(end) : end.charCodeAt(0)));
    count *= Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)) + 1;
  }
  return count > MAX_COUNT;
}

/** `xxd`: a dump to standard output. A second operand is the file that it writes, and `-r` turns it around. */
export const xxd: GlanceRule = (args) => {
  const operands: ShellWord[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word?.kind !== "literal") return refuse("every word must be written out");
    if (/^-[lscg]$/.test(word.value)) {
      i += 1;
      if (!/^\+?-?(0x)?[\da-fA-F]+$/.test(args[i]?.value ?? ""))
        return refuse(`\`${word.value}\` wants a number`);
    } else if (/^-([puebi]|ps|[lscg]\d+)$/.test(word.value)) continue;
    else if (word.value.startsWith("-"))
      return refuse(`option \`${word.source}\` is not among its harmless ones`);
    else operands.push(word);
  }
  return operands.length > 1 ? refuse("the second operand is the file that it writes") : allow(operands);
};

const TIMEOUT_FLAG =
  /^(-v|--verbose|--foreground|--preserve-status|-[sk][\w.]+|--(signal|kill-after)=[\w.]+)$/;

/** `timeout 5 command`: a glance when the command is one, by the rule that `ruleOf` knows for it. */
export function timeout(ruleOf: (program: string) => GlanceRule | undefined): GlanceRule {
  return (args) => {
    let i = 0;
    for (; args[i]?.value.startsWith("-") === true; i += 1) {
      const value = args[i]?.value ?? "";
      if (/^-[sk]$/.test(value) && /^[\w.]+$/.test(args[i + 1]?.value ?? "")) i += 1;
      else if (!TIMEOUT_FLAG.test(value)) return refuse(`option \`${value}\` is not among its harmless ones`);
    }
    const [duration, program, ...rest] = args.slice(i);
    if (!/^[\d.]+[smhd]?$/.test(duration?.value ?? "")) return refuse("the duration must be a number");
    if (program?.kind !== "literal" || program.tilde)
      return refuse("the command behind it must be written out");
    const rule = ruleOf(program.value);
    return rule?.(rest) ?? refuse(`\`${program.source}\` is not on the list of glance commands`);
  };
}

const PS_FLAGS = /^(-[eAfljHxaT]+|aux|ax|axu|auxw{1,2}|--forest|--no-headers|--sort=[-+a-z,%]+)$/;

/** `ps`: processes without their environment, which may hold credentials. */
export const ps: GlanceRule = (args) => {
  for (let i = 0; i < args.length; i += 1) {
    const value = args[i]?.value ?? "";
    if (PS_FLAGS.test(value)) continue;
    const next = args[i + 1]?.value ?? "";
    const wellFormed =
      (value === "-o" && /^[a-z,%=]+$/i.test(next) && !/environ/i.test(next)) ||
      (/^-[puC]$/.test(value) && /^[\w.,-]+$/.test(next) && !next.startsWith("-"));
    if (!wellFormed) return refuse(`\`${value}\` is not among its harmless options`);
    i += 1;
  }
  return allow();
};

/** A program that may only be asked for its version. */
export function versionOnly(...forms: readonly string[]): GlanceRule {
  return (args): GlanceAnswer =>
    args.length === 1 && forms.includes(args[0]?.value ?? "")
      ? allow()
      : refuse(`only \`${forms.join("`, `")}\``);
}
