/** Parts of a prompt below each other; those that are not there or empty are left out. */
export function together(...parts: ReadonlyArray<string | undefined>): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}
