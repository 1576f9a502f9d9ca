import { posix } from "node:path";
import type { Arg } from "./bash-unwrap.ts";

/** A word that names what a command writes. */
export interface WriteTarget {
  readonly arg: Arg;
  /** It is removed or moved away with all that is in it. */
  readonly tree: boolean;
}

type Writer = (args: readonly Arg[]) => readonly WriteTarget[];

const one = (arg: Arg): WriteTarget => ({ arg, tree: false });
const tree = (arg: Arg): WriteTarget => ({ arg, tree: true });

/** Words that are no options and no values of the given options. Words that are not known stay in. */
function operandsOf(args: readonly Arg[], valued: readonly string[] = []): readonly Arg[] {
  const operands: Arg[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (arg === undefined) break;
    if (arg.text === "--") return [...operands, ...args.slice(i + 1)];
    if (arg.text?.startsWith("-") === true && arg.text !== "-") {
      if (valued.includes(arg.text)) i += 1;
    } else operands.push(arg);
  }
  return operands;
}

/** Values of options, next word (`-o x`), attached (`-ox`) or behind `=` (`--output=x`). */
function valuesOf(args: readonly Arg[], names: readonly string[]): readonly Arg[] {
  return args.flatMap((arg, i) => {
    const { text } = arg;
    if (text === undefined) return [];
    for (const name of names) {
      if (text === name) return args[i + 1] ?? [];
      const glue = name.startsWith("--") ? `${name}=` : name;
      if (text.startsWith(glue)) return { ...arg, text: text.slice(glue.length) };
    }
    return [];
  });
}

const hasFlag = (args: readonly Arg[], flag: RegExp): boolean =>
  args.some((arg) => arg.text !== undefined && flag.test(arg.text));

const everyOperand =
  (...valued: string[]): Writer =>
  (args) =>
    operandsOf(args, valued).map(one);

/** All but the first operand, which is a mode or an owner. */
const behindFirst: Writer = (args) =>
  operandsOf(args)
    .slice(1)
    .map(hasFlag(args, /^-[a-zA-Z]*R/) ? tree : one);

const optionValue =
  (...names: string[]): Writer =>
  (args) =>
    valuesOf(args, names).map(one);

const RECURSIVE = /^(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/;

const remove: Writer = (args) => operandsOf(args).map(hasFlag(args, RECURSIVE) ? tree : one);

/**
 * Copies go to the last operand or to that of `-t`. It may be a directory: then the name of what is copied in
 * counts as well. What is moved away leaves its place with all that is in it.
 */
function into(moves: boolean): Writer {
  return (args) => {
    const directory = valuesOf(args, ["-t", "--target-directory"])[0];
    const operands = operandsOf(args, ["-t", "-S", "-m", "-o", "-g", "--target-directory", "--suffix"]);
    const target = directory ?? operands.at(-1);
    const sources = directory === undefined ? operands.slice(0, -1) : operands;
    if (target === undefined) return [];
    const inside = sources.flatMap(({ text, braces }): Arg[] =>
      text === undefined || target.text === undefined
        ? []
        : [{ text: `${target.text}/${posix.basename(text)}`, braces: braces || target.braces }],
    );
    return [one(target), ...inside.map(one), ...(moves ? sources.map(tree) : [])];
  };
}

/** In-place editors: the script is the first operand unless an option brought it. */
const inPlace =
  (flag: RegExp, script: RegExp, ...valued: string[]): Writer =>
  (args) =>
    hasFlag(args, flag)
      ? operandsOf(args, valued)
          .slice(hasFlag(args, script) ? 0 : 1)
          .map(one)
      : [];

const dd: Writer = (args) =>
  args.flatMap((arg) =>
    arg.text?.startsWith("of=") === true ? one({ ...arg, text: arg.text.slice(3) }) : [],
  );

const lastOfTwo: Writer = (args) => operandsOf(args).slice(1, 2).map(one);

const rsync: Writer = (args) => {
  const target = operandsOf(args, ["-e", "--exclude", "--include", "--rsh", "-f", "--filter"]).at(-1);
  if (target?.text === undefined || /^[^/]+:/.test(target.text)) return [];
  return [hasFlag(args, /^--delete/) ? tree(target) : one(target)];
};

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["rm", remove],
  ["rmdir", everyOperand()],
  ["unlink", everyOperand()],
  ["shred", everyOperand("-n", "-s")],
  ["touch", everyOperand("-d", "-t", "-r")],
  ["mkdir", everyOperand("-m")],
  ["mkfifo", everyOperand("-m")],
  ["tee", everyOperand()],
  ["truncate", everyOperand("-s", "-r")],
  ["chmod", behindFirst],
  ["chown", behindFirst],
  ["chgrp", behindFirst],
  ["cp", into(false)],
  ["install", into(false)],
  ["ln", into(false)],
  ["mv", into(true)],
  ["rsync", rsync],
  ["dd", dd],
  ["sed", inPlace(/^(-[a-zA-Z]*i|--in-place)/, /^(-[a-zA-Z]*[ef]$|--expression|--file)/, "-e", "-f")],
  ["perl", inPlace(/^-[a-zA-Z0-9]*i/, /^-[a-zA-Z0-9]*[eE]$/, "-e", "-E")],
  ["sort", optionValue("-o", "--output")],
  ["curl", optionValue("-o", "--output", "--output-dir")],
  ["wget", optionValue("-O", "--output-document", "-P", "--directory-prefix")],
  ["tar", optionValue("-C", "--directory")],
  ["unzip", optionValue("-d")],
  ["tree", optionValue("-o")],
  ["uniq", lastOfTwo],
  ["xxd", lastOfTwo],
]);

/** What a command writes, as far as its words tell. */
export function writeTargets(name: string, args: readonly Arg[]): readonly WriteTarget[] {
  return WRITERS.get(name)?.(args) ?? [];
}
