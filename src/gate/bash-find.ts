import { posix } from "node:path";
import { plain, type Arg } from "./bash-words.ts";
import { fold, segmentMatches } from "./path-pattern.ts";

/** A place that `find` may come to. */
export interface Found {
  /** Absolute. */
  readonly path: string;
  /** As `find` prints it. */
  readonly shown: string;
  /** Directories between the starting point and it; 0 is the starting point itself. */
  readonly depth: number;
  readonly kind: "d" | "f" | undefined;
  /** One of any name: stands for what else lies there. */
  readonly anyName?: boolean;
}

/** A command that `find` runs for what it finds, `{}` filled in. */
export interface FindRun {
  readonly words: readonly Arg[];
  /** For which place; undefined when the command does not name it. */
  readonly found: Found | undefined;
}

/** Where `find` starts; the working directory when no place is named. */
export function findStarts(args: readonly Arg[]): readonly Arg[] {
  const starts = args.slice(leadingOptions(args), expressionStart(args));
  return starts.length === 0 ? [plain(".")] : starts;
}

/** Commands that a `find` can run, `{}` as it stands. */
export function findActions(args: readonly Arg[]): readonly (readonly Arg[])[] {
  const actions: (readonly Arg[])[] = [];
  new Expression(args.slice(expressionStart(args)), undefined, (words) => actions.push(words)).read();
  return actions;
}

/** What the actions of a `find` do to the given places, as far as its tests let them through. */
export function findRuns(args: readonly Arg[], places: readonly Found[]): readonly FindRun[] {
  const words = args.slice(expressionStart(args));
  const texts = words.map((word) => word.text);
  const depthFirst = texts.includes("-delete") || texts.includes("-depth");
  const runs: FindRun[] = findActions(args)
    .filter((action) => !action.some(namesFound))
    .map((action) => ({ words: action, found: undefined }));

  for (const place of places) {
    if (!depthFirst && places.some((above) => isAbove(above, place) && prunes(words, above))) continue;
    new Expression(words, place, (run) => {
      if (!run.some(namesFound)) return;
      const fill = (word: Arg): Arg => ({ ...word, text: word.text?.replaceAll("{}", place.path) });
      runs.push({ words: run.map(fill), found: place });
    }).read();
  }
  return runs;
}

/** The same `find` with a command in place of `-print`, or behind all that it tests. */
export function findWith(args: readonly Arg[], command: readonly Arg[]): readonly Arg[] {
  const action = [plain("-exec"), ...command, plain(";")];
  const isPrint = ({ text }: Arg): boolean => /^-print0?$/.test(text ?? "");
  if (args.some(isPrint)) return args.flatMap((arg) => (isPrint(arg) ? action : [arg]));
  const start = expressionStart(args);
  if (start === args.length) return [...args, ...action];
  return [...args.slice(0, start), plain("("), ...args.slice(start), plain(")"), ...action];
}

/** Whether a `find` prints other words than the names that it finds. */
export const printsOther = (args: readonly Arg[]): boolean =>
  args.some(({ text }) => /^-(printf|ls|exec|execdir|ok|okdir)$/.test(text ?? ""));

/** Whether a word of an action stands for what is found. */
export const namesFound = ({ text }: Arg): boolean => text?.includes("{}") === true;

const isAbove = (above: Found, place: Found): boolean => place.path.startsWith(`${above.path}/`);

function prunes(words: readonly Arg[], place: Found): boolean {
  const expression = new Expression(words, place, () => undefined);
  expression.read();
  return expression.surelyPrunes;
}

const leadingOptions = (args: readonly Arg[]): number => {
  let i = 0;
  while (/^-([HLP]|O\d|D)$/.test(args[i]?.text ?? "")) i += args[i]?.text === "-D" ? 2 : 1;
  return i;
};

