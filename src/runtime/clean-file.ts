import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { pagedCopy, pagedPath } from "../context/paged-copy.ts";
import { writeAtomic } from "../core/files.ts";

/** Kept of a larger file at either end, bytes. A text of more than 512 MB cannot even be read (Node 20). */
const END_BYTES = 8 * 1024 ** 2;
/** No secret is longer, bytes: one that a cut goes through is out of the part that is kept. */
const SECRET_BYTES = 64 * 1024;

/**
 * Takes secrets out of what a command left on disk, and puts a copy with broken lines beside it where one is needed. Of
 * a file of more than 16 MiB only the two ends are kept, and it says so in the middle.
 * @param from where the text is read, when that is another file; it stays. Default: the same.
 * @throws the file system's error.
 */
export function cleanFile(path: string, redact: (text: string) => string, from = path): void {
  const { text, clean } = readClean(from, redact);
  if (clean !== text || from !== path) writeAtomic(path, clean);
  const copy = pagedCopy(clean);
  if (copy !== undefined) writeAtomic(pagedPath(path), copy);
}

function readClean(
  path: string,
  redact: (text: string) => string,
): { text: string | undefined; clean: string } {
  return withFile(path, (size, part) => {
    if (size <= 2 * END_BYTES) {
      const text = part(0, size);
      return { text, clean: redact(text) };
    }
    const read = END_BYTES + SECRET_BYTES;
    const head = redact(part(0, read)).slice(0, -SECRET_BYTES);
    const tail = redact(part(size - read, read)).slice(SECRET_BYTES);
    const note = `[… ${size} bytes were printed here in all: only the two ends are kept …]`;
    return { text: undefined, clean: `${head}\n${note}\n${tail}` };
  });
}

/** The last bytes of a file; undefined when there is none. */
export function endOf(path: string, bytes: number): string | undefined {
  try {
    return withFile(path, (size, part) => part(Math.max(0, size - bytes), Math.min(size, bytes)));
  } catch {
    return undefined;
  }
}

function withFile<T>(
  path: string,
  use: (size: number, part: (from: number, bytes: number) => string) => T,
): T {
  const file = openSync(path, "r");
  try {
    return use(fstatSync(file).size, (from, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, bytes, from));
    });
  } finally {
    closeSync(file);
  }
}
