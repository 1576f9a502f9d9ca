import {
  allow,
  asPath,
  isPattern,
  listed,
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

/** `printf`: to standard output; `-v` and `%n` would set a variable, and some shells calculate `%d`. */
export const printf: GlanceRule = (args) => {
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

/** Lines of `seq` that are no glance any more. */
const MAX_COUNT = 10_000;

/** `seq`: as far as somebody wants to look at it. */
export const seq: GlanceRule = (args) => {
  const numbers: number[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word?.kind !== "literal") return refuse("every word must be written out");
    if (/^(-[sf]|--(separator|format))$/.test(word.value)) i += 1;
    else if (/^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(word.value)) numbers.push(Number(word.value));
    else if (!/^-(w|[sf].+|-equal-width|-(separator|format)=.*)$/s.test(word.value))
      return refuse(`\`${word.source}\` is neither a plain number nor one of its options`);
  }
  const [first = 1, last = first] = numbers.length === 1 ? [1, ...numbers] : [numbers[0], numbers.at(-1)];
  const step = numbers.length === 3 ? (numbers[1] ?? 1) : 1;
  const count = (last - first) / step + 1;
  return Number.isNaN(count) || count > MAX_COUNT ? refuse(`more than ${MAX_COUNT} lines`) : allow();
};

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

/** The words behind `timeout`'s own, or what is wrong with those. */
export function behindTimeout(
  args: readonly ShellWord[],
): { readonly trouble: string } | { readonly trouble: undefined; readonly words: readonly ShellWord[] } {
  let i = 0;
  for (; args[i]?.value.startsWith("-") === true; i += 1) {
    const value = args[i]?.value ?? "";
    if (/^-[sk]$/.test(value) && /^[\w.]+$/.test(args[i + 1]?.value ?? "")) i += 1;
    else if (!TIMEOUT_FLAG.test(value)) return refuse(`option \`${value}\` is not among its harmless ones`);
  }
  return /^[\d.]+[smhd]?$/.test(args[i]?.value ?? "")
    ? { trouble: undefined, words: args.slice(i + 1) }
    : refuse("the duration must be a number");
}

/** `timeout 5 command`: a glance when the command is one, by the rule that `ruleOf` knows for it. */
export function timeout(ruleOf: (program: string) => GlanceRule | undefined): GlanceRule {
  return (args) => {
    const behind = behindTimeout(args);
    if (behind.trouble !== undefined) return behind;
    const [program, ...rest] = behind.words;
    if (program?.kind !== "literal" || program.tilde)
      return refuse("the command behind it must be written out");
    const rule = ruleOf(program.value);
    return rule?.(rest) ?? refuse(`\`${program.source}\` is not on the list of glance commands`);
  };
}

/** `unzip -l`: the list of an archive. It takes patterns for archives, and tries the name with `.zip` behind it. */
export const unzip: GlanceRule = ([option, archive, ...names]) => {
  const isPlain = archive?.kind === "literal" && !/^-|[*?[]/.test(archive.value);
  if (
    option?.value !== "-l" ||
    !isPlain ||
    names.some((name) => name.kind !== "literal" || /^-/.test(name.value))
  )
    return refuse("only `unzip -l archive [names]`");
  return {
    trouble: undefined,
    paths: [asPath(archive), asPath({ ...archive, value: `${archive.value}.zip` })],
  };
};

const PS_OUTPUT = /^-[eAfljHxaT]*o$/;
const PS_COLUMNS = /^[a-z_]+(?::\d{1,3})?=?(?:,[a-z_]+(?::\d{1,3})?=?)*$/i;
const PS_FLAGS = /^(-[eAfljHxaT]+|aux|ax|axu|auxw{1,2}|--forest|--no-headers|--sort=[-+a-z,%]+)$/;

/** `ps`: processes without their environment, which may hold credentials. */
export const ps: GlanceRule = (args) => {
  for (let i = 0; i < args.length; i += 1) {
    const value = args[i]?.value ?? "";
    if (PS_FLAGS.test(value)) continue;
    const next = args[i + 1]?.value ?? "";
    const wellFormed =
      (PS_OUTPUT.test(value) && PS_COLUMNS.test(next) && !/environ/i.test(next)) ||
      (/^-[puC]$/.test(value) && /^[\w.,-]+$/.test(next) && !next.startsWith("-"));
    if (!wellFormed) return refuse(`\`${value}\` is not among its harmless options`);
    i += 1;
  }
  return allow();
};

const TREE = listed({
  short: "a d f i h s D p C n F J X L: I: P:",
  long: "noreport gitignore dirsfirst du prune filelimit=",
});

/**
 * `tree`: -o writes, -R may run tree again with -o. The value of an option is the next word there, and further letters
 * behind it are options: one that takes a value may only be the last, but for `-L2` (2.0).
 */
export const tree: GlanceRule = (args) => {
  const bad = args.find(
    ({ value }) => /^-[a-zA-Z]*[LIP](?!$)/.test(value) && !/^-[a-zA-Z]*L\d+$/.test(value),
  );
  return bad === undefined ? TREE(args) : refuse(`write the value of \`${bad.source}\` as a word of its own`);
};

const TAIL = listed({ short: "n: c: q v z", long: "lines= bytes= quiet silent verbose", digits: true });

/** `tail`: -f, -F and --follow never end, nor does the old form, `+1f`. */
export const tail: GlanceRule = (args) => {
  const bad = args.find(({ value }) => /^\+(?!\d+$)/.test(value));
  return bad === undefined
    ? TAIL(args)
    : refuse(`\`${bad.source}\` may mean to follow: write \`./\` before a name`);
};

/** A program that may only be asked for its version, in one of these forms. */
export function versionOnly(...forms: readonly string[]): GlanceRule {
  const known = forms.map((form) => form.split(" "));
  return (args): GlanceAnswer =>
    known.some((form) => form.length === args.length && form.every((word, i) => args[i]?.value === word))
      ? allow()
      : refuse(`only \`${forms.join("`, `")}\``);
}
