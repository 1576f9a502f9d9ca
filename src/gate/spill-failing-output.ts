import { posix } from "node:path";
import { pagedPath } from "../context/paged-copy.ts";
import { parseShell, type ShellScript } from "../context/shell.ts";
import { quote } from "./shell-text.ts";

/** Where a command's output goes and how much of a failure is shown. */
export interface SpillFailing {
  /**
   * Absolute path of the file that takes the output while the command runs; its directory is made when it is missing. It
   * must lie where commands do not look: `grep -r` in the workspace would read what it prints itself.
   */
  readonly live: string;
  /** Absolute path of the file in which long output of a failure is kept; its directory is made for that. */
  readonly file: string;
  /** Characters from which failing output stays in the file. */
  readonly thresholdChars: number;
  /** Bytes shown of its beginning and of its end. */
  readonly previewChars: number;
  /** Jobs in the background live on when the command is over. Default true; in a sandbox they end with it. */
  readonly jobsLiveOn?: boolean;
}

/**
 * Rewrites a Bash command so that long output of a failure stays in a file and a pointer with both ends of it is
 * printed: the harness does not let a hook replace the output of failed calls (0.3.332).
 *
 * The command runs in a subshell with both streams in one file, so their order holds; then the file is printed as
 * it is and removed, or moved to where it is kept. Exit code and a change of directory come through. Jobs in the
 * background are not waited for: what they print later goes to the same file, which then stays, as `<live>.jobs`.
 * A command that cannot be wrapped safely comes back unchanged.
 */
export function spillFailingOutput(command: string, options: SpillFailing): string {
  const script = parseShell(command);
  if (!script.ok || !canBeWrapped(command, script)) return command;
  const hasJobs = script.features.has("background job") || script.features.has("coprocess");
  const wrapped = wrap(command, options, hasJobs && options.jobsLiveOn !== false);
  return parseShell(wrapped).ok ? wrapped : command;
}

/** They change how later lines are read, and in brackets everything is read before anything runs. */
const CHANGES_PARSING = new Set(["shopt", "alias", "unalias", "setopt", "unsetopt", "emulate"]);

function canBeWrapped(command: string, script: ShellScript): boolean {
  const runsIntoNextLine = /\\$/.test(command) || !script.hereDocsClosed;
  const changesParsing = script.commands.some(({ program }) => CHANGES_PARSING.has(program?.value ?? ""));
  return !runsIntoNextLine && !changesParsing;
}

/** Lines of more bytes than this cannot be read on: `pagedCopy` of such a file is put beside it. */
const LONG_LINE_BYTES = 2_000;

/** Characters of a text in UTF-8, whatever the command's locale is: bytes that begin one. */
const CHARS = String.raw`LC_ALL=C tr -d '\200-\277' <"$__flower_out" | wc -c`;

function wrap(
  command: string,
  { live, file, thresholdChars, previewChars }: SpillFailing,
  staysForJobs: boolean,
): string {
  const path = quote(file);
  // The trap serves `exit`, the line behind the command serves one that sets a trap of its own.
  const keepCwd = 'command pwd >|"$__flower_out.cwd"';
  // A job goes on writing to the file that it has.
  const keep = `${staysForJobs ? "cp" : "mv"} -f "$__flower_out" ${path}`;
  return [
    `__flower_out=${quote(live)}`,
    // Where nothing can be put down the command runs all the same, and all that it printed is shown.
    `(umask 077; mkdir -p ${quote(posix.dirname(live))} && : >|"$__flower_out") 2>/dev/null || __flower_out=$(umask 077; mktemp)`,
    "(",
    `trap ${quote(`{ ${keepCwd}; } 2>/dev/null`)} EXIT`,
    command,
    // Not traced where the command says `set -x`.
    `{ __flower_status=$?; set +x; ${keepCwd}; } 2>/dev/null; exit $__flower_status`,
    ') >|"$__flower_out" 2>&1',
    "__flower_status=$?",
    `__flower_chars=$(($(${CHARS})))`,
    `if [ $__flower_status -ne 0 ] && [ $__flower_chars -ge ${thresholdChars} ] && (umask 077; mkdir -p ${quote(posix.dirname(file))} && ${keep}) 2>/dev/null; then`,
    `__flower_lines=$(($(grep -c '' <${path})))`,
    `__flower_copy=; [ $(($(fold -b -w ${LONG_LINE_BYTES} <${path} | grep -c ''))) -gt $__flower_lines ] && __flower_copy='; its long lines are broken in '${quote(pagedPath(file))}`,
    `printf '[%s lines, %s characters stored in %s; use Read with offset and limit, or Grep, on that file%s; its beginning and end:]\\n' $__flower_lines $__flower_chars ${path} "$__flower_copy"`,
    `head -c ${previewChars} ${path}; printf '\\n[…]\\n'; tail -c ${previewChars} ${path}`,
    "else",
    'cat "$__flower_out"',
    ...(staysForJobs ? [] : ['rm -f "$__flower_out"']),
    "fi",
    ...(staysForJobs
      ? [
          `mv -f "$__flower_out" "$__flower_out.jobs"; printf '[what its background jobs print from here on goes to %s]\\n' "$__flower_out.jobs"`,
        ]
      : []),
    'if [ -s "$__flower_out.cwd" ]; then cd -- "$(cat "$__flower_out.cwd")" >/dev/null 2>&1; fi',
    'rm -f "$__flower_out.cwd"',
    "(exit $__flower_status)",
  ].join("\n");
}
