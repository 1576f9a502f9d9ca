import { freeWord, quote } from "./shell-text.ts";

/**
 * Shell text that runs the command in a file, in the shell itself. The last rewrite of an isolated worker's command.
 *
 * The harness reads what it is about to run for such a worker, and refuses what it cannot take apart, what is longer
 * than some 9,000 characters, and whatever names git in a form that is not plain (0.3.332): that is every command that
 * the rewrites before this one made. What it looks for there was decided on the original and is held by the sandbox.
 * So it gets to see a text of constant length, whatever the command is.
 */
export const runFile = (path: string): string => hideGit(`eval "$(command -p cat ${quote(path)})"`);

/** The path may hold the word, as part of a name: it is spelled differently, and the shell itself puts it right. */
function hideGit(command: string): string {
  let mark = "@1";
  while (command.includes(mark)) mark += "1";
  const text = command.replace(/(g)(i)(t)/gi, (_, g: string, i: string, t: string) =>
    [g, mark, i === "i" ? "s" : "l", "@", t].join(""),
  );
  if (text === command) return command;
  const end = freeWord(text);
  // Bytes as they are: sed stops at text that is not valid in the person's own character set.
  const back = `LC_ALL=C command -p sed 's/${mark}s@/i/g; s/${mark}l@/I/g'`;
  return [`eval "$(${back} <<'${end}'`, text, end, `)"`].join("\n");
}
