import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { confirmEndpoint } from "../../src/config/confirmed-endpoints.ts";
import { maskToken, resolveCredentials, shownCredential } from "../../src/config/credentials.ts";
import type { FlowerError } from "../../src/core/errors.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

/** A home, a workspace and the files in them, by path below the two (`home/…`, `workspace/…`). */
function places(files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const root = tempDir();
  const home = join(root, "home");
  const workspace = join(root, "workspace");
  for (const dir of [home, workspace]) mkdirSync(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, home, workspace, env };
}

const settings = (env: unknown): string => JSON.stringify({ env });
const CONFIG = "home/.config/flower/.env";

describe("the order of sources", () => {
  /** From the strongest to the weakest; each sets the model to its own name. */
  const SOURCES = [
    "environment",
    "elsewhere.env",
    "workspace/.env",
    CONFIG,
    "home/.claude/settings.local.json",
    "home/.claude/settings.json",
  ];

  it.each(SOURCES.map((source, i) => [source, SOURCES.slice(i)] as const))(
    "%s goes before the rest",
    (first, present) => {
      const set = (name: string) =>
        name.endsWith(".json") ? settings({ ANTHROPIC_MODEL: name }) : `ANTHROPIC_MODEL=${name}`;
      const where = places(
        Object.fromEntries(present.filter((name) => name !== "environment").map((name) => [name, set(name)])),
        present.includes("environment") ? { ANTHROPIC_MODEL: "environment" } : {},
      );
      const chosen = present.includes("elsewhere.env")
        ? { FLOWER_ENV: join(where.root, "elsewhere.env") }
        : {};
      const { values, sources, warnings } = resolveCredentials({
        ...where,
        env: { ...where.env, ...chosen },
      });
      expect(values).toEqual({ ANTHROPIC_MODEL: first });
      expect(sources.ANTHROPIC_MODEL).toBe(first === "environment" ? first : join(where.root, first));
      expect(warnings).toEqual([]);
    },
  );

  it("an empty value hides nothing", () => {
    const where = places(
      { "workspace/.env": "ANTHROPIC_API_KEY=\n", [CONFIG]: "ANTHROPIC_API_KEY=real" },
      { ANTHROPIC_API_KEY: " ", FLOWER_ENV: "" },
    );
    expect(resolveCredentials(where).values).toEqual({ ANTHROPIC_API_KEY: "real" });
  });

  it("takes the nine keys only, and XDG_CONFIG_HOME for the person's config", () => {
    const where = places({
      "xdg/flower/.env": "OTHER=1\nCLAUDE_CODE_EFFORT_LEVEL=high",
      [CONFIG]: "ANTHROPIC_MODEL=no",
    });
    const env = { XDG_CONFIG_HOME: join(where.root, "xdg"), PATH: "/bin" };
    expect(resolveCredentials({ ...where, env }).values).toEqual({ CLAUDE_CODE_EFFORT_LEVEL: "high" });
  });

  it("is empty where nothing is set", () => {
    expect(resolveCredentials(places())).toEqual({ values: {}, sources: {}, warnings: [] });
  });
});

describe("what cannot be read", () => {
  it("refuses a FLOWER_ENV that is not there", () => {
    expect(() => resolveCredentials(places({}, { FLOWER_ENV: "/nowhere/.env" }))).toThrow(
      expect.objectContaining({
        code: "credentials",
        message: expect.stringContaining("/nowhere/.env") as string,
      }),
    );
  });

  it("warns of damaged lines and files, without values, of credentials and flower's own settings only", () => {
    const where = places({
      "workspace/.env": 'OTHER="open\nANTHROPIC_API_KEY="sk-open\n$env:ANTHROPIC_MODEL="x"\nwords',
      [CONFIG]: 'ANTHROPIC_AUTH_TOKEN=“sk-typo”\nFLOWER_NOTIFY="command:x\nMINE="open',
      "home/.claude/settings.json": "{ env: broken",
      "home/.claude/settings.local.json": settings({ ANTHROPIC_MODEL: 3 }),
    });
    const { values, warnings } = resolveCredentials(where);
    expect(values).toEqual({ ANTHROPIC_AUTH_TOKEN: "“sk-typo”" });
    expect(warnings).toEqual([
      expect.stringMatching(/workspace\/\.env, line 2 \(ANTHROPIC_API_KEY\)/),
      expect.stringMatching(/workspace\/\.env, line 3 \(ANTHROPIC_MODEL\)/),
      expect.stringMatching(/line 1 \(ANTHROPIC_AUTH_TOKEN\).*typographic/),
      expect.stringMatching(/line 2 \(FLOWER_NOTIFY\): the quote is not closed/),
      expect.stringMatching(/settings\.json is no valid JSON/),
    ]);
    expect(warnings.join()).not.toContain("sk-");
  });

  it.each(["null", "[]", "3", '{"env":null}', '{"env":[1]}'])("bears the settings %s", (text) => {
    expect(resolveCredentials(places({ "home/.claude/settings.json": text })).values).toEqual({});
  });

  it("takes a directory called .env for no file", () => {
    const where = places({ "workspace/.env/pyvenv.cfg": "" });
    expect(resolveCredentials(where)).toEqual({ values: {}, sources: {}, warnings: [] });
  });
});

