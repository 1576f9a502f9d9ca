import { posix } from "node:path";
import { parseShell, type ShellLoop, type ShellRedirect, type SimpleCommand } from "../context/shell.ts";
import type { ShellWord } from "../context/shell-word.ts";
import { feedOf, fedScripts } from "./bash-feed.ts";
import { findActions, findRuns, findStarts, findWith, namesFound } from "./bash-find.ts";
import { ALIAS, gitRefusal } from "./bash-git.ts";
import { gitTargets, readGitCall } from "./bash-git-call.ts";
import { installRefusal, scheduleRefusal } from "./bash-installs.ts";
import { credentialRefusal, directoryOf, goTo, moveTo, placesOf } from "./bash-places.ts";
import { publishes } from "./bash-publish.ts";
import { patternWords, treeRead } from "./bash-readers.ts";
import {
  CHANGES_ROOT,
  MANY_WORDS,
  PATTERN,
  PRINTED_NAME,
  PUBLISH,
  SUDO,
  UNNAMED,
  unparsable,
} from "./bash-refusals.ts";
import { searchIn, substituting } from "./bash-substitutes.ts";
import { unwrap, type Feed } from "./bash-unwrap.ts";
import {
  assign,
  copyOf,
  give,
  firstOf,
  hasManyWords,
  knownEnd,
  mayVanish,
  plain,
  PRINTED,
  toArgs,
  type Arg,
  type Inner,
  type ShellState,
  type Substitute,
} from "./bash-words.ts";
import { writeTargets } from "./bash-writers.ts";
import { hasPattern } from "./path-pattern.ts";
import type { PathRules } from "./paths.ts";
import type { GatePolicy, Refusal } from "./policy.ts";

/** What a Bash command is judged by. */
export interface BashScene {
  readonly policy: GatePolicy;
  readonly paths: PathRules;
  /** Working directory at the start. */
  readonly cwd: string;
  /** The caller has a worktree of its own. */
  readonly isolated: boolean;
}

/**
 * Why a worker's command is refused, going by its words alone: what a program does once it runs is beyond it,
 * and words that only the shell can work out are let through. Those are the sandbox's matter.
 */
export function bashRefusal(command: string, scene: BashScene): Refusal | undefined {
  const variables = new Map([
    ["HOME", scene.policy.home],
    ["PWD", scene.cwd],
    ["IFS", " "],
    // Whatever process they name, it is one whose environment must not be read.
    ["PPID", "1"],
    ["$", "1"],
    ["!", "1"],
  ]);
  // Where the shell was before is the workspace as a rule, and nothing says so.
  const state = { cwd: scene.cwd, variables, substituted: new Map([["OLDPWD", ""]]) };
  return judgeScript(command, state, { ...scene, depth: 0 });
}

interface Judging extends BashScene {
  readonly depth: number;
}

/** Scripts within scripts; deeper ones hide more than they do. */
const MAX_DEPTH = 8;

function judgeScript(text: string, state: ShellState, judging: Judging): Refusal | undefined {
  const script = judging.depth > MAX_DEPTH ? TOO_DEEP : parseShell(text);
  if (!script.ok) return unparsable(script.message);
  const states = new Map<number, ShellState>();
  const stateIn = (subshells: readonly number[]): ShellState =>
    subshells.reduce((outer, id) => {
      const known = states.get(id) ?? copyOf(outer);
      states.set(id, known);
      return known;
    }, state);

  if (script.commands.some(hasManyWords)) return MANY_WORDS;
  for (const command of script.commands) {
    const refusal = judgeLooped(command, command.loops, stateIn(command.subshells), judging);
    if (refusal !== undefined) return refusal;
  }
  return firstOf(script.groupRedirects, (redirect) => judgeRedirect(redirect, state, judging));
}

const TOO_DEEP = { ok: false, message: "scripts within scripts within scripts" } as const;

/** Values of a loop's variable that are looked at one by one; of more, each may be any. */
const LOOP_VALUES = 50;

