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
 * What cannot be kept stays at `live`. A command that is no whole script by itself comes back unchanged.
 */
export function spillFailingOutput(command: string, options: SpillFailing): string {
  const script = parseShell(command);
  if (!script.ok) return command;
  const hasJobs = script.features.has("background job") || script.features.has("coprocess");
  // In brackets everything is read before anything runs; `eval` reads on as it goes, as the harness's own does. It costs
  // one more sign in front of each line that `set -x` prints, hence not for all.
  const body = standsInBrackets(command, script) ? command : `eval ${quote(command)}`;
  const wrapped = wrap(body, options, hasJobs && options.jobsLiveOn !== false);
  return parseShell(wrapped).ok ? wrapped : command;
}

/** They change how later lines are read. */
const CHANGES_PARSING = new Set(["shopt", "alias", "unalias", "setopt", "unsetopt", "emulate"]);

function standsInBrackets(command: string, script: ShellScript): boolean {
  const runsIntoNextLine = /\\$/.test(command) || !script.hereDocsClosed;
  const changesParsing = script.commands.some(({ program }) => CHANGES_PARSING.has(program?.value ?? ""));
  return !runsIntoNextLine && !changesParsing;
}

/** Lines of more bytes than this cannot be read on: `pagedCopy` of such a file is put beside it. */
const LONG_LINE_BYTES = 2_000;

/**
 * Length of a text in UTF-8 as JavaScript has it, whatever the command's locale is: bytes that begin a character, and
 * once more those that begin one of four bytes.
 */
const CHARS = [
  String.raw`$(LC_ALL=C tr -d '\200-\277' <"$__flower_out" | wc -c)`,
  String.raw`$(LC_ALL=C tr -cd '\360-\367' <"$__flower_out" | wc -c)`,
].join("+");

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
    // Of brackets that are killed the shell would print the source. No saved copy of its stream may reach a job.
    "exec 9>&2 2>/dev/null",
    "(",
    `trap ${quote(`{ ${keepCwd}; } 2>/dev/null`)} EXIT`,
    command,
    // Not traced where the command says `set -x`.
    `{ __flower_status=$?; set +x; ${keepCwd}; } 2>/dev/null; exit $__flower_status`,
    ') >|"$__flower_out" 2>&1 9>&-',
    "__flower_status=$?",
    "exec 2>&9 9>&-",
    "__flower_chars=0; __flower_spilled=; __flower_lost=",
    `[ $__flower_status -eq 0 ] || __flower_chars=$((${CHARS}))`,
    `if [ $__flower_status -ne 0 ] && [ $__flower_chars -ge ${thresholdChars} ]; then`,
    `(umask 077; mkdir -p ${quote(posix.dirname(file))} && ${keep}) 2>/dev/null && __flower_spilled=1 || __flower_lost=1`,
    "fi",
    'if [ "$__flower_spilled" ]; then',
    `__flower_lines=$(($(grep -c '' <${path})))`,
    `__flower_copy=; [ $(($(fold -b -w ${LONG_LINE_BYTES} <${path} | grep -c ''))) -gt $__flower_lines ] && __flower_copy='; its long lines are broken in '${quote(pagedPath(file))}`,
    `printf '[%s lines, %s characters stored in %s; use Read with offset and limit, or Grep, on that file%s; its beginning and end:]\\n' $__flower_lines $__flower_chars ${path} "$__flower_copy"`,
    `head -c ${previewChars} ${path}; printf '\\n[…]\\n'; tail -c ${previewChars} ${path}`,
    "else",
    'cat "$__flower_out"',
    "fi",
    ...(staysForJobs
      ? [
          `__flower_jobs=$__flower_out; [ "$__flower_lost" ] || { __flower_jobs=$__flower_out.jobs; mv -f "$__flower_out" "$__flower_jobs"; }`,
          `printf '[what its background jobs print from here on goes to %s]\\n' "$__flower_jobs"`,
        ]
      : ['[ "$__flower_lost" ] || rm -f "$__flower_out"']),
    'if [ -s "$__flower_out.cwd" ]; then cd -- "$(cat "$__flower_out.cwd")" >/dev/null 2>&1; fi',
    'rm -f "$__flower_out.cwd"',
    "(exit $__flower_status)",
  ].join("\n");
}
