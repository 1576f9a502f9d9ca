import { parseShell } from "../context/shell.ts";
import type { ShellWord } from "../context/shell-word.ts";
import { feedOf } from "./bash-feed.ts";
import { printsOther } from "./bash-find.ts";
import type { Arg, ShellState, Substitute } from "./bash-words.ts";
import type { PathRules } from "./paths.ts";
import type { GatePolicy } from "./policy.ts";

/** `$(pwd)` is as good as a variable, and so are the root of the repository and a program that is looked up. */
export function substituting(
  { cwd }: ShellState,
  { policy, paths }: { readonly policy: GatePolicy; readonly paths: PathRules },
): Substitute {
  return (script) => {
    const text = script.trim();
    if (/^pwd( -[LP])?$/.test(text)) return cwd;
    if (text !== "git rev-parse --show-toplevel") return lookedUp(text);
    return cwd !== undefined && paths.isSharedCheckout(cwd) ? policy.workspace : undefined;
  };
}

const LOOKS_UP =
  /^(?:(?:\w+ )?which|command -v|type -[pP])\s+(["']?)([\w.+-]+)\1(?:\s+(?:[12&]?>\s*\/dev\/null|2>&1))*$/;
/** What is taken when nothing is found. */
const INSTEAD = /^echo\s+(["']?)(?:[\w./+-]*\/)?([\w.+-]+)\1$/;

/**
 * `$(which node)`, `$(command -v python3 || command -v python)`: a program by its name, under the directory where
 * programs mostly lie. Several of them must be versions of one: a word is judged once.
 */
function lookedUp(script: string): string | undefined {
  const names = script.split("||").map((part, i) => {
    const text = part.trim();
    return (LOOKS_UP.exec(text) ?? (i > 0 ? INSTEAD.exec(text) : null))?.[2];
  });
  const [first] = names;
  const programs = new Set(names.map((name) => name?.replace(/[\d.]+$/, "")));
  return first === undefined || programs.size > 1 ? undefined : `/usr/bin/${first}`;
}

/** Words of a `find` whose names are all that a word comes to, as in `rm $(find . -name x)`; undefined for others. */
export function searchIn(
  { pieces: [piece, ...others] }: ShellWord,
  state: ShellState,
  substitute: Substitute,
): readonly Arg[] | undefined {
  if (piece?.kind !== "substitution" || others.length > 0) return undefined;
  const script = parseShell(piece.script);
  const last = script.ok ? script.commands.at(-1) : undefined;
  if (!script.ok || last === undefined || last.loops.length > 0) return undefined;
  let piped = 0;
  for (let command: typeof last | undefined = last; command !== undefined; command = command.fedBy)
    piped += 1;
  if (piped !== script.commands.length) return undefined;
  const feed = feedOf({ ...last, redirects: [], fedBy: last }, state, substitute);
  const isKnown =
    feed?.kind === "find" && feed.args.every(({ text }) => text !== undefined && text !== "-print0");
  return isKnown && !printsOther(feed.args) ? feed.args : undefined;
}
