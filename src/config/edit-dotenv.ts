import { FlowerError } from "../core/errors.ts";
import { dotenvEntries, dotenvLines } from "./dotenv.ts";

/** New values by name; undefined takes the name out of the file. */
export type DotenvChanges = Readonly<Record<string, string | undefined>>;

/**
 * Sets names in a `.env` text. Everything else stays as it is: comments, order, unknown lines, line ends. A value
 * takes the place of the last entry of its name; earlier ones go, for they may hold an old secret.
 * @throws FlowerError `usage` for a value that no way of quoting can hold.
 */
export function editDotenv(source: string, changes: DotenvChanges): string {
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const lines = dotenvLines(source);
  const entries = dotenvEntries(lines);
  const last = new Map(entries.map((entry) => [entry.key, entry]));
  const kept = entries.flatMap((entry) => {
    const { key, from, to } = entry;
    if (key === undefined || !(key in changes)) return lines.slice(from, to);
    const value = changes[key];
    if (value === undefined || last.get(key) !== entry) return [];
    const isExported = /^\s*export\s/.test(lines[from] ?? "");
    return [`${isExported ? "export " : ""}${entryOf(key, value)}`];
  });
  const added = Object.entries(changes).flatMap(([key, value]) =>
    value === undefined || last.has(key) ? [] : [entryOf(key, value)],
  );
  if (kept.at(-1) === "") kept.pop();
  return [...kept, ...added, ""].join(eol);
}

const PLAIN = /^[\w.:/@+=,~%-]+$/;

/** Quoted so that shells read it as `dotenv` does, as far as both can. */
function entryOf(key: string, value: string): string {
  if (PLAIN.test(value)) return `${key}=${value}`;
  const quote = ["'", "`", '"'].find(
    (mark) => !value.includes(mark) && (mark !== '"' || !value.includes("\\")),
  );
  if (quote === undefined || /[\r\n]/.test(value))
    throw new FlowerError("usage", `the value of ${key} cannot be written into a .env file`, {
      nextStep: "give it without line breaks and without mixing all kinds of quotes",
    });
  return `${key}=${quote}${value}${quote}`;
}
