import { z } from "zod";

/** A field that holds a function. */
export const FUNCTION = z.custom((value) => typeof value === "function", "is no function");

/**
 * What is wrong with a value that no compiler may have seen, for the end of an error's sentence; undefined = nothing.
 * Only the first thing: the rest often follows from it.
 */
export function wrongPart(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const field = issue.path.join(".");
  return `a wrong ${field === "" ? "form" : `\`${field}\``}: ${issue.message}`;
}
