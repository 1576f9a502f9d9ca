import { plain, type Arg } from "./bash-words.ts";
import { grammar, readOptions, type Grammar, type Options } from "./options.ts";
import { expandBraces, fold, segmentMatches } from "./path-pattern.ts";
import type { KeptCredential } from "./paths.ts";

/** A command that reads whole directories. */
export interface TreeRead {
  /** Where it begins. */
  readonly starts: readonly Arg[];
  /** Whether it would come to a credential file in one of the starts. */
  reaches(file: KeptCredential): boolean;
  /** How to leave a file out. */
  readonly exclude: (name: string) => string;
}

interface Reader {
  readonly options: Grammar;
  /** Options with which it goes through directories; undefined: it always does. */
  readonly recursive: readonly string[] | undefined;
  /** Operands in front of the places, unless one of the options in `instead` stands for them. */
  readonly before: number;
  readonly instead: readonly string[];
  /** The operand in front is a pattern. */
  readonly searches: boolean;
  /** The last operand is written. */
  readonly lastWritten: boolean;
  /** Options that show no content. */
  readonly silent: readonly string[];
  /** Options with patterns of what is left out (files alone, directories alone, or both) or is all that is read. */
  readonly exclude: readonly string[];
  readonly excludeFiles: readonly string[];
  readonly excludeDirs: readonly string[];
  readonly include: readonly string[];
  /** Both in one: with `!` in front it is left out. */
  readonly globs: readonly string[];
  /** Hidden files are passed over unless one of these options is given. */
  readonly hidden: readonly string[] | undefined;
  readonly way: (name: string) => string;
}

const row = (
  names: string,
  options: string,
  facts: Partial<Omit<Reader, "options">> & { way: Reader["way"] },
): [string, Reader][] =>
  names.split(" ").map((name) => [
    name,
    {
      options: grammar(options),
      recursive: undefined,
      before: 0,
      instead: [],
      searches: false,
      lastWritten: false,
      silent: [],
      exclude: [],
      excludeFiles: [],
      excludeDirs: [],
      include: [],
      globs: [],
      hidden: undefined,
      ...facts,
    },
  ]);

const GREP =
  "r|recursive R|dereference-recursive d|directories= e|regexp= f|file= A|after-context= B|before-context= C|context= " +
  "m|max-count= D|devices= l|files-with-matches L|files-without-match c|count q|quiet|silent include= exclude= " +
  "exclude-dir= exclude-from= color? colour? label= binary-files= i n H h o s v w x E F G P a I z Z U T b y";
const RG =
  "e|regexp= f|file= A|after-context= B|before-context= C|context= m|max-count= g|glob= iglob= t|type= T|type-not= " +
  "j|threads= M|max-columns= d|max-depth= r|replace= E|encoding= u|unrestricted .|hidden no-ignore l|files-with-matches " +
  "files-without-match c|count count-matches q|quiet files type-list sort= sortr= pre= pre-glob= color= colors= i S s n N H I o v w x F U P a z p";
