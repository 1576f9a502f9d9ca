import type { Option } from "commander";
import { program, type Commands, type JobOptions, type OnceOptions } from "./program.ts";
import { shellWord } from "./shell-word.ts";

/** Of these the command that goes on has its own, or must not have them. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  "workspace",
  "runDir",
  "budget",
  // It would archive what is to go on.
  "new",
  "resume",
  "fork",
  "resumeAt",
]);

/** Ways to notify without an address, which may hold a key or be one. */
const OPEN_WAYS: ReadonlySet<string> = new Set(["bell", "desktop", "none"]);

type OptionValue = string | number | boolean | undefined;

/** What of a command's options the next one repeats. */
export interface KeptOptions {
  words: string[];
  /** Options whose values are not printed. */
  secret: string[];
}

/** The options that somebody gave `go`, `run` or `once`, as words of a command line: all that are not as by default. */
export function keptOptions(command: "go" | "run" | "once", options: JobOptions | OnceOptions): KeptOptions {
  // Only looked at: nothing of it is ever run.
  const defined = program({} as Commands, "", () => undefined).commands.find(
    (each) => each.name() === command,
  );
  const values = new Map(Object.entries(options) as [string, OptionValue][]);
  const kept: KeptOptions = { words: [], secret: [] };
  for (const option of defined?.options ?? []) {
    const key = option.attributeName();
    if (NOT_KEPT.has(key)) continue;
    for (const value of [values.get(key)].flat()) {
      const said = wordsOf(option, value);
      if (key === "notify" && !OPEN_WAYS.has(String(value)) && said.length > 0)
        kept.secret.push(option.long ?? key);
      else kept.words.push(...said);
    }
  }
  return { words: kept.words, secret: [...new Set(kept.secret)] };
}

function wordsOf(option: Option, value: OptionValue): string[] {
  const name = option.long ?? "";
  if (option.negate) return value === false ? [name] : [];
  if (value === undefined || value === option.defaultValue) return [];
  if (option.isBoolean()) return [name];
  const word = shellWord(String(value));
  return option.optional ? [`${name}=${word}`] : [name, word];
}
