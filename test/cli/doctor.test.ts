import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRights } from "../../src/cli/doctor-checks.ts";
import { forgetWindows, gatherFacts } from "../../src/cli/doctor-facts.ts";
import type { DoctorPlaces } from "../../src/cli/doctor-places.ts";
import { EN } from "../../src/cli/doctor-texts/en.ts";
import { preflight } from "../../src/cli/preflight.ts";
import { documentPlace } from "../../src/cli/run-view-place.ts";
import { LearnedWindows } from "../../src/config/learned-windows.ts";
import { flower } from "../support/flower.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";

const CONFIG = "home/.config/flower";

/** A home, a workspace and the files in them, by path below the two. */
async function placesWith(
  files: Readonly<Record<string, string>>,
  env: DoctorPlaces["env"] = {},
): Promise<DoctorPlaces & { root: string }> {
  const root = await tempDir();
  for (const dir of ["home", "workspace"]) mkdirSync(join(root, dir));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o600 });
  }
  const workspace = join(root, "workspace");
  return {
    root,
    env: { PATH: process.env["PATH"], ...env },
    home: join(root, "home"),
    workspace,
    runDir: join(workspace, "runs"),
  };
}

describe("what the doctor looks at", () => {
  it("finds damaged and newer files, and leaves them alone", async () => {
    const files = {
      "workspace/runs/manifest.json": "{",
      "workspace/runs/lineage.json": '{"v":9}',
      "workspace/runs/rewrites.json": "[",
      "workspace/runs/sessions.db": "no database, but long enough to be taken for one".repeat(20),
      "workspace/runs/old.json.damaged-1": "",
      [`${CONFIG}/windows.json`]: '{"v":9}',
      [`${CONFIG}/confirmed-endpoints.json`]: "?",
    };
    const places = await placesWith(files);
    const { files: found, window, credentials } = await gatherFacts(places);
    expect(
      found.problems.map(({ path, kind }) => `${path.slice(places.root.length + 1)} ${kind}`).sort(),
    ).toEqual([
      `${CONFIG}/confirmed-endpoints.json damaged`,
      `${CONFIG}/windows.json newer`,
      "workspace/runs/lineage.json newer",
      "workspace/runs/manifest.json damaged",
      "workspace/runs/rewrites.json damaged",
    ]);
    expect(found.store).toMatchObject({ code: "store", data: { damaged: true } });
    expect(found.aside).toEqual([join(places.runDir, "old.json.damaged-1")]);
    expect(window.learned).toEqual([]);
    expect(credentials).toMatchObject({ code: "format" });
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(places.root, path), "utf8")).toBe(text);
    expect(readdirSync(join(places.root, CONFIG)).sort()).toEqual([
      "confirmed-endpoints.json",
      "windows.json",
    ]);
  });

  it("says who may read what, before it touches it", async () => {
    const places = await placesWith({
      [`${CONFIG}/.env`]: "ANTHROPIC_API_KEY=sk-1",
      "workspace/runs/lineage.json": "{}",
    });
    const secret = join(places.root, CONFIG, ".env");
    chmodSync(secret, 0o644);
    const { rights, credentials } = await gatherFacts(places);
    expect(rights.own).toContainEqual({ path: secret, mode: 0o100644, secret: true });
    expect(rights.own.filter((file) => file.secret)).toHaveLength(1);
    expect(statSync(secret).mode & 0o777).toBe(0o644);
    expect(credentials).toMatchObject({ values: { ANTHROPIC_API_KEY: "sk-1" } });
    const nowhere = await gatherFacts({
      ...places,
      workspace: join(places.root, "x"),
      runDir: join(places.root, "x/runs"),
    });
    expect(nowhere.rights.noWorkspace).toBe(join(places.root, "x"));
    expect(nowhere.lock).toMatchObject({ exists: false, holder: undefined });
  });

  it.each<[string, (workspace: string) => void, ReadonlyArray<[path: string, code: string]>]>([
    ["a file for a run directory", (at) => writeFileSync(join(at, "runs"), ""), [["runs", "ENOTDIR"]]],
    ["links that lead in a circle", (at) => symlinkSync("runs", join(at, "runs")), [["runs", "ELOOP"]]],
    ["a link to nowhere", (at) => symlinkSync("gone", join(at, "runs")), [["runs", "ENOENT"]]],
    ["a file for a workbench", (at) => writeFileSync(join(at, ".flower"), ""), [[".flower", "ENOTDIR"]]],
    [
      "files in the run directory's own workbench",
      (at) => {
        mkdirSync(join(at, ".flower/run-runs"), { recursive: true });
        writeFileSync(join(at, ".flower/run-runs/notes"), "");
        writeFileSync(join(at, ".flower/spill"), "");
      },
      [
        [".flower/spill", "ENOTDIR"],
        [".flower/run-runs/notes", "ENOTDIR"],
      ],
    ],
  ])("names %s once, and goes on", async (_, make, blocked) => {
    const places = await placesWith({});
    make(places.workspace);
    const { rights, files, lock } = await gatherFacts(places);
    const rows = blocked.map(([path, code]) => ({
      path: join(places.workspace, path),
      code,
      isNeeded: true,
    }));
    expect(rights.blocked).toEqual(rows);
    expect(rights.own.map(({ path }) => path)).not.toEqual(
      expect.arrayContaining(rows.map(({ path }) => path)),
    );
    expect(files.problems).toEqual([]);
    expect(lock.exists).toBe(false);
    const wrong = checkRights(rights, EN).filter(({ level }) => level === "wrong");
    expect(wrong.map(({ todo }) => todo)).toEqual(rows.map(() => "move away what is there"));
  });

  it("goes on where the workspace is a file, and looks at git above it", async () => {
    const places = await placesWith({ "workspace/f": "" });
    const workspace = join(places.workspace, "f");
    const facts = await gatherFacts({ ...places, workspace, runDir: join(workspace, "runs") });
    expect(facts.rights).toMatchObject({ noWorkspace: workspace, blocked: [], notWritable: [] });
    expect(facts.files).toMatchObject({ looked: 0, problems: [], aside: [] });
    expect(facts.git.version).toMatch(/^git version/);
  });

  it("says in the person's language why workers cannot be isolated", async () => {
    const { git } = await gatherFacts(await placesWith({}), "zh");
    expect(git.isolation?.message).toMatch(/^无法隔离执行者:.*不能作为 git 仓库使用/);
    expect(git.isolation?.nextStep).toMatch(/git init && git add -A/);
  });

  it.each(["workspace/.flower", "workspace/.flower/notes"])(
    "shows no documents of a file, %s",
    async (path) => {
      const { workspace, root } = await placesWith({ [path]: "" });
      const place = { workspace, runDir: "runs", json: false };
      expect(() => documentPlace(place)).toThrow(`${realpathSync(join(root, path))} must be a directory`);
      // The workbench refuses it in a moment, and says what to do.
      expect(() => preflight({ workspace, runDir: "runs", env: {} })).not.toThrow();
    },
  );

  it("believes what was learned of endpoint and model, and forgets it", async () => {
    const env = { ANTHROPIC_BASE_URL: "http://h/", ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_MODEL: "glm" };
    const places = await placesWith({}, env);
    const windows = LearnedWindows.open(join(places.root, CONFIG, "windows.json"));
    for (const model of ["glm", "other"]) windows.learn("http://h", model, 65_536);
    const before = (await gatherFacts(places)).window;
    expect(before).toMatchObject({
      belief: { window: 65_536, source: "learned" },
      model: "glm",
      hasBaseUrl: true,
    });
    expect(before.learned).toHaveLength(2);
    expect(forgetWindows(places, "nobody")).toEqual([]);
    expect(forgetWindows(places, "glm").map(({ model }) => model)).toEqual(["glm"]);
    expect((await gatherFacts(places)).window.belief).toMatchObject({ source: "assumed" });
    expect(forgetWindows(places, undefined).map(({ model }) => model)).toEqual(["other"]);
  });
});

