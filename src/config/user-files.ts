import { join } from "node:path";
import type { ZodType } from "zod";
import { FlowerError } from "../core/errors.ts";
import { setAside } from "../core/files.ts";
import { lookAtJson } from "../core/look-at-json.ts";

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
  const look = lookAtJson(path, schema, newest);
  if (look.state === "sound") return look.value;
  if (look.state === "newer")
    throw new FlowerError(
      "format",
      `${path} was written by a newer flower (format ${look.version}, known: ${newest})`,
      { nextStep: "update flower, or move the file away" },
    );
  if (look.state === "damaged") setAside(path);
  return undefined;
}
