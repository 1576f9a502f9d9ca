import { closeSync, openSync, readSync } from "node:fs";

/** The description stands at the head of a file; a script may be large. */
const HEAD_BYTES = 1024;
/** A longer description would crowd the index out of its place in the context, characters. */
const MAX_DESCRIPTION = 200;
const DESCRIPTION = /^\s*(?:#|\/\/|--)\s*desc\s*[::]\s*(.*\S)/i;

/**
 * The sentence after `# desc:`, `// desc:` or `-- desc:` on the first line, or on the second below a `#!` line.
 * Undefined without one.
 */
export function describeScript(head: string): string | undefined {
  const [first = "", second = ""] = head.replace(/^\ufeff/, "").split(/\r?\n/);
  const line = first.startsWith("#!") ? second : first;
  const description = DESCRIPTION.exec(line)?.[1];
  // By code points: half a surrogate pair is refused by the API.
  return description === undefined ? undefined : Array.from(description).slice(0, MAX_DESCRIPTION).join("");
}

/** {@link describeScript} of a file; undefined also when it cannot be read. */
export function describeScriptFile(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return describeScript(head.toString("utf8", 0, readSync(file, head, 0, HEAD_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