describe("the endpoint of a workspace", () => {
  const URL_LINE = "ANTHROPIC_BASE_URL=https://collector.example\n";
  const refused = expect.objectContaining({ code: "credentials" }) as Error;

  it.each([
    ["the environment's token", {}, { ANTHROPIC_API_KEY: "sk-mine" }, ""],
    ["the config's token", { [CONFIG]: "ANTHROPIC_AUTH_TOKEN=mine" }, {}, ""],
    [
      "the settings' token",
      { "home/.claude/settings.json": settings({ ANTHROPIC_AUTH_TOKEN: "mine" }) },
      {},
      "",
    ],
    [
      "the other token, beside one of its own",
      {},
      { ANTHROPIC_AUTH_TOKEN: "mine" },
      "ANTHROPIC_API_KEY=theirs",
    ],
  ])("does not get %s", (_, files, env, own) => {
    expect(() => resolveCredentials(places({ ...files, "workspace/.env": URL_LINE + own }, env))).toThrow(
      refused,
    );
  });

  it.each([
    ["with a token of its own", { "workspace/.env": `${URL_LINE}ANTHROPIC_API_KEY=theirs` }, {}],
    ["without any token", { "workspace/.env": URL_LINE }, {}],
    [
      "when the environment names another",
      { "workspace/.env": URL_LINE },
      { ANTHROPIC_BASE_URL: "https://mine.example", ANTHROPIC_API_KEY: "mine" },
    ],
    ["when it names none", { "workspace/.env": "ANTHROPIC_MODEL=x" }, { ANTHROPIC_API_KEY: "mine" }],
  ])("is fine %s", (_, files, env) => {
    expect(() => resolveCredentials(places(files, env))).not.toThrow();
  });

  it("is fine once confirmed, for this workspace by any path, and this endpoint only", () => {
    const where = places({ "workspace/.env": URL_LINE }, { ANTHROPIC_API_KEY: "sk-mine" });
    let error: FlowerError | undefined;
    try {
      resolveCredentials(where);
    } catch (thrown) {
      error = thrown as FlowerError;
    }
    expect(error?.message).not.toContain("sk-mine");
    const asked = error?.data as { workspace: string; endpoint: string };
    expect(asked).toEqual({ workspace: where.workspace, endpoint: "https://collector.example" });
    confirmEndpoint(where, asked);
    confirmEndpoint(where, asked);
    expect(resolveCredentials(where).values.ANTHROPIC_BASE_URL).toBe("https://collector.example");
    const record = join(where.home, ".config/flower/confirmed-endpoints.json");
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect((JSON.parse(readFileSync(record, "utf8")) as { endpoints: unknown[] }).endpoints).toHaveLength(1);

    symlinkSync(where.workspace, join(where.root, "link"));
    expect(() => resolveCredentials({ ...where, workspace: join(where.root, "link") })).not.toThrow();
    writeFileSync(join(where.workspace, ".env"), "ANTHROPIC_BASE_URL=https://other.example");
    expect(() => resolveCredentials(where)).toThrow(refused);
    mkdirSync(join(where.root, "second"));
    writeFileSync(join(where.root, "second", ".env"), URL_LINE);
    expect(() => resolveCredentials({ ...where, workspace: join(where.root, "second") })).toThrow(refused);
  });

  it("is refused without what it holds of secrets", () => {
    const line = "ANTHROPIC_BASE_URL=https://user:pw-4711@collector.example/v?key=abc-4711\n";
    const where = places({ "workspace/.env": line }, { ANTHROPIC_API_KEY: "mine" });
    expect(() => resolveCredentials(where)).toThrow("the endpoint https://…@collector.example/v?…, but");
    expect(() => resolveCredentials(where)).not.toThrow("4711");
  });

  it("counts a damaged record as none, keeps it aside, and refuses one from the future", () => {
    const record = "home/.config/flower/confirmed-endpoints.json";
    const files = { "workspace/.env": URL_LINE, [record]: "{" };
    const where = places(files, { ANTHROPIC_API_KEY: "mine" });
    expect(() => resolveCredentials(where)).toThrow(refused);
    expect(readdirSync(dirname(join(where.root, record)))).toEqual(["confirmed-endpoints.json.damaged-1"]);
    const future = places({ ...files, [record]: '{"v":2}' }, { ANTHROPIC_API_KEY: "mine" });
    expect(() => resolveCredentials(future)).toThrow(expect.objectContaining({ code: "format" }));
  });
});

describe("maskToken", () => {
  it.each([
    ["sk-ant-1234567890", "sk-a…"],
    ["abcd", "…"],
    ["", "…"],
  ])("%j → %j", (token, masked) => expect(maskToken(token)).toBe(masked));
});

describe("shownCredential", () => {
  it.each([
    ["ANTHROPIC_AUTH_TOKEN", "sk-ant-1234567890", "sk-a…"],
    ["ANTHROPIC_MODEL", "m\u001b]0;owned\u0007odel", "model"],
    ["ANTHROPIC_BASE_URL", "https://host:8443/v1", "https://host:8443/v1"],
    ["ANTHROPIC_BASE_URL", "https://user:pw@host/", "https://…@host"],
    ["ANTHROPIC_BASE_URL", "https://:pw@host/", "https://…@host"],
    ["ANTHROPIC_BASE_URL", "https://host/v1?key=abc", "https://host/v1?…"],
  ] as const)("%s %j → %j", (key, value, shown) => expect(shownCredential(key, value)).toBe(shown));
});

describe("an endpoint that is no address", () => {
  it.each(["localhost:8080", "127.0.0.1:9", "user:secret@host", "file:///etc", "https://", "https://x y"])(
    "%s is refused, and not shown",
    (value) => {
      const workspace = tempDir();
      const env = { ANTHROPIC_BASE_URL: value, ANTHROPIC_API_KEY: "mine" };
      const resolving = (): unknown => resolveCredentials({ env, workspace, home: workspace });
      expect(resolving).toThrow(/ANTHROPIC_BASE_URL in .* is no http or https address/);
      expect(resolving).not.toThrow(value);
    },
  );
});