function expressionStart(args: readonly Arg[]): number {
  const from = leadingOptions(args);
  const at = args.findIndex(
    ({ text }, i) => i >= from && text !== undefined && /^[-(!,]/.test(text) && text !== "-",
  );
  return at === -1 ? args.length : at;
}

/** What a test can come out as for a place: true, false or either. */
interface Outcome {
  readonly yes: boolean;
  readonly no: boolean;
}
const YES: Outcome = { yes: true, no: false };
const NO: Outcome = { yes: false, no: true };
const EITHER: Outcome = { yes: true, no: true };
const outcome = (yes: boolean): Outcome => (yes ? YES : NO);

/** Tests with this many words behind them; those not named have one, see {@link NO_VALUE}. */
const NO_VALUE = new Set(
  (
    "-daystart -depth -d -follow -ignore_readdir_race -mount -noleaf -xdev -warn -nowarn -empty -executable -readable " +
    "-writable -false -true -nogroup -nouser -delete -ls -print -print0 -prune -quit"
  ).split(" "),
);

/** Reads an expression from left to right for one place, or, without a place, for any. */
class Expression {
  readonly #words: readonly Arg[];
  readonly #place: Found | undefined;
  readonly #act: (words: readonly Arg[]) => void;
  #at = 0;
  surelyPrunes = false;

  constructor(words: readonly Arg[], place: Found | undefined, act: (words: readonly Arg[]) => void) {
    this.#words = words;
    this.#place = place;
    this.#act = act;
  }

  read(): void {
    if (this.#tooDeep()) return;
    while (this.#at < this.#words.length) {
      this.#either(YES);
      this.#at += 1; // a bracket that closes nothing
    }
  }

  /** `-maxdepth` and `-mindepth` hold for the whole expression, wherever they stand. */
  #tooDeep(): boolean {
    const limit = (name: string): number => {
      const at = this.#words.findIndex(({ text }) => text === name);
      return at === -1 ? NaN : Number(this.#words[at + 1]?.text);
    };
    const depth = this.#place?.depth ?? NaN;
    return depth > limit("-maxdepth") || depth < limit("-mindepth");
  }

  #peek(): string | undefined {
    return this.#words[this.#at]?.text;
  }

  #either(reached: Outcome): Outcome {
    let result = this.#both(reached);
    while (/^(-o|-or|,)$/.test(this.#peek() ?? "")) {
      const comma = this.#peek() === ",";
      this.#at += 1;
      const next = this.#both(comma ? reached : and(reached, not(result)));
      result = comma ? next : { yes: result.yes || next.yes, no: result.no && next.no };
    }
    return result;
  }

  #both(reached: Outcome): Outcome {
    let result: Outcome = YES;
    while (this.#at < this.#words.length && !/^(-o|-or|,|\))$/.test(this.#peek() ?? "")) {
      if (/^(-a|-and)$/.test(this.#peek() ?? "")) this.#at += 1;
      else result = and(result, this.#single(and(reached, result)));
    }
    return result;
  }

  #single(reached: Outcome): Outcome {
    const word = this.#peek();
    this.#at += 1;
    if (word === "!" || word === "-not") return not(this.#single(reached));
    if (word !== "(") return this.#test(word, reached);
    const result = this.#either(reached);
    this.#at += 1;
    return result;
  }

  #test(word: string | undefined, reached: Outcome): Outcome {
    if (word === undefined) return EITHER;
    if (/^-(exec|execdir|ok|okdir)$/.test(word)) return this.#command(reached);
    if (NO_VALUE.has(word)) {
      if (word === "-delete" && reached.yes) this.#act([plain("rm"), plain("-r"), plain("{}")]);
      if (word === "-prune" && reached.yes && !reached.no) this.surelyPrunes = true;
      return word === "-false"
        ? NO
        : /^-(empty|executable|readable|writable|no.*)$/.test(word)
          ? EITHER
          : YES;
    }
    const value = this.#words[this.#at];
    this.#at += /^-fprintf$/.test(word) ? 2 : 1;
    if (/^-f(print0?|printf|ls)$/.test(word) && value !== undefined) this.#act([plain("tee"), value]);
    return this.#compare(word, value?.text);
  }

  #command(reached: Outcome): Outcome {
    const end = this.#words.findIndex(({ text }, i) => {
      const behindNames = this.#words[i - 1]?.text === "{}";
      return i >= this.#at && (text === ";" || (text === "+" && behindNames));
    });
    const words = this.#words.slice(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#words.length : end + 1;
    if (reached.yes) this.#act(words);
    return EITHER;
  }

  #compare(test: string, value: string | undefined): Outcome {
    const place = this.#place;
    if (/^-(maxdepth|mindepth|f(print0?|printf|ls)|regextype|files0-from)$/.test(test)) return YES;
    if (place === undefined || value === undefined) return EITHER;
    if (test === "-type" && place.kind !== undefined) return outcome(value.includes(place.kind));
    if (place.anyName === true) return EITHER;
    if (test === "-name") return nameMatches(value, posix.basename(place.path));
    if (test === "-iname") return nameMatches(fold(value), fold(posix.basename(place.path)));
    if (/^-(path|wholename)$/.test(test)) return nameMatches(value, place.shown);
    if (/^-i(path|wholename)$/.test(test)) return nameMatches(fold(value), fold(place.shown));
    return EITHER;
  }
}

const and = (a: Outcome, b: Outcome): Outcome => ({ yes: a.yes && b.yes, no: a.no || b.no });
const not = ({ yes, no }: Outcome): Outcome => ({ yes: no, no: yes });

/** As `fnmatch` without flags: stars match dots and slashes as well. What is in brackets is not looked at. */
function nameMatches(pattern: string, name: string): Outcome {
  const matches = segmentMatches(`x${pattern.replace(/\\(.)/gs, "$1")}`, `x${name}`);
  return matches && /[[\\]/.test(pattern) ? EITHER : outcome(matches);
}