describe("flower doctor", () => {
  it("asks the endpoint, prints what it found as JSON, and fails when something is wrong", async () => {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers["x-api-key"]);
      response.writeHead(401).end('{"error":{"message":"sk-secret-1 is wrong"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onCleanup(async () => {
      server.close().closeAllConnections();
    });
    const { root, workspace, home } = await placesWith({});
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: "",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ANTHROPIC_API_KEY: "sk-secret-1",
      NO_PROXY: "127.0.0.1",
    };
    const ran = await flower(["doctor", "--json", "-w", workspace], env);
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out + ran.err).not.toContain("sk-secret");
    const printed = JSON.parse(ran.out) as { v: number; ok: boolean; checks: Array<Record<string, string>> };
    expect(printed).toMatchObject({ v: 1, ok: false });
    const levels = new Map(printed.checks.map(({ check = "", level }) => [check, level]));
    expect(Object.fromEntries(levels)).toMatchObject({
      versions: "ok",
      endpoint: "wrong",
      lock: "ok",
      disk: expect.anything() as string,
    });
    expect(keys).toEqual(["sk-secret-1"]);

    const quiet = await flower(["doctor", "--no-request", "-w", workspace, "--lang", "de"], env);
    expect(quiet, quiet.out).toMatchObject({ code: 0 });
    expect(quiet.out).toMatch(/^gut +Node-Version/);
    expect(keys).toHaveLength(1);
    expect(readdirSync(root).sort()).toEqual(["home", "workspace"]);
    expect([...readdirSync(home), ...readdirSync(workspace)]).toEqual([]);
  });
});
