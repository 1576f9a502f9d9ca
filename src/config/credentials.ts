import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { tokensIn } from "../context/token-shapes.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { walk } from "../core/files.ts";
import { stripControl } from "../core/terminal-text.ts";
import { isConfirmedEndpoint } from "./confirmed-endpoints.ts";
import { readDotenv } from "./dotenv.ts";
import { shownAddress } from "./shown-address.ts";
import { userConfigDir } from "./user-files.ts";

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
  /** Lines and files about credentials that could not be read as they were meant, one sentence each, no values. */
  warnings: readonly string[];
}

/** Where to look. */
export interface CredentialPlaces {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  home: string;
}

const TOKENS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;

interface Source {
  name: string;
  warnings?: readonly string[];
  values: Readonly<Record<string, string | undefined>>;
  /** Comes with the workspace, and so perhaps from a stranger. */
  ofWorkspace?: boolean;
}

/**
 * Environment > `$FLOWER_ENV` > `<workspace>/.env` > the person's config > the `env` block of the person's Claude
 * settings, `settings.local.json` before `settings.json`. An empty or blank value does not count as set, so it never hides a
 * lower source.
 * @throws FlowerError `credentials` when the workspace's file names the endpoint, a token comes from elsewhere and the
 * endpoint was not confirmed: a cloned repository must not send someone's token to a server of its choice. Its `data`
 * holds `workspace` and `endpoint` as `confirmEndpoint` takes them. Also when `$FLOWER_ENV` cannot be read.
 */
export function resolveCredentials(places: CredentialPlaces): Credentials {
  const values: Partial<Record<CredentialKey, string>> = {};
  const found: Partial<Record<CredentialKey, Source>> = {};
  const sources = sourcesOf(places);
  for (const source of sources) {
    for (const key of CREDENTIAL_KEYS) {
      const value = source.values[key];
      if (value === undefined || value.trim() === "" || values[key] !== undefined) continue;
      values[key] = value;
      found[key] = source;
    }
  }
  refuseNoUrl(values.ANTHROPIC_BASE_URL, found.ANTHROPIC_BASE_URL?.name);
  refuseForeignEndpoint(places, values.ANTHROPIC_BASE_URL, found);
  return {
    values,
    sources: Object.fromEntries(Object.entries(found).map(([key, source]) => [key, source.name])),
    warnings: sources.flatMap((source) => source.warnings ?? []),
  };
}

function refuseForeignEndpoint(
  places: CredentialPlaces,
  endpoint: string | undefined,
  found: Readonly<Partial<Record<CredentialKey, Source>>>,
): void {
  const source = found.ANTHROPIC_BASE_URL;
  if (endpoint === undefined || source?.ofWorkspace !== true) return;
  // Both tokens count: the harness may send either.
  const foreign = TOKENS.map((key) => found[key]).find((token) => token !== undefined && token !== source);
  const asked = { workspace: places.workspace, endpoint };
  if (foreign === undefined || isConfirmedEndpoint(places, asked)) return;
  throw new FlowerError(
    "credentials",
    `${source.name} names the endpoint ${shownAddress(endpoint)}, but the token comes from ${foreign.name}`,
    {
      nextStep:
        "set both in one place; if your token may go to this endpoint, set ANTHROPIC_BASE_URL in your own environment",
      data: asked,
    },
  );
}

/** `localhost:8080` is a URL of the scheme `localhost`, and would be tried for ever. */
function refuseNoUrl(endpoint: string | undefined, source = ""): void {
  if (endpoint === undefined || (/^https?:\/\/[^/]/i.test(endpoint) && URL.canParse(endpoint))) return;
  // Not shown: it may hold a password.
  throw new FlowerError("credentials", `ANTHROPIC_BASE_URL in ${source} is no http or https address`, {
    nextStep: "write it as https://host or http://host:port",
  });
}

/**
 * Names whose values are nobody's business. Short words count as words only: `GH_PAT` but not `PATH`, `NPM_AUTH` but
 * not `GIT_AUTHOR_NAME` or `SSH_AUTH_SOCK`, `API_KEY` but not `KEYBOARD`, `DB_PASS` but not `COMPASS` or `PASSENGERS`.
 */
const SECRET_NAME = new RegExp(
  [
    "TOKEN|SECRET|CREDENTIAL|PRIVATE|AUTHORIZATION",
    "KEYS?(?![A-Z])",
    "(?<!COM|BY)PASS(?:W|PHRASE|CODE|KEY|(?![A-Z]))",
    "PWD(?![A-Z])",
    "(?<![A-Z])PAT(?![A-Z])",
    "AUTH(?:_?(?:HEADER|COOKIE|BEARER))?(?:_?\\d+)?$",
  ].join("|"),
  "i",
);
/** Names of addresses that hold a password or are one, unless they are plainly of this machine. */
const SECRET_ADDRESS_NAME =
  /WEBHOOK(?:S|_?UR[IL]S?)?(?:_?\d+)?$|(?<![A-Z])DSN(?![A-Z])|CONN(?:ECTION)?_?STR(?:ING)?|(?:DATABASE|POSTGRES\w*|MYSQL\w*|AMQP\w*|REDIS\w*|MONGO\w*)_UR[IL]/i;

/** What of a variable must not show: all of it by its name, else the tokens in it. */
function secretsOf(name: string, value: string): string[] {
  const isSecret = SECRET_NAME.test(name) || (SECRET_ADDRESS_NAME.test(name) && !PLAIN_VALUE.test(value));
  return isSecret ? [value] : tokensIn(value);
}

