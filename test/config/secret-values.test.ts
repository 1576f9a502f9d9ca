import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { envSecrets, secretValues } from "../../src/config/credentials.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

/** What counts as secret of one variable, in a `.env` and in the environment. */
function secretIn(name: string, value: string) {
  const workspace = tempDir();
  writeFileSync(join(workspace, ".env"), `${name}=${value}\n`);
  return {
    file: envSecrets(workspace),
    environment: secretValues({ values: {} }, tempDir(), { [name]: value }),
  };
}

describe("names of secrets", () => {
  it.each([
    "API_KEY",
    "apiKey",
    "SSH_KEYS",
    "GH_PAT",
    "PAT_2",
    "NPM_AUTH",
    "_auth",
    "BASICAUTH",
    "HTTP_AUTH_HEADER",
    "PROXY_AUTHORIZATION",
    "PGPASSWORD",
    "DB_PASS",
    "SSHPASS",
    "KEY_PASSPHRASE",
    "MYSQL_PWD",
    "AWS_CREDENTIALS",
    "FIREBASE_PRIVATE_KEY",
    "SLACK_WEBHOOK",
    "WEBHOOK_URL_2",
    "SENTRY_DSN",
    "AZURE_CONNECTION_STRING",
    "POSTGRES_URL",
  ])("%s is one", (name) => {
    const secret = ["x-4711@host/y"];
    expect(secretIn(name, "x-4711@host/y")).toEqual({ file: secret, environment: secret });
  });

  it.each([
    "PATH",
    "PATTERN_1",
    "DISPATCH",
    "GIT_AUTHOR_EMAIL",
    "AUTHORS",
    "SSH_AUTH_SOCK",
    "AUTH_URL",
    "KEYBOARD",
    "KEYCLOAK_HOST",
    "COMPASS_HOST",
    "PASSENGERS",
    "WEBHOOK_PATH",
    "CERT_HOST",
  ])("%s is none", (name) => {
    expect(secretIn(name, "x-4711@host/y")).toEqual({ file: [], environment: [] });
  });

  it("an address of this machine is none, whatever its name", () => {
    const none = { file: [], environment: [] };
    expect(secretIn("SLACK_WEBHOOK", "http://localhost:3000/hook")).toEqual(none);
    expect(secretIn("DATABASE_URL", "postgres://localhost:5432/db")).toEqual(none);
    expect(secretIn("DATABASE_URL", "postgres://u:pw@localhost:5432/db").file).toHaveLength(1);
  });
});

describe("values of a token's shape, whatever their name", () => {
  it.each([
    "ghp_planted0123456789",
    "gho_planted0123456789",
    "github_pat_planted0123456789",
    "xoxb-planted-0123456789",
    "sk-planted-0123456789",
    "AKIAPLANTED012345678",
    "AIzaPlanted-0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln",
    "https://hooks.slack.com/services/T0/B0/planted",
  ])("%s", (value) => {
    expect(secretIn("THING", value)).toEqual({ file: [value], environment: [value] });
  });

  it("a token is found within a value", () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    expect(secretIn("REMOTE", `https://me:${token}@github.com/me/it`)).toEqual({
      file: [token],
      environment: [token],
    });
  });

  it.each(["production", "sk-short", "0123456789abcdef0123456789abcdef01234567", "https://example.com/eyJ"])(
    "%s is none",
    (value) => expect(secretIn("THING", value)).toEqual({ file: [], environment: [] }),
  );
});
