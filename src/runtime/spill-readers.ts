import { GLANCE_TABLE } from "../context/glance-table.ts";
import type { ShellWord } from "../context/shell-word.ts";
import type { KnownWord } from "./shell-knowledge.ts";

/** How a program names the files that it prints. */
interface Reader {
  /** Operands in front that are no files. */
  readonly texts: number;
  /** Letters of options whose value may be the next word; undefined: the rule for glances tells files and values apart. */
  readonly valued: string | undefined;
}

const named = (names: string, valued: string | undefined, texts = 0): [string, Reader][] =>
  names.split(" ").map((name) => [name, { texts, valued }]);

/** Programs that print what is in files, or what they are fed. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ...named("cat tac rev wc less", ""),
  ...named("head", "nc"),
  ...named("nl", "bdfhilnpsvw"),
  ...named("fold", "w"),
  ...named("od", "AjNStw"),
  ...named("hexdump", "efns"),
  ...named("strings", "ent"),
  ...named("tail sort uniq cut xxd tr", undefined),
  ...named("grep egrep fgrep rg sed awk jq", undefined, 1),
]);

/** Programs whose scripts may read further files, in ways that the rule for glances refuses. */
const MAY_READ_MORE: ReadonlyMap<string, RegExp> = new Map([
  ["sed", /^/],
  ["awk", /getline|system|ARG|[|@]|^-f/],
]);

/** Without a file these read a directory, whatever they are fed. */
const RECURSIVE = /^-[a-zA-Z]*[rR]|^--(dereference-)?recursive$/;

/** Files that a program of the list reads; undefined for any other, and where nobody knows: what that prints is new. */
export function filesRead(program: string, args: readonly ShellWord[]): readonly KnownWord[] | undefined {
  const reader = READERS.get(program);
  if (reader === undefined || args.some(({ kind }) => kind === "dynamic")) return undefined;
  const glance = reader.valued === undefined ? GLANCE_TABLE.get(program)?.(args) : undefined;
  const isKnown = glance !== undefined && glance.trouble === undefined;
  const more = MAY_READ_MORE.get(program);
  if (!isKnown && more !== undefined && args.some(({ value }) => more.test(value))) return undefined;
  const files = isKnown
    ? glance.paths.map(({ text, kind, tilde }) => ({ value: text, kind, tilde }))
    : operandsOf(args, reader.valued ?? "").slice(reader.texts);
  if (files.length === 0 && program.endsWith("grep") && args.some(({ value }) => RECURSIVE.test(value)))
    return undefined;
  return files.filter(({ value }) => value !== "-");
}

function operandsOf(args: readonly ShellWord[], valued: string): ShellWord[] {
  const isValue = (before: string | undefined): boolean =>
    before !== undefined &&
    valued !== "" &&
    new RegExp(`^-[${valued}]$|^--(lines|bytes|width)$`).test(before);
  return args.filter(({ value }, i) => !/^-./.test(value) && !isValue(args[i - 1]?.value));
}
