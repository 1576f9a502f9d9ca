import { readFileSync } from "node:fs";
import type { ZodType } from "zod";
import { errorText } from "./errors.ts";

/** A JSON file of flower's own as it was found. */
export type JsonLook<T> =
  | { state: "sound"; value: T }
  | { state: "missing" }
  /** `why`: half a sentence. */
  | { state: "damaged"; why: string }
  | { state: "newer"; version: number }
  /** The file system said no; `error` is its own. */
  | { state: "unreadable"; error: unknown };

/**
 * Looks at a JSON file whose version stands in `v`, of the whole or of each row, and changes nothing.
 * @param newest the highest version that this flower knows.
 */
export function lookAtJson<T>(path: string, schema: ZodType<T>, newest: number): JsonLook<T> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { state: "missing" };
    if (code === "EISDIR") return { state: "damaged", why: "it is a directory" };
    return { state: "unreadable", error };
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { state: "damaged", why: "no valid JSON" };
  }
  const version = Math.max(0, ...versionsIn(raw));
  if (version > newest) return { state: "newer", version };
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { state: "sound", value: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    state: "damaged",
    why: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? errorText(parsed.error)}`,
  };
}

function versionsIn(raw: unknown): number[] {
  const rows = Array.isArray(raw) ? raw : [raw];
  return rows.flatMap((row: unknown) => {
    const version = typeof row === "object" && row !== null && "v" in row ? row.v : undefined;
    return typeof version === "number" ? [version] : [];
  });
}