const named = (option: string) => (name: string) => `${option}=${name}`;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ...row("grep egrep fgrep zgrep", GREP, {
    recursive: ["r", "R", "d"],
    before: 1,
    instead: ["e", "f"],
    searches: true,
    silent: ["l", "L", "c", "q"],
    excludeFiles: ["exclude"],
    excludeDirs: ["exclude-dir"],
    include: ["include"],
    way: named("--exclude"),
  }),
  ...row("rg", RG, {
    before: 1,
    instead: ["e", "f"],
    searches: true,
    silent: ["l", "files-without-match", "c", "count-matches", "q", "files", "type-list"],
    globs: ["g", "iglob"],
    hidden: ["."],
    way: (name) => `-g '!${name}'`,
  }),
  ...row(
    "ag ack",
    "u|unrestricted hidden U A= B= C= G= m= l|files-with-matches c|count ignore= ignore-dir= depth= p=",
    {
      before: 1,
      silent: ["l", "c"],
      exclude: ["ignore"],
      hidden: ["u", "hidden"],
      way: named("--ignore"),
    },
  ),
  ...row(
    "tar bsdtar gtar",
    "c|create r|append u|update f|file= C|directory= T= X= exclude= b= F= g= H= I= K= L= N= V= x t z j J v a",
    {
      recursive: ["c", "r", "u"],
      exclude: ["exclude"],
      way: named("--exclude"),
    },
  ),
  ...row("zip", "r|recurse-paths R x|exclude= i|include= b= O|out= P= t= tt= n= s= @ q u d f", {
    recursive: ["r", "R"],
    before: 1,
    exclude: ["x"],
    include: ["i"],
    way: (name) => `-x '${name}'`,
  }),
  ...row("cp gcp", "r|R|recursive a|archive t|target-directory= S|suffix= d f i l L n p P s T u v x", {
    recursive: ["r", "a"],
    lastWritten: true,
    way: (name) => `\`rsync -a --exclude=${name}\` instead of \`cp\``,
  }),
  ...row(
    "rsync",
    "r|recursive a|archive e|rsh= f|filter= exclude= include= exclude-from= T= B= M= z v n u P delete",
    {
      recursive: ["r", "a"],
      lastWritten: true,
      exclude: ["exclude"],
      way: named("--exclude"),
    },
  ),
  ...row("scp", "r F= i= P= c= J= l= o= S= 3 4 6 p q v C", {
    recursive: ["r"],
    lastWritten: true,
    way: () => "only what is needed",
  }),
  ...row("diff", "r|recursive x|exclude= X= q|brief U= C= u N", {
    recursive: ["r"],
    silent: ["q"],
    exclude: ["exclude", "x"],
    way: named("--exclude"),
  }),
  ...row("git", "no-index untracked e= f= A= B= C= m= l c q O?", {
    before: 2,
    silent: ["l", "c", "q"],
    recursive: ["no-index", "untracked"],
    way: () => "tracked files alone, without this option",
  }),
]);

/** What a command reads through whole directories; undefined when it does not. */
export function treeRead(name: string, args: readonly Arg[]): TreeRead | undefined {
  const reader = READERS.get(name);
  if (reader === undefined) return undefined;
  const options = readOptions(tarWords(name, args), reader.options);
  if (name === "git" && !["grep", "diff"].includes(options.operands[0]?.text ?? "")) return undefined;
  if (!goesDeep(reader, options) || options.has(...reader.silent)) return undefined;
  const texts = (names: readonly string[], suffix = ""): string[] =>
    options.values(...names).flatMap(({ text }) => (text === undefined ? [] : [text + suffix]));
  const hides = reader.hidden !== undefined && !options.has(...reader.hidden) && !isUnrestricted(options);
  const filter = readFilter([
    ...texts(reader.globs),
    ...texts(reader.include),
    ...[...texts(reader.exclude), ...texts(reader.excludeDirs, "/")].map((glob) => `!${glob}`),
  ]);
  const files = texts(reader.excludeFiles);
  return {
    starts: startsOf(name, reader, options),
    exclude: reader.way,
    reaches: (file) => {
      if (!file.isDirectory && files.some((glob) => globNames(glob, file))) return false;
      return filter(file, hides && file.names.some((part) => part.startsWith(".")));
    },
  };
}

/**
 * Whether globs let a file be read. One that names it brings in what is hidden too (ripgrep 14), and what is both
 * brought in and left out counts as read, whichever comes last.
 */
export function readFilter(globs: readonly string[]): (file: KeptCredential, isHidden: boolean) => boolean {
  // One with more alternatives than can be looked at may name anything, and is not relied on to leave anything out.
  const all = globs.flatMap((glob) => expandBraces(glob) ?? (glob.startsWith("!") ? [] : ["*"]));
  const left = all.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const only = all.filter((glob) => !glob.startsWith("!"));
  return (file, isHidden) =>
    only.some((glob) => globNames(glob, file)) ||
    (!isHidden && (only.length === 0 || file.isDirectory) && !left.some((glob) => globNames(glob, file)));
}

