import type { Refusal } from "./policy.ts";

/** `message` says what is wrong with the command. */
export function unparsable(message: string): Refusal {
  return {
    rule: "unparsable",
    reason:
      `The command cannot be parsed (${message}), so nobody can tell what it would do. ` +
      "Check quotes and brackets, or put the script into a file of the workbench's scripts/ and run that.",
  };
}

/** Of `rm` over names that another command printed. */
export const UNNAMED: Refusal = {
  rule: "remove-root",
  reason:
    "What is to be removed with everything in it comes from another command, so nobody can tell what would go. " +
    "Name the files or directories, or look at the names first and then write them out.",
};

/** Of programs that raise rights. */
export const SUDO: Refusal = {
  rule: "sudo",
  reason:
    "Commands run with the rights of the person who started flower and no more. " +
    "Find a way without them (a local install, another port), or say in your report what the person has to do.",
};
/** Of a program whose name another command prints. */
export const PRINTED_NAME: Refusal = {
  rule: "unparsable",
  reason:
    "Another command prints the program's name, so nobody can tell what would run. Write the name out; " +
    "`$(command -v name)` and `$(which name)` are understood.",
};
/** Of a recursive change of mode or owner that takes in a root. */
export const CHANGES_ROOT: Refusal = {
  rule: "remove-root",
  reason:
    "This changes mode or owner of everything in the workspace, the workbench or the temp directory, " +
    "git's own files and flower's books among it. " +
    "Name the directories that need it (`chmod -R u+w src dist`).",
};
/** Of a word whose braces make more words than can be looked at. */
export const MANY_WORDS: Refusal = {
  rule: "unparsable",
  reason:
    "Braces in it make so many words that nobody can look at each. Name fewer at a time, or loop over a few words " +
    "(`for part in a b; do …`).",
};
/** Of a program named by a pattern. */
export const PATTERN: Refusal = {
  rule: "unparsable",
  reason: "The program is named by a pattern, so nobody can tell what would run. Write its name out.",
};
/** Of commands that make something public. */
export const PUBLISH: Refusal = {
  rule: "publish",
  reason:
    "This makes something public or changes a running system, and the brief does not allow it. " +
    "Prepare it, try it dry, and say in your report which command is left to run.",
};
