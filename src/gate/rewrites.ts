import { callMark, HELD_FILE_VARIABLE } from "../core/tree-marks.ts";

export { runFile } from "./pass-isolation-check.ts";
export { spillFailingOutput } from "./spill-failing-output.ts";
export { sandboxArgs, wrapInBubblewrap, type SandboxMounts } from "./wrap-bubblewrap.ts";

/** Turns one Bash command into another that does the same in a safer way. */
export type CommandRewrite = (command: string) => string;

/** One rewrite out of several, applied in the given order: each sees what the one before it made. */
export function composeRewrites(rewrites: readonly CommandRewrite[]): CommandRewrite {
  return (command) => rewrites.reduce((text, rewrite) => rewrite(text), command);
}

/** Variables that hold a token or a key of the endpoint. */
export const CREDENTIAL_VARIABLES = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"];

/**
 * Gives a command an empty input. The harness does so unless it finds a redirection of the input in the command
 * (0.3.332); a rewritten one may hold any, and without this `cat` could wait for ever on a socket.
 */
export const closeInput: CommandRewrite = (command) => `exec </dev/null; ${command}`;

/**
 * Lets a command and whatever it starts hold a file open: a child that clears its environment and leaves its session
 * is still found by that.
 */
export const holdFile: CommandRewrite = (command) =>
  `[ -r "\${${HELD_FILE_VARIABLE}-}" ] && exec {__flower_held}<"$${HELD_FILE_VARIABLE}"; ${command}`;

/**
 * Takes the credentials out of a command's environment. It runs in the same shell, so that `cd` and the exit code
 * stay what they are; wrapping into `env -u` or brackets would lose them. The call's mark goes along, as a variable
 * that nobody has set.
 */
export function unsetCredentials(toolUseId: string): CommandRewrite {
  const names = [...CREDENTIAL_VARIABLES, callMark(toolUseId)];
  return (command) => `unset -v ${names.join(" ")}; ${command}`;
}
