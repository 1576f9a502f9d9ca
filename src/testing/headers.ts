import type { IncomingHttpHeaders } from "node:http";
import { invalid, type Refusal } from "./refusal.ts";

/**
 * What the API refuses in the headers of a request, or undefined.
 * @param apiKey the only key that is let in; undefined lets any in
 */
export function checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): Refusal | undefined {
  const key = headers["x-api-key"] ?? "";
  const given = key === "" ? headers.authorization?.replace(/^Bearer\b\s*/i, "") : key;
  const refusal = { kind: "authentication", status: 401, type: "authentication_error" } as const;
  if (given === undefined || given === "") return { ...refusal, message: "x-api-key header is required" };
  if (apiKey !== undefined && given !== apiKey) return { ...refusal, message: "invalid x-api-key" };
  return (headers["anthropic-version"] ?? "") === ""
    ? invalid("shape", "anthropic-version: header is required")
    : undefined;
}