/**
 * Values that must not show: the tokens in use, and what the workspace's `.env` and the environment keep under names
 * of secrets or in the shape of a token. Tools inherit the environment, and print it.
 */
export function secretValues(
  { values }: Pick<Credentials, "values">,
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const inherited = Object.entries(env).flatMap(([name, value = ""]) =>
    PLAIN_VALUE.test(value) ? [] : secretsOf(name, value),
  );
  return [...TOKENS.flatMap((name) => values[name] ?? []), ...envSecrets(workspace), ...inherited];
}

/** What the workspace's `.env` files, as they are now, keep under names of secrets or in the shape of a token. */
export function envSecrets(workspace: string): string[] {
  return envEntries(workspace).flatMap(([name, value]) => secretsOf(name, value));
}

/**
 * Also what they keep under other names, but for words, numbers, paths and addresses of this machine, which tell
 * nothing: for documents that outlive the run.
 */
export function envValues(workspace: string): string[] {
  return envEntries(workspace).flatMap(([name, value]) =>
    PLAIN_VALUE.test(value) ? secretsOf(name, value) : [value],
  );
}

const PLAIN_VALUE =
  /^(?:[\p{L} _-]*|[\d., _:-]*|[~.]{0,2}\/[^@]*|(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/][^@]*)?)$/u;

function envEntries(workspace: string): Array<[name: string, value: string]> {
  return envFiles(workspace).flatMap((path) =>
    Object.entries(envFile(path).values).flatMap(([name, value]): Array<[string, string]> =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Levels below the workspace, and directories in all, that are looked through for `.env` files. */
const ENV_DEPTH = 6;
const ENV_DIRS = 1_000;
const NOT_LOOKED_INTO = /^(?:node_modules|\.git|\.flower|runs|dist|build|target|\.?venv)$/;

/** `.env`, `.env.local`, `backend/.env.production` …; an example holds no secrets. */
function envFiles(workspace: string): string[] {
  const bounds = {
    maxDirs: ENV_DIRS,
    maxDepth: ENV_DEPTH,
    enters: (name: string) => !NOT_LOOKED_INTO.test(name),
  };
  return [...walk(workspace, bounds)].filter((path) => {
    const name = basename(path);
    return /^\.env(?:\.[\w-]+)*$/.test(name) && !/example|sample|template/.test(name);
  });
}

/** First 4 characters and an ellipsis: enough to tell tokens apart. A token that is no longer shows nothing. */
export function maskToken(token: string): string {
  return token.length > 4 ? `${token.slice(0, 4)}…` : "…";
}

/** One of the nine values as a person may see it: tokens masked, an address without secrets, a name as letters. */
export function shownCredential(key: CredentialKey, value: string): string {
  if (/KEY|TOKEN/.test(key)) return stripControl(maskToken(value));
  return key === "ANTHROPIC_BASE_URL" ? shownAddress(value) : stripControl(value);
}

function sourcesOf(places: CredentialPlaces): Source[] {
  const { env, workspace, home } = places;
  const chosen = env["FLOWER_ENV"];
  const claude = join(home, ".claude");
  return [
    { name: "environment", values: env },
    ...(chosen === undefined || chosen === "" ? [] : [envFile(resolve(chosen), { required: true })]),
    { ...envFile(join(workspace, ".env")), ofWorkspace: true },
    envFile(join(userConfigDir(places), ".env")),
    settingsFile(join(claude, "settings.local.json")),
    settingsFile(join(claude, "settings.json")),
  ];
}

function envFile(path: string, { required = false } = {}): Source {
  const read = readText(path);
  if ("problem" in read) {
    if (required)
      throw new FlowerError(
        "credentials",
        `FLOWER_ENV names ${path}, which cannot be read: ${read.problem}`,
        {
          nextStep: "name a file that can be read, or unset FLOWER_ENV",
        },
      );
    return {
      name: path,
      values: {},
      warnings: read.missing ? [] : [`${path} cannot be read: ${read.problem}`],
    };
  }
  const { values, reports } = readDotenv(read.text);
  const warnings = reports
    // A project's own lines are the project's business.
    .filter(({ key = "" }) => CREDENTIAL_KEYS.some((known) => known === key) || key.startsWith("FLOWER_"))
    .map(({ line, key, problem }) => `${path}, line ${line} (${key ?? ""}): ${problem}`);
  return { name: path, values, warnings };
}

function settingsFile(path: string): Source {
  const read = readText(path);
  if ("problem" in read)
    return {
      name: path,
      values: {},
      warnings: read.missing ? [] : [`${path} cannot be read: ${read.problem}`],
    };
  try {
    const settings: unknown = JSON.parse(read.text);
    const env = (settings as { env?: unknown } | null)?.env;
    const entries = typeof env === "object" && env !== null ? Object.entries(env) : [];
    const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return { name: path, values: Object.fromEntries(texts) };
  } catch {
    return { name: path, values: {}, warnings: [`${path} is no valid JSON; its env block is not used`] };
  }
}

/** `missing`: nothing is there, or a directory of that name, as some tools make one called `.env`. */
function readText(path: string): { text: string } | { problem: string; missing: boolean } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { problem: errorText(error), missing: ["ENOENT", "ENOTDIR", "EISDIR"].includes(code) };
  }
}
