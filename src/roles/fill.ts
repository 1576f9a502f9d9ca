import { FlowerError } from "../core/errors.ts";

/**
 * Puts values into the `{name}` places of a rule text; a place without a value is a mistake of whoever filled it.
 * @throws FlowerError `usage`
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new FlowerError("usage", `no value for ${place} in a rule text`);
    return value;
  });
}
