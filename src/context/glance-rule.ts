import type { ShellWord } from "./shell-word.ts";

/** A word, or a part of one, that names a file or may do so. */
export interface GlancePath {
  readonly text: string;
  readonly kind: ShellWord["kind"];
  /** A leading `~` stands for a home directory. */
  readonly tilde: boolean;
}

/** What a rule says of one simple command: what is wrong with it, or which of its words may name files. */
export type GlanceAnswer =
  { readonly trouble: string } | { readonly trouble: undefined; readonly paths: readonly GlancePath[] };

/** Judges the words behind a program's name. */
export type GlanceRule = (args: readonly ShellWord[]) => GlanceAnswer;

/** Options of a program, those that are known to be harmless. */
export interface HarmlessOptions {
  /** Letters as for getopt: `n` a flag, `k:` with a value, `M?` with a value only when attached. Default: none. */
  readonly short?: string;
  /**
   * Names split by spaces: `reverse` a flag, `key=` with a value, `color?` with a value only after `=`, `arg==` with two
   * values.
   */
  readonly long?: string;
  /** `-10` counts as an option. */
  readonly digits?: boolean;
}

/** An option as `-n` or `--name`, and its value. */
export type GivenOption = readonly [name: string, value: string | undefined];

/** Words of a command sorted into options and operands. */
export interface SortedWords {
  readonly trouble: undefined;
  /** Options as `-n` or `--name`, with their values. */
  readonly options: ReadonlyMap<string, string | undefined>;
  /** All options in their order, also those that are there more than once. */
  readonly given: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
}

/** An answer that refuses. */
export const refuse = (trouble: string): { readonly trouble: string } => ({ trouble });

export const TOO_WIDE = "its output would be too wide: at most 999 characters a field";

/** A rule that always refuses: for programs whose refusal can say what to do instead. */
export const never =
  (trouble: string): GlanceRule =>
  () =>
    refuse(trouble);

/** An answer that allows; `words` are those that may name files. */
export const allow = (words: readonly ShellWord[] = []): GlanceAnswer => ({
  trouble: undefined,
  paths: words.map(asPath),
});

/** The whole word as a path. */
export const asPath = ({ value, kind, tilde }: ShellWord): GlancePath => ({ text: value, kind, tilde });

/** A part of a word as a path: tilde and quotes are no matter there. */
export const textAsPath = (text: string): GlancePath => ({ text, kind: "literal", tilde: false });

/**
 * Sorts words by a list of harmless options. Names count only when they are exact, so an abbreviated long option
 * is refused. Every word that begins with a dash, but numbers, is judged as an option, also where a value is
 * expected: should this list be wrong about which options take values, nothing slips through as one.
 */
export function sortWords(
  args: readonly ShellWord[],
  options: HarmlessOptions,
): SortedWords | { readonly trouble: string } {
  const short = readShort(options.short ?? "");
  const long = readLong(options.long ?? "");
  const given: GivenOption[] = [];
  const operands: ShellWord[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word === undefined) break;
    if (word.value === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (mayExpandToOption(word))
      return refuse(`\`${word.source}\` may expand to an option: write \`./\` first`);
    if (word.value === "-" || !word.value.startsWith("-")) {
      operands.push(word);
      continue;
    }
    if (word.kind !== "literal") return refuse(`option \`${word.source}\` is not written out`);
    if (options.digits === true && /^-\d+$/.test(word.value)) continue;
    const read = word.value.startsWith("--")
      ? matchLong(word.value.slice(2), long)
      : matchShort(word.value.slice(1), short);
    if (read === undefined) return refuse(`option \`${word.source}\` is not among its harmless ones`);
    given.push(...read.found);
    if (read.wants === undefined) continue;
    const values = args.slice(i + 1, i + 1 + read.wants.values);
    i += read.wants.values;
    const isBad = ({ value, kind }: ShellWord): boolean => /^-(?!\d*$)/.test(value) || kind !== "literal";
    if (values.length < read.wants.values || values.some(isBad)) {
      return refuse(
        `the value of \`${read.wants.name}\` must follow, written out, and not begin with a dash`,
      );
    }
    given.push([read.wants.name, values.map(({ value }) => value).join(" ")]);
  }
  return { trouble: undefined, options: new Map(given), given, operands };
}

/** Options whose values are not text but files. Only these are handed on as paths. */
export interface ListedRule extends HarmlessOptions {
  /** What operands are. Default `paths`. */
  readonly operands?: "paths" | "text";
  /** Names as in `sortWords`, e.g. `-r`, whose value names a file. */
  readonly fileOptions?: readonly string[];
  /** Names of options whose value is a width: at most 999. */
  readonly widths?: readonly string[];
  /** More operands are refused; a pattern counts as too many, it may become several. */
  readonly maxOperands?: number;
  /** Why more are refused. */
  readonly maxReason?: string;
}

