import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "dotenv";
import { FlowerError } from "../core/errors.ts";

/** What the harness takes from the environment. */
export const CREDENTIAL_KEYS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "CLAUDE_CODE_SUBAGENT_MODEL",
  "CLAUDE_CODE_EFFORT_LEVEL",
] as const;

/** One of the nine keys. */
export type CredentialKey = (typeof CREDENTIAL_KEYS)[number];

/** Values with where each was found. */
export interface Credentials {
  values: Partial<Record<CredentialKey, string>>;
  /** Name of the source by key, e.g. `environment` or a file's path. */
  sources: Partial<Record<CredentialKey, string>>;
}

/** Where to look. */
export interface CredentialPlaces {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  home: string;
}

interface Source {
  name: string;
  values: Readonly<Record<string, string | undefined>>;
  /** Comes with the workspace, and so perhaps from a stranger. */
  ofWorkspace?: boolean;
}

/**
 * Environment > `$FLOWER_ENV` > `<workspace>/.env` > the person's config > the `env` block of the person's Claude
 * settings. An empty value does not count as set, so it never hides a lower source.
 * @throws FlowerError `credentials` when the workspace's file names the endpoint and the token comes from elsewhere:
 * a cloned repository must not send someone's token to a server of its choice.
 */
export function resolveCredentials(places: CredentialPlaces): Credentials {
  const values: Partial<Record<CredentialKey, string>> = {};
  const found: Partial<Record<CredentialKey, Source>> = {};
  for (const source of sourcesOf(places)) {
    for (const key of CREDENTIAL_KEYS) {
      const value = source.values[key];
      if (value === undefined || value === "" || values[key] !== undefined) continue;
      values[key] = value;
      found[key] = source;
    }
  }
  const endpoint = found.ANTHROPIC_BASE_URL;
  const token = found.ANTHROPIC_API_KEY ?? found.ANTHROPIC_AUTH_TOKEN;
  if (endpoint?.ofWorkspace === true && token !== undefined && token !== endpoint)
    throw new FlowerError(
      "credentials",
      `${endpoint.name} names the endpoint ${values.ANTHROPIC_BASE_URL ?? ""}, but the token comes from ${token.name}`,
      {
        nextStep:
          "set both in one place; to confirm this endpoint, set ANTHROPIC_BASE_URL in your environment",
      },
    );
  const sources = Object.fromEntries(Object.entries(found).map(([key, source]) => [key, source.name]));
  return { values, sources };
}

/** First 4 characters and an ellipsis: enough to tell tokens apart. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…`;
}

function sourcesOf({ env, workspace, home }: CredentialPlaces): Source[] {
  const config = env["XDG_CONFIG_HOME"];
  const files = [
    ...(env["FLOWER_ENV"] === undefined || env["FLOWER_ENV"] === ""
      ? []
      : [{ path: resolve(env["FLOWER_ENV"]) }]),
    { path: join(workspace, ".env"), ofWorkspace: true },
    { path: join(config === undefined || config === "" ? join(home, ".config") : config, "flower", ".env") },
  ];
  return [
    { name: "environment", values: env },
    ...files.map(({ path, ...rest }) => ({ name: path, values: parse(readText(path)), ...rest })),
    ...["settings.local.json", "settings.json"].map((name) => {
      const path = join(home, ".claude", name);
      return { name: path, values: settingsEnv(readText(path)) };
    }),
  ];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function settingsEnv(text: string): Record<string, string> {
  try {
    const settings: unknown = JSON.parse(text);
    const env = (settings as { env?: unknown } | null)?.env;
    if (typeof env !== "object" || env === null) return {};
    return Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    // Not ours to repair; the harness itself complains about it.
    return {};
  }
}