/** A command in loops is judged for each value that their variables take. */
function judgeLooped(
  command: SimpleCommand,
  [loop, ...inner]: readonly ShellLoop[],
  state: ShellState,
  judging: Judging,
): Refusal | undefined {
  if (loop === undefined) return judgeSimple(command, state, judging);
  const substitute = substituting(state, judging);
  const values = (loop.words ?? []).flatMap((word) => toArgs(word, state, substitute));
  const refusal = firstOf(values.slice(0, LOOP_VALUES), (value) => {
    give(loop.name, value, state);
    return judgeLooped(command, inner, state, judging);
  });
  if (refusal !== undefined || (values.length > 0 && values.length <= LOOP_VALUES)) return refusal;
  give(loop.name, { text: undefined, substituted: loop.words !== undefined }, state);
  return judgeLooped(command, inner, state, judging);
}

function judgeSimple(command: SimpleCommand, state: ShellState, judging: Judging): Refusal | undefined {
  const refusal = firstOf(command.redirects, (redirect) => judgeRedirect(redirect, state, judging));
  if (refusal !== undefined) return refusal;
  const substitute = substituting(state, judging);
  const { program, assignments } = command;
  // In front of a program they are its own.
  const place = program === undefined || assignments.length === 0 ? state : copyOf(state);
  const words = [...(program === undefined ? [] : [program]), ...command.args];
  const searches = command.args.flatMap((word) => {
    const search = searchIn(word, state, substitute);
    return search === undefined ? [] : [{ word, search }];
  });
  /** What a search finds is judged by itself: here it is only left open, or `{}` for one of them. */
  const toWords = (found?: ShellWord): Arg[] =>
    words.flatMap((word) => {
      if (word === found) return plain("{}");
      return searches.some((search) => search.word === word) ? OPEN : toArgs(word, state, substitute);
    });
  const args = toWords();
  for (const { name, value } of assignments) assign(name, value, place, substitute);
  if (program === undefined) return undefined;

  const name = programName(args[0]?.text ?? "");
  const inner = { ...judging, depth: judging.depth + 1 };
  const found =
    judgeCommand(args, place, judging, feedOf(command, state, substitute)) ??
    firstOf(searches, ({ word, search }) =>
      judgeFind(findWith(search, toWords(word)), copyOf(place), inner),
    ) ??
    firstOf(fedScripts(name, command, state, substitute), (text) => judgeScript(text, copyOf(place), inner));
  if (place.cwd !== state.cwd) moveTo(place.cwd, state);
  declare(name, command, state, substitute);
  return found;
}

const OPEN: Arg = { text: undefined, substituted: false };

/** `export X=…` and what else gives or takes values of variables. */
function declare(name: string, { args }: SimpleCommand, state: ShellState, substitute: Substitute): void {
  const sets = /^(export|declare|typeset|local|readonly)$/.test(name);
  if (!sets && !/^(unset|read|mapfile|readarray|getopts)$/.test(name)) return;
  for (const word of args) {
    const [, variable] = /^(\w+)(?:=|$)/.exec(word.source) ?? [];
    if (variable === undefined || (sets && !word.source.includes("="))) continue;
    const [value = name === "unset" ? plain("") : PRINTED] = sets ? toArgs(word, state, substitute) : [];
    give(variable, { ...value, text: value.text?.slice(variable.length + 1) }, state);
  }
}

function judgeCommand(
  words: readonly Arg[],
  state: ShellState,
  judging: Judging,
  feed?: Feed,
): Refusal | undefined {
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  if (judging.depth > MAX_DEPTH) return unparsable(TOO_DEEP.message);
  if (program.text === undefined) return judgeUnnamed(program, args, state, judging);
  const name = programName(program.text);
  if (RAISES_RIGHTS.has(name)) return SUDO;
  if (name !== "[" && hasPattern(name)) return PATTERN;

  const { policy, paths } = judging;
  const refusal =
    firstOf(unwrap(name, args, feed), (run) => judgeInner(run, state, judging, name === "eval")) ??
    (name === "find" ? judgeFind(args, state, judging) : undefined) ??
    (name === "git" ? judgeGit(args, state, judging) : undefined) ??
    (!policy.allowPublish && publishes(name, args) ? PUBLISH : undefined) ??
    scheduleRefusal(name, args) ??
    (policy.throwaway ? undefined : installRefusal(name, args)) ??
    judgeWrites(name, args, state, judging) ??
    judgeTreeRead(name, args, state, paths) ??
    firstOf(namingWords(name, args), (arg) => credentialRefusal(arg, state, paths));
  if (refusal === undefined && /^(cd|pushd|popd)$/.test(name)) {
    moveTo(name === "popd" ? undefined : goTo(directoryOf(args), state), state);
  }
  return refusal;
}

