import type { CredentialKey, Credentials } from "../config/credentials.ts";
import { FlowerError } from "../core/errors.ts";

/** The names that setup writes. */
export const SETUP_KEYS = [
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_MODEL",
] as const satisfies readonly CredentialKey[];

/** Values of those names. */
export type SetupValues = Partial<Record<(typeof SETUP_KEYS)[number], string>>;

/** As what a token is sent: `x-api-key`, or `Authorization: Bearer`. */
export type TokenKind = "api-key" | "auth-token";

/** What the person said; undefined = as it is, {@link NONE} for address and model = none. */
export interface SetupAnswers {
  token?: string;
  tokenAs?: TokenKind;
  baseUrl?: string;
  model?: string;
}

/** Said instead of an address or a model: the API's own, the default. */
export const NONE = "-";

/**
 * The values that the file is to have, from those that it has.
 * @throws FlowerError `usage` for values that cannot be right, without any token, and when a new address would get the
 * token of the old one.
 */
export function planSetup(current: SetupValues, answers: SetupAnswers): SetupValues {
  const before = current.ANTHROPIC_BASE_URL || undefined;
  const baseUrl = answers.baseUrl === undefined ? before : readBaseUrl(answers.baseUrl);
  const model = answers.model === undefined ? current.ANTHROPIC_MODEL || undefined : readModel(answers.model);
  return {
    ...(baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    ...tokens(current, answers, baseUrl),
    ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
  };
}

function tokens(
  current: SetupValues,
  { token, tokenAs }: SetupAnswers,
  baseUrl: string | undefined,
): SetupValues {
  if (token !== undefined) return tokenValue(readToken(token), tokenAs ?? kindFor(baseUrl));
  const { ANTHROPIC_API_KEY: key = "", ANTHROPIC_AUTH_TOKEN: bearer = "" } = current;
  if (key === "" && bearer === "")
    throw new FlowerError("usage", "there is no token", {
      nextStep:
        "type it when flower setup asks for it at a terminal, or pipe it in: flower setup --token-stdin",
    });
  if (!keepsToken(current, baseUrl))
    throw new FlowerError("usage", "the token that is there belongs to another address", {
      nextStep: "give the new address its own token, e.g. with --token-stdin",
    });
  if (tokenAs !== undefined) return tokenValue(bearer === "" ? key : bearer, tokenAs);
  return {
    ...(bearer === "" ? {} : { ANTHROPIC_AUTH_TOKEN: bearer }),
    ...(key === "" ? {} : { ANTHROPIC_API_KEY: key }),
  };
}

/** Whether there is a token that may go to that address. */
export function keepsToken(current: SetupValues, baseUrl: string | undefined): boolean {
  const {
    ANTHROPIC_API_KEY: key = "",
    ANTHROPIC_AUTH_TOKEN: bearer = "",
    ANTHROPIC_BASE_URL: before = "",
  } = current;
  return (key !== "" || bearer !== "") && trimmed(before) === trimmed(baseUrl ?? "");
}

const tokenValue = (token: string, kind: TokenKind): SetupValues =>
  kind === "api-key" ? { ANTHROPIC_API_KEY: token } : { ANTHROPIC_AUTH_TOKEN: token };

/** Gateways and local servers take bearer tokens, the API's own endpoint takes keys. */
function kindFor(baseUrl: string | undefined): TokenKind {
  return baseUrl === undefined || new URL(baseUrl).hostname === "api.anthropic.com"
    ? "api-key"
    : "auth-token";
}

/** A token as it was typed or pasted. @throws FlowerError `usage`, without quoting it. */
export function readToken(typed: string): string {
  const token = typed.trim();
  if (/^[!#-&(-~]+$/.test(token) && !/^(?:export\s|ANTHROPIC_)/.test(token)) return token;
  throw new FlowerError(
    "usage",
    "that is no token: it is empty, or holds blanks, quotes or other signs that no token has",
    {
      nextStep: "copy the token alone, without its name and without quotes",
    },
  );
}

/**
 * An address, without the `/v1` or `/v1/messages` that is added to it; undefined for {@link NONE}.
 * @throws FlowerError `usage`.
 */
export function readBaseUrl(typed: string): string | undefined {
  const text = typed.trim();
  if (text === NONE) return undefined;
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new FlowerError("usage", "the base URL is no plain http or https address", {
      nextStep: "write it as https://host or http://host:port, without a name, a password or a query",
    });
  return trimmed(text);
}

const trimmed = (url: string): string => url.replace(/\/+$/, "").replace(/\/v1(?:\/messages)?$/, "");

/** A model's name; undefined for {@link NONE}. @throws FlowerError `usage`. */
export function readModel(typed: string): string | undefined {
  const model = typed.trim();
  if (model === NONE) return undefined;
  if (/^[!-~]+$/.test(model)) return model;
  throw new FlowerError("usage", "a model's name is one word", {
    nextStep: "name it as the endpoint does, e.g. claude-opus-5",
  });
}

/** Another source that goes before the file. */
export interface Overruled {
  key: (typeof SETUP_KEYS)[number];
  source: string;
}

/** What is used instead of the values that the file has, or beside them. */
export function overruled(
  inFile: SetupValues,
  { values, sources }: Pick<Credentials, "values" | "sources">,
): Overruled[] {
  return SETUP_KEYS.flatMap((key) =>
    (values[key] ?? "") === (inFile[key] ?? "") ? [] : [{ key, source: sources[key] ?? "" }],
  );
}
