import { readFileSync } from "node:fs";
import type { ZodType } from "zod";
import { errorText, FlowerError } from "../core/errors.ts";
import { setAside } from "../core/files.ts";

/** A JSON file that was read, or why there is none. */
export type JsonFile<T> = { value: T } | { missing: true } | { damaged: string };

/**
 * Reads a JSON file of flower's own. A damaged file is set aside (`damaged` says in one line where), so that nothing
 * is lost and work goes on.
 * @throws FlowerError `format` when the file is from a newer version: it must not be overwritten.
 */
export function readJsonFile<T>(path: string, schema: ZodType<T>, newest: number): JsonFile<T> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { missing: true };
    if (code === "EISDIR")
      return { damaged: `${path} is damaged (it is a directory); kept as ${setAside(path)}` };
    throw new FlowerError("workspace", `${path} cannot be read: ${errorText(error)}`, {
      nextStep: "make it readable, or use another --run-dir",
      cause: error,
    });
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { damaged: `${path} is damaged (no valid JSON); kept as ${setAside(path)}` };
  }
  for (const version of versionsIn(raw)) {
    if (version > newest)
      throw new FlowerError(
        "format",
        `${path} was written by a newer flower (format ${version}, known: ${newest})`,
        {
          nextStep: "update flower, or use another --run-dir",
          data: { path },
        },
      );
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data };
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  return {
    damaged: `${path} is damaged (${where}: ${parsed.error.issues[0]?.message ?? ""}); kept as ${setAside(path)}`,
  };
}

function versionsIn(raw: unknown): number[] {
  const rows = Array.isArray(raw) ? raw : [raw];
  return rows.flatMap((row: unknown) => {
    const version = typeof row === "object" && row !== null && "v" in row ? row.v : undefined;
    return typeof version === "number" ? [version] : [];
  });
}
