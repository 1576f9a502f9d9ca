/** Whether a JSON value is an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is wrong with an object whose `type` must be one of `tags`, or undefined. */
export function wrongTag(value: unknown, path: string, tags: ReadonlySet<string>): string | undefined {
  if (!isRecord(value) || typeof value["type"] !== "string") return `${path}.type: Field required`;
  if (tags.has(value["type"])) return undefined;
  return (
    `${path}: Input tag '${value["type"]}' found using 'type' does not match any of the expected tags: ` +
    [...tags].join(", ")
  );
}

const NAME = /^[\w-]{1,128}$/;

/** What is wrong with the name of a tool or the id of a call, or undefined. */
export const wrongName = (value: unknown, path: string): string | undefined =>
  typeof value === "string" && NAME.test(value)
    ? undefined
    : `${path}: String should match pattern '${NAME.source}'`;