/** A program that is not written out: by its end, `$(npm root)/.bin/tsc`, or by what stands behind an empty variable. */
function judgeUnnamed(
  program: Arg,
  args: readonly Arg[],
  state: ShellState,
  judging: Judging,
): Refusal | undefined {
  const end = knownEnd(program, state);
  if (end.includes("/")) return judgeCommand([plain(posix.basename(end)), ...args], state, judging);
  if (program.substituted) return PRINTED_NAME;
  return mayVanish(program) ? judgeCommand(args, state, judging) : undefined;
}

/** Without its directory and, as `npx` takes it, its version. */
const programName = (text: string): string => posix.basename(text).replace(/(.)@[^@]*$/s, "$1");

/** An `eval` goes on in the same shell; being strict about the other wrappers costs nothing. */
function judgeInner(
  run: Inner,
  state: ShellState,
  judging: Judging,
  sameShell: boolean,
): Refusal | undefined {
  const inner = { ...judging, depth: judging.depth + 1 };
  const place = sameShell ? state : copyOf(state);
  if (run.cwd !== undefined) moveTo(goTo(run.cwd, state), place);
  for (const [name, value] of run.variables ?? []) place.variables.set(name, value);
  return run.kind === "script" ? judgeScript(run.text, place, inner) : judgeCommand(run.words, place, inner);
}

/** Settings that the environment brings may hold an alias. */
const GIT_SETTINGS = /^GIT_CONFIG_(COUNT|KEY_\d+|PARAMETERS)$/;
/** Variables whose value git runs. */
const GIT_RUNS =
  /^(GIT_(SSH|SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND)|PAGER|EDITOR|VISUAL)$/;

function judgeGit(args: readonly Arg[], state: ShellState, judging: Judging): Refusal | undefined {
  const known = [...state.variables.keys(), ...state.substituted.keys()];
  if (known.some((name) => GIT_SETTINGS.test(name))) return ALIAS;
  const inner = { ...judging, depth: judging.depth + 1 };
  const runs = [...state.variables].filter(([name]) => GIT_RUNS.test(name));
  const refusal = firstOf(runs, ([, text]) => judgeScript(text, copyOf(state), inner));
  if (refusal !== undefined) return refusal;
  const elsewhere = known.includes("GIT_DIR") || known.includes("GIT_WORK_TREE");
  const { throwaway, allowPublish } = judging.policy;
  return gitRefusal(args, { ...judging, cwd: state.cwd, elsewhere, throwaway, allowPublish });
}

function judgeWrites(
  name: string,
  args: readonly Arg[],
  state: ShellState,
  { paths }: Judging,
): Refusal | undefined {
  const call = name === "git" ? readGitCall(args, state.cwd) : undefined;
  const targets = call === undefined ? writeTargets(name, args) : gitTargets(call);
  return firstOf(targets, ({ arg, tree }) =>
    tree && arg.text === undefined && arg.substituted && REMOVES.has(name)
      ? UNNAMED
      : firstOf(placesOf(arg, state, paths), (place) => {
          const refusal = paths.writeRefusal(place, { tree });
          return refusal?.rule === "remove-root" && CHANGES.has(name) ? CHANGES_ROOT : refusal;
        }),
  );
}

