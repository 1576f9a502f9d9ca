export { spillFailingOutput } from "./spill-failing-output.ts";

/** Turns one Bash command into another that does the same in a safer way. */
export type CommandRewrite = (command: string) => string;

/** One rewrite out of several, applied in the given order: each sees what the one before it made. */
export function composeRewrites(rewrites: readonly CommandRewrite[]): CommandRewrite {
  return (command) => rewrites.reduce((text, rewrite) => rewrite(text), command);
}

/** Variables that hold a token or a key of the endpoint. */
const CREDENTIAL_VARIABLES = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"];

/** Name that marks the processes of one tool call: it stands in the command line of the call's shell. */
export function callMark(toolUseId: string): string {
  return `FLOWER_CALL_${toolUseId.replace(/\W/g, "_")}`;
}

/**
 * Takes the credentials out of a command's environment. It runs in the same shell, so that `cd` and the exit code
 * stay what they are; wrapping into `env -u` or brackets would lose them. The call's mark goes along, as a variable
 * that nobody has set.
 */
export function unsetCredentials(toolUseId: string): CommandRewrite {
  const names = [...CREDENTIAL_VARIABLES, callMark(toolUseId)];
  return (command) => `unset -v ${names.join(" ")}; ${command}`;
}
