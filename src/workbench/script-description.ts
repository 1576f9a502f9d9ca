import { closeSync, openSync, readSync, type Stats } from "node:fs";

/** The description stands at the head of a file; a script may be large. */
const HEAD_BYTES = 1024;
/** A longer description would crowd the index out of its place in the context, characters. */
const MAX_DESCRIPTION = 200;
const DESCRIPTION = /^\s*(?:#|\/\/|--)\s*desc\s*[::]\s*(.*\S)/i;

/** How comments and docstrings begin; the words may follow on the next line. */
const OPENINGS = /^\s*(?:#+!?|\/\/+!?|--+|;+|%+|\/\*+!?|\(\*+|<!--|[rbu]?"""|[rbu]?''')/i;
/** A line within a block comment. */
const CONTINUED = /^\s*\*?/;
const CLOSINGS = /\s*(?:\*+\/|\*+\)|-->|"""|''').*$/;
/** Said to tools and lawyers, not about what the script does; an empty `desc:` says nothing either. */
const NO_DESCRIPTION =
  /^(?:desc\s*[::]|-\*-|coding[:=]|vim:|eslint|shellcheck|prettier-|@|spdx|copyright|\(c\)|©|licen[sc]e|syntax=|type:|pylint|noqa|mypy|ruff|[-=*#_/\s]*$)/i;

const LABEL = /^\s*(?:description|summary|purpose)\s*[::]/i;

/**
 * What a script does, by its head: the sentence after `# desc:`, `// desc:` or `-- desc:` on the first line, or on the
 * second below a `#!` line; without one, the first words of the comment or docstring that it begins with. Undefined when it
 * begins with neither, or is no text.
 */
export function describeScript(head: string): string | undefined {
  const lines = head.replace(/^\ufeff/, "").split(/\r?\n/);
  const body = lines[0]?.startsWith("#!") === true ? lines.slice(1) : lines;
  const description = DESCRIPTION.exec(body[0] ?? "")?.[1] ?? firstComment(body);
  // By code points: half a surrogate pair is refused by the API.
  return description === undefined || description.includes("\0")
    ? undefined
    : Array.from(description).slice(0, MAX_DESCRIPTION).join("");
}

function firstComment(lines: readonly string[]): string | undefined {
  let within = false;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const opens = OPENINGS.test(line);
    if (!opens && !within) return undefined;
    const said = line
      .replace(opens ? OPENINGS : CONTINUED, "")
      .replace(CLOSINGS, "")
      .replace(LABEL, "")
      .trim();
    if (said !== "" && !NO_DESCRIPTION.test(said)) return said;
    // A block goes on until it is closed, and so does a docstring.
    if (/\/\*|\(\*|<!--|"""|'''/.test(line)) within = true;
    if (CLOSINGS.test(line.replace(OPENINGS, ""))) within = false;
  }
  return undefined;
}

/** Reads the first bytes of a file. @throws the file system's error. */
export function readHead(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString("utf8", 0, readSync(file, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/**
 * {@link describeScript} of files, read once each as long as they stay what they were; undefined also for one that cannot
 * be read.
 */
export function scriptDescriptions(
  read: (path: string) => string = readHead,
): (path: string, stats: Stats) => string | undefined {
  const known = new Map<string, { version: string; description: string | undefined }>();
  return (path, { ino, size, mtimeMs, ctimeMs }) => {
    const version = [ino, size, mtimeMs, ctimeMs].join(" ");
    const found = known.get(path);
    if (found?.version === version) return found.description;
    const description = describe(path, read);
    known.set(path, { version, description });
    return description;
  };
}

function describe(path: string, read: (path: string) => string): string | undefined {
  try {
    return describeScript(read(path));
  } catch {
    return undefined;
  }
}
