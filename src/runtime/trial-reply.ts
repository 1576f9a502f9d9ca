import { isBilling } from "./billing.ts";

/** What one small request to an endpoint came to. `detail`: the other side's words or an error code, not yet fit to show. */
export type Trial =
  | { kind: "works"; model: string }
  | { kind: "refusedKey"; status: number }
  | { kind: "noCredit" }
  | { kind: "unknownModel"; model: string }
  /** Something answers there, but not the Messages API. */
  | { kind: "notMessages"; status: number }
  | { kind: "redirects"; location: string }
  /** Too many requests, or an allowance that is used up: the key was taken. */
  | { kind: "limited"; detail: string }
  /** Trouble of the other side's own. */
  | { kind: "busy"; status: number }
  | { kind: "refused"; status: number; detail: string }
  | { kind: "proxyRefuses"; status: number }
  | { kind: "unreachable"; detail: string }
  | { kind: "certificate"; detail: string }
  | { kind: "silent"; seconds: number };

/** More of an endpoint's words is a page, characters. */
const DETAIL_CHARS = 200;
const NO_SUCH_MODEL =
  /model[^.]{0,120}(?:not (?:be )?(?:found|exist|supported|available|loaded)|does ?n[o']t exist|unknown|invalid|no access)|(?:unknown|invalid|no such|unsupported|not found)[^.]{0,40}model|unable to find model/i;

/** Tells what an HTTP reply to a request for one token of `model` means. */
export function readReply({
  status,
  body,
  model,
  location,
}: {
  status: number;
  body: string;
  model: string;
  /** Where a redirect leads. */
  location?: string | undefined;
}): Trial {
  const json = parsed(body);
  const detail = messageOf(json) ?? "";
  if (status >= 200 && status < 300)
    return json?.["type"] === "message" ? { kind: "works", model } : { kind: "notMessages", status };
  if (status >= 300 && status < 400) return { kind: "redirects", location: location ?? "?" };
  if (isBilling(detail, status)) return { kind: "noCredit" };
  if (status === 407) return { kind: "proxyRefuses", status };
  // A page that says no is a firewall's.
  if (status === 401 || (status === 403 && json !== undefined)) return { kind: "refusedKey", status };
  if (status === 429) return { kind: "limited", detail: detail.slice(0, DETAIL_CHARS) };
  if ([400, 404, 422, 500].includes(status) && NO_SUCH_MODEL.test(detail))
    return { kind: "unknownModel", model };
  if (status === 404 && isAboutModel(detail, model)) return { kind: "unknownModel", model };
  if ([404, 405, 501].includes(status)) return { kind: "notMessages", status };
  if (status >= 500) return { kind: "busy", status };
  return { kind: "refused", status, detail: detail.slice(0, DETAIL_CHARS) };
}

/** The API's own words are `model: <name>`. */
const isAboutModel = (detail: string, model: string): boolean =>
  /\bmodel\b/i.test(detail) || detail.includes(model);

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `error.message` of the API, `error`, `message` or `detail` of others. */
function messageOf(json: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { error, message, detail } = json ?? {};
  const inner = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return [inner, message, detail].find((text): text is string => typeof text === "string");
}