/** Words that name no file: patterns to search for, and those that say which files to leave out. */
export function patternWords(name: string, args: readonly Arg[]): ReadonlySet<Arg> {
  const reader = READERS.get(name);
  if (reader === undefined || name === "git") return new Set();
  const { list, operands, has } = readOptions(args, reader.options);
  const filters = [
    ...reader.exclude,
    ...reader.excludeFiles,
    ...reader.excludeDirs,
    ...reader.include,
    ...reader.globs,
  ];
  const long = new RegExp(`^--(${filters.filter((option) => option.length > 1).join("|")}|glob)=`);
  return new Set([
    ...list.flatMap(({ name: option, value }) =>
      value !== undefined && filters.includes(option) ? [value] : [],
    ),
    ...args.filter(({ text }) => filters.length > 0 && long.test(text ?? "")),
    ...(reader.searches && !has(...reader.instead) ? operands.slice(0, 1) : []),
  ]);
}

function goesDeep({ recursive }: Reader, options: Options): boolean {
  if (recursive === undefined) return true;
  const directories = options.values("d").at(-1);
  return (
    options.has(...recursive.filter((name) => name !== "d")) ||
    (recursive.includes("d") && directories?.text === "recurse")
  );
}

/** `rg -uu` looks into hidden files as well, `-u` alone does not. */
const isUnrestricted = ({ list }: Options): boolean => list.filter(({ name }) => name === "u").length > 1;

function startsOf(name: string, reader: Reader, options: Options): readonly Arg[] {
  const { operands, has, values } = options;
  const places = operands.slice(has(...reader.instead) || has("files") ? 0 : reader.before);
  if (name === "tar" || name === "bsdtar" || name === "gtar") {
    const [from] = values("C");
    const base = from?.text;
    return base === undefined
      ? places
      : places.map((place) =>
          /^[/~]/.test(place.text ?? "/") ? place : plain(`${base}/${place.text ?? ""}`),
        );
  }
  if (reader.lastWritten) return has("t") ? places : places.slice(0, -1);
  return places.length === 0 && name !== "zip" ? [plain(".")] : places;
}

/** `tar cf x.tar dir`: the first word is a bundle of options whose values follow in order. */
export function tarWords(name: string, args: readonly Arg[]): readonly Arg[] {
  const [first, ...others] = args;
  if (!/^(bsd|g)?tar$/.test(name) || first?.text === undefined || !/^[a-zA-Z]+$/.test(first.text))
    return args;
  const rest = [...others];
  const words = Array.from(first.text).flatMap((letter) =>
    /[bCfFgHIKLNTVX]/.test(letter) ? [plain(`-${letter}`), ...rest.splice(0, 1)] : [plain(`-${letter}`)],
  );
  return [...words, ...rest];
}

/** By a name on the way to it or by the path from the start; with a slash at the end only as a directory. */
function globNames(glob: string, { names, isDirectory }: KeptCredential): boolean {
  const onlyDirectories = /\/\*{0,2}$/.test(glob);
  const bare = glob.replace(/^(\.?\/|\*\*\/)+/, "").replace(/\/\*{0,2}$/, "");
  const parts = fold(bare.replace(/\\(.)/g, "$1")).split("/");
  const path = names.map(fold).slice(0, onlyDirectories && !isDirectory ? -1 : undefined);
  // A star stands for names with a dot in front, too.
  const matches = (part: string, name: string): boolean => segmentMatches(`x${part}`, `x${name}`);
  const [first = ""] = parts;
  if (parts.length === 1) return path.some((name) => matches(first, name));
  return parts.length <= path.length && parts.every((part, i) => matches(part, path[i] ?? ""));
}
