import type { ZodType } from "zod";
import { errorText, FlowerError } from "../core/errors.ts";
import { setAside } from "../core/files.ts";
import { lookAtJson } from "../core/look-at-json.ts";

/** A JSON file that was read, or why there is none. */
export type JsonFile<T> = { value: T } | { missing: true } | { damaged: string };

/**
 * Reads a JSON file of flower's own. A damaged file is set aside (`damaged` says in one line where), so that nothing
 * is lost and work goes on.
 * @throws FlowerError `format` when the file is from a newer version: it must not be overwritten.
 */
export function readJsonFile<T>(path: string, schema: ZodType<T>, newest: number): JsonFile<T> {
  const look = lookAtJson(path, schema, newest);
  switch (look.state) {
    case "sound":
      return { value: look.value };
    case "missing":
      return { missing: true };
    case "damaged":
      return { damaged: `${path} is damaged (${look.why}); kept as ${setAside(path)}` };
    case "newer":
      throw new FlowerError(
        "format",
        `${path} was written by a newer flower (format ${look.version}, known: ${newest})`,
        { nextStep: "update flower, or use another --run-dir", data: { path } },
      );
    case "unreadable":
      throw new FlowerError("workspace", `${path} cannot be read: ${errorText(look.error)}`, {
        nextStep: "make it readable, or use another --run-dir",
        cause: look.error,
      });
  }
}
