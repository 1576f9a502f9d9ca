import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ZodType } from "zod";
import { FlowerError } from "../core/errors.ts";
import { setAside } from "../core/files.ts";

/** The person, as far as files are concerned. */
export interface UserPlaces {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** `${XDG_CONFIG_HOME:-~/.config}/flower`. */
export function userConfigDir({ env, home }: UserPlaces): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base === undefined || base === "" ? join(home, ".config") : base, "flower");
}

/**
 * A JSON file of flower's own with its version in `v`. Undefined when it is missing or damaged; a damaged one is moved
 * aside, so that the next write loses nothing.
 * @throws FlowerError `format` when it is from a newer version.
 */
export function readUserFile<T extends { v: number }>(
  path: string,
  schema: ZodType<T>,
  newest: number,
): T | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) setAside(path);
    return undefined;
  }
  const version = typeof raw === "object" && raw !== null && "v" in raw ? raw.v : undefined;
  if (typeof version === "number" && version > newest) {
    throw new FlowerError(
      "format",
      `${path} was written by a newer flower (format ${version}, known: ${newest})`,
      {
        nextStep: "update flower, or move the file away",
      },
    );
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  setAside(path);
  return undefined;
}
