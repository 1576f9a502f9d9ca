import type { Arg } from "./bash-words.ts";

interface Fact {
  /** The name by which the rules speak of it: the first one given. */
  readonly name: string;
  /** `next`: its value is the next word unless attached; `attached`: only what is attached. */
  readonly value: "none" | "next" | "attached";
}

/** What is known about the options of a program. */
export interface Grammar {
  readonly facts: ReadonlyMap<string, Fact>;
  /** Long options have one dash, and short ones are not bundled, as with `find` or `openssl`. */
  readonly singleDash: boolean;
}

/**
 * Options as one text: `t|target-directory= R|recursive i|in-place?`. One letter is a short option, more are a long
 * one; `=` has a value, `?` one only when attached. A first word `-` stands for single dashes.
 */
export function grammar(text: string): Grammar {
  const [first, ...others] = text.split(" ").filter((word) => word !== "");
  const singleDash = first === "-";
  const facts = new Map<string, Fact>();
  for (const word of singleDash || first === undefined ? others : [first, ...others]) {
    const value = word.endsWith("=") ? "next" : word.endsWith("?") ? "attached" : "none";
    const names = word.replace(/[=?]$/, "").split("|");
    for (const name of names) facts.set(name, { name: names[0] ?? name, value });
  }
  return { facts, singleDash };
}

/** An option as it stands in a command. */
export interface Option {
  readonly name: string;
  /** `--no-…`. */
  readonly off: boolean;
  readonly value: Arg | undefined;
}

/** A command's words, told apart. */
export interface Options {
  readonly list: readonly Option[];
  readonly operands: readonly Arg[];
  /** Those of the operands that stand behind an option that is not known, and may be its value. */
  readonly doubtful: ReadonlySet<Arg>;
  /** Behind `--` when there is one: what follows it. */
  readonly behindDashes: readonly Arg[] | undefined;
  /** Whether one of the options is given, its last mention being no `--no-…`. */
  has(...names: string[]): boolean;
  /** Values of the options, in order. */
  values(...names: string[]): Arg[];
}

/** What one word holds. */
interface Taken {
  readonly options: readonly Option[];
  /** The last of them has its value in the next word. */
  readonly wantsNext: boolean;
  /** The last of them is not known: the next word may be its value. */
  readonly isUnknown: boolean;
}

/**
 * Tells options from operands: bundled short ones (`-rt DIR`), attached values (`-oFILE`, `--out=FILE`), long ones cut
 * short. With `leading` the first operand ends it, and all words from there on are operands.
 */
export function readOptions(
  args: readonly Arg[],
  { facts, singleDash }: Grammar,
  { leading = false }: { leading?: boolean } = {},
): Options {
  const list: Option[] = [];
  const operands: Arg[] = [];
  const doubtful = new Set<Arg>();
  let behindDashes: readonly Arg[] | undefined;
  let before: Taken | undefined;
  for (const [i, arg] of args.entries()) {
    const { text } = arg;
    if (before?.wantsNext === true) {
      const option = list.pop();
      if (option !== undefined) list.push({ ...option, value: arg });
      before = undefined;
    } else if (text === "--") {
      behindDashes = args.slice(i + 1);
      operands.push(...behindDashes);
      break;
    } else if (text?.startsWith("-") === true && text !== "-") {
      before =
        singleDash || text.startsWith("--") ? takeLong(arg, text, facts) : takeShorts(arg, text, facts);
      list.push(...before.options);
    } else {
      if (before?.isUnknown === true) doubtful.add(arg);
      operands.push(...(leading ? args.slice(i) : [arg]));
      if (leading) break;
      before = undefined;
    }
  }
  return {
    list,
    operands,
    doubtful,
    behindDashes,
    has: (...names) => names.some((name) => list.findLast((option) => option.name === name)?.off === false),
    values: (...names) =>
      list.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : [])),
  };
}

function takeLong(arg: Arg, text: string, facts: Grammar["facts"]): Taken {
  const [, name = "", attached] = /^--?([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const value = attached === undefined ? undefined : { ...arg, text: attached };
  const found = longFacts(facts, name);
  if (found.length > 0) {
    const options = found.map((fact): Option => ({ name: fact.name, off: false, value }));
    return { options, wantsNext: value === undefined && found.at(-1)?.value === "next", isUnknown: false };
  }
  const off = name.startsWith("no-");
  const known = off ? longFacts(facts, name.slice(3)).at(0) : undefined;
  const option = { name: known?.name ?? (off ? name.slice(3) : name), off, value };
  return { options: [option], wantsNext: false, isUnknown: !off && value === undefined };
}

function takeShorts(arg: Arg, text: string, facts: Grammar["facts"]): Taken {
  const options: Option[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const { name = letter, value = "none" } = facts.get(letter) ?? {};
    const rest = text.slice(at + 1);
    const attached = value === "none" || rest === "" ? undefined : { ...arg, text: rest };
    options.push({ name, off: false, value: attached });
    if (value !== "none")
      return { options, wantsNext: value === "next" && attached === undefined, isUnknown: false };
  }
  return { options, wantsNext: false, isUnknown: !facts.has(text.slice(-1)) };
}

/** What a long name may mean: itself, or every name that it is the beginning of. */
function longFacts(facts: ReadonlyMap<string, Fact>, name: string): Fact[] {
  const exact = facts.get(name);
  if (exact !== undefined) return [exact];
  if (name === "") return [];
  return [...facts].filter(([full]) => full.length > 1 && full.startsWith(name)).map(([, fact]) => fact);
}