/** A rule that accepts listed options only. */
export function listed(rule: ListedRule): GlanceRule {
  return (args) => {
    const sorted = sortWords(args, rule);
    if (sorted.trouble !== undefined) return sorted;
    const { operands, options, given } = sorted;
    const isFar = ([name, value]: GivenOption): boolean =>
      rule.widths?.includes(name) === true && value !== undefined && !/^\d{1,3}$/.test(value);
    if (given.some(isFar)) return refuse(TOO_WIDE);
    const many = operands.some((word) => word.kind !== "literal") ? Infinity : operands.length;
    if (rule.maxOperands !== undefined && operands.length > 0 && many > rule.maxOperands) {
      return refuse(rule.maxReason ?? "it takes no operand here");
    }
    const files = (rule.fileOptions ?? []).flatMap((name) => options.get(name) ?? []);
    const answer = allow(rule.operands === "text" ? operands.filter(isPattern) : operands);
    return answer.trouble === undefined
      ? { ...answer, paths: [...answer.paths, ...files.map(textAsPath)] }
      : answer;
  };
}

/**
 * A rule for programs of which no option writes, runs or sends anything.
 * `values`: whether what is attached to an option (`--from=x`, `-fx`) may name a file.
 */
export function anyOptions(
  operands: "paths" | "text" = "paths",
  values: "paths" | "text" = "text",
): GlanceRule {
  return (args) => {
    const paths: GlancePath[] = [];
    const attached: GlancePath[] = [];
    let onlyNames = false;
    for (const word of args) {
      if (!onlyNames && word.value === "--") onlyNames = true;
      else if (onlyNames || !word.value.startsWith("-")) {
        if (operands === "paths" || isPattern(word)) paths.push(asPath(word));
      } else if (values === "paths") {
        const value = attachedValue(word.value);
        if (value !== undefined) attached.push(textAsPath(value));
      }
    }
    return { trouble: undefined, paths: attached.length === 0 ? paths : [...paths, ...attached] };
  };
}

/** Patterns show which files there are, whatever the program does with them. */
export const isPattern = (word: ShellWord): boolean => word.kind !== "literal" && word.value.includes("/");

function attachedValue(option: string): string | undefined {
  if (option.startsWith("--"))
    return option.includes("=") ? option.slice(option.indexOf("=") + 1) : undefined;
  const rest = option.slice(2);
  return /[^a-zA-Z]/.test(rest) ? rest : undefined; // letters alone are further flags
}

/** A file may be called `-o`: a pattern that can begin with a dash can turn into an option. */
function mayExpandToOption(word: ShellWord): boolean {
  return (word.kind === "glob" || word.kind === "brace") && /^[-*?[{]/.test(word.value);
}

type Arity = "flag" | "value" | "pair" | "attached";

interface OptionMatch {
  readonly found: readonly GivenOption[];
  /** An option whose values are the next words. */
  readonly wants: { readonly name: string; readonly values: number } | undefined;
}

/** The lists of the table are read once, not for every command. */
function onceEach<T>(read: (spec: string) => T): (spec: string) => T {
  const known = new Map<string, T>();
  return (spec) => {
    const before = known.get(spec);
    if (before !== undefined) return before;
    const made = read(spec);
    known.set(spec, made);
    return made;
  };
}

const readShort = onceEach((spec): ReadonlyMap<string, Arity> => {
  const letters = new Map<string, Arity>();
  for (const [, letter, mark] of spec.matchAll(/(\S)([:?]?)/g)) {
    if (letter !== undefined)
      letters.set(letter, mark === ":" ? "value" : mark === "?" ? "attached" : "flag");
  }
  return letters;
});

const ARITIES: Readonly<Record<string, Arity>> = { "==": "pair", "=": "value", "?": "attached" };

const readLong = onceEach((spec): ReadonlyMap<string, Arity> => {
  const names = spec.split(" ").filter((name) => name !== "");
  return new Map(
    names.map((name) => {
      const mark = /==$|[=?]$/.exec(name)?.[0] ?? "";
      return [name.slice(0, name.length - mark.length), ARITIES[mark] ?? "flag"];
    }),
  );
});

function matchLong(text: string, long: ReadonlyMap<string, Arity>): OptionMatch | undefined {
  const cut = text.indexOf("=");
  const name = cut === -1 ? text : text.slice(0, cut);
  const arity = long.get(name);
  if (arity === undefined || (arity === "flag" && cut !== -1)) return undefined;
  if (arity === "pair" && cut !== -1) return undefined;
  const option = `--${name}`;
  if (cut !== -1) return { found: [[option, text.slice(cut + 1)]], wants: undefined };
  const values = arity === "pair" ? 2 : 1;
  const hasValues = arity === "value" || arity === "pair";
  return { found: [[option, undefined]], wants: hasValues ? { name: option, values } : undefined };
}

function matchShort(cluster: string, short: ReadonlyMap<string, Arity>): OptionMatch | undefined {
  const found: GivenOption[] = [];
  for (let i = 0; i < cluster.length; i += 1) {
    const option = `-${cluster.charAt(i)}`;
    const arity = short.get(cluster.charAt(i));
    if (arity === undefined) return undefined;
    const rest = cluster.slice(i + 1);
    found.push([option, arity === "flag" || rest === "" ? undefined : rest]);
    if (arity === "flag") continue;
    return { found, wants: arity === "value" && rest === "" ? { name: option, values: 1 } : undefined };
  }
  return { found, wants: undefined };
}