const CHANGES = new Set(["chmod", "chown", "chgrp", "chattr", "setfacl"]);
const REMOVES = new Set(["rm", "rimraf", "del-cli", "trash", "trash-put"]);
/** Its actions are judged for every protected place that its tests let through. */
function judgeFind(args: readonly Arg[], state: ShellState, judging: Judging): Refusal | undefined {
  const inner = { ...judging, depth: judging.depth + 1 };
  return firstOf(findStarts(args), (start) => {
    if (start.text === undefined) {
      return firstOf(findActions(args), (words) =>
        judgeCommand(
          words.map((word) => (namesFound(word) ? start : word)),
          copyOf(state),
          inner,
        ),
      );
    }
    const shown = start.text.replace(/\/+$/, "");
    return firstOf(placesOf(start, state, judging.paths), (from) => {
      const places = [
        { path: from, shown, depth: 0, kind: "d" as const },
        ...judging.paths
          .keptIn(from)
          .filter(({ names }) => names.length > 0)
          .map(({ path, names, kind }) => ({
            path,
            shown: [shown, ...names].join("/"),
            depth: names.length,
            kind,
          })),
        {
          path: posix.join(from, "found"),
          shown: `${shown}/found`,
          depth: NaN,
          kind: undefined,
          anyName: true,
        },
      ];
      return firstOf(findRuns(args, places), ({ words, found }) => {
        const refusal = judgeCommand(words, copyOf(state), inner);
        if (refusal?.rule === "credential" && SHOWS_NO_CONTENT.has(words[0]?.text ?? "")) return undefined;
        const [top] = found === undefined ? [] : found.shown.slice(shown.length + 1).split("/");
        if (refusal === undefined || top === undefined || top === "" || found?.anyName === true)
          return refusal;
        const hint = `This \`find\` may come to it: start it in a subdirectory or add \`-not -path '${shown}/${top}*'\`.`;
        return { ...refusal, reason: `${refusal.reason} ${hint}` };
      });
    });
  });
}

/** Programs that tell about files what a listing of the directory tells. */
const SHOWS_NO_CONTENT = new Set(["ls", "stat", "du", "wc", "basename", "dirname", "realpath", "readlink"]);

/** A search or copy through a directory with a credential file in it. */
function judgeTreeRead(
  name: string,
  args: readonly Arg[],
  state: ShellState,
  paths: PathRules,
): Refusal | undefined {
  const read = treeRead(name, args);
  if (read === undefined) return undefined;
  return firstOf(read.starts, (start) =>
    firstOf(placesOf(start, state, paths), (place) => {
      const file = paths.credentialsIn(place).find((known) => read.reaches(known));
      if (file === undefined) return undefined;
      const way = read.exclude(file.names.at(-1) ?? "");
      return {
        rule: "credential",
        reason:
          `This goes through ${place} and would come to ${file.path}, which holds credentials. ` +
          `Leave it out (${way}), or name the subdirectories that matter.`,
      };
    }),
  );
}

/** Words that may name a file. */
function namingWords(name: string, args: readonly Arg[]): readonly Arg[] {
  if (PRINTS.has(name)) return [];
  if (name === "find") return findStarts(args);
  const patterns = patternWords(name, args);
  return args.filter((arg) => !patterns.has(arg));
}

const RAISES_RIGHTS = new Set(
  "sudo sudoedit doas su pkexec run0 runuser gosu su-exec sg newgrp visudo gksudo kdesudo".split(" "),
);
/** Programs whose words are text, never names of files. */
const PRINTS = new Set(["echo", "printf"]);

function judgeRedirect(redirect: ShellRedirect, state: ShellState, judging: Judging): Refusal | undefined {
  const { operator, target } = redirect;
  if (target === undefined || operator === "<<<") return undefined;
  const { paths } = judging;
  const args = toArgs(target, state, substituting(state, judging));
  if (operator.endsWith("&") && /^(\d+-?|-)$/.test(args[0]?.text ?? "")) return undefined;
  const places = args.flatMap((arg) => placesOf(arg, state, paths));
  return operator === "<"
    ? firstOf(places, (place) => paths.readRefusal(place, undefined))
    : firstOf(places, (place) => paths.writeRefusal(place));
}
