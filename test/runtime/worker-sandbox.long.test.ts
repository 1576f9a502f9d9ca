import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentSpec } from "../../src/core/spec.ts";
import type { Containment } from "../../src/harness/contract.ts";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import { coordinator, judge, worker } from "../../src/roles/roles.ts";
import type { RunStepOptions } from "../../src/runtime/contract.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { call, say } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { pidsOf } from "../support/processes.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

const TOKEN = "planted-token-0123456789";

afterEach(() => {
  vi.unstubAllEnvs();
});

const git = (dir: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...words], {
    cwd: dir,
    encoding: "utf8",
  });

/** A workspace, a home and an outside, none of them in the temp directory. */
async function places() {
  const base = await tempDir("flower's 花");
  const [ws, home, outside, temp] = ["ws", "home", "outside", "temp"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const dir of [ws, home, outside, temp]) mkdirSync(dir);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = me\n\temail = me@localhost\n");
  writeFileSync(join(outside, "victim.txt"), "untouched\n");
  vi.stubEnv("TMPDIR", temp);
  vi.stubEnv("npm_config_cache", undefined);
  return { base, ws, home, outside, temp };
}

interface Result {
  code: number;
  text: string;
}

/** Lets a session make the calls one after another. */
async function perform(
  home: string,
  calls: ReadonlyArray<string | { command: string; timeout: number }>,
  options: Partial<RuntimeOptions>,
  spec: AgentSpec = SPEC,
  run: RunStepOptions = {},
): Promise<Result[]> {
  const uses = calls.map((use) => call("Bash", typeof use === "string" ? { command: use } : use));
  const actors =
    spec.delegateOnly === true
      ? [
          main([call("Agent", { description: "d", prompt: "p", subagent_type: "worker" }), say("done")]),
          sub([...uses, say("did it")]),
        ]
      : [main([...uses, say("done")])];
  const { runtime, seen } = await stage(actors, options, {}, { HOME: home, ANTHROPIC_AUTH_TOKEN: TOKEN });
  const result = await runtime.run(spec, "do it", run);
  expect(result).toMatchObject({ ok: true, text: "done" });
  await runtime.close();
  return seen
    .ofType("toolResult")
    .filter(({ name }) => name === "Bash")
    .map(({ isError, text }) => ({
      code: isError ? Number(/^Exit code (\d+)/.exec(text)?.[1] ?? -1) : 0,
      text,
    }));
}

const pythonWrites = (path: string, mode = "w"): string =>
  `python3 -c 'import sys; open(sys.argv[1], "${mode}").write("x")' "${path}"`;

/** Prints what environments it can read of all processes, credentials of the model's endpoint alone. */
const READ_ENVIRONMENTS = `import glob
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        text = open(path).read()
    except OSError:
        continue
    print(path, [word[:10] for word in text.split(chr(0)) if "planted-" in word or word.startswith("ANTHROPIC_A")])
`;

const WORKERS: ReadonlyArray<[string, AgentSpec, Containment]> = [
  ["a main thread that works itself", SPEC, "bubblewrap"],
  [
    "a subagent of a coordinator",
    { ...coordinator("work", "", { worker: worker("works", "You work.") }), model: "claude-opus-5" },
    "bubblewrap",
  ],
  ["a main thread under the supervisor", SPEC, "supervisor"],
];

describe.runIf(bubblewrapWorks())("commands in the sandbox", () => {
  it.each(rows(WORKERS, ([who]) => who === "a subagent of a coordinator"))(
    "of %s write in workspace, workbench and temp only",
    async (_, spec, containment) => {
      const { ws, home, outside, temp } = await places();
      git(ws, "init", "-q");
      writeFileSync(join(ws, ".mcp.json"), "{}\n");
      writeFileSync(join(ws, "look.py"), READ_ENVIRONMENTS);
      mkdirSync(join(ws, "runs"));
      writeFileSync(join(ws, "runs/kept.txt"), "kept\n");
      const steps: ReadonlyArray<[string, number, RegExp]> = [
        [`python3 -c 'open("../outside/new.txt", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'open("../home/new.txt", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'open("runs/kept.txt", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'open(".mcp.json", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'open(".git/config", "a")'`, 1, /Read-only file system/],
        [`python3 -c 'open(".git/hooks/pre-commit", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'open(".flower/INDEX.md", "w")'`, 1, /Read-only file system/],
        [`python3 -c 'import os; os.rename(".git", "git")'`, 1, /busy/],
        [pythonWrites(join(ws, "in-ws.txt")), 0, /.*/],
        [pythonWrites(join(ws, ".flower/artifacts/in-bench.txt")), 0, /.*/],
        [pythonWrites(join(temp, "in-temp.txt")), 0, /.*/],
        ["cat ../outside/victim.txt", 0, /untouched/],
        ["git add in-ws.txt && git commit -qm first && git log --oneline", 0, /first/],
        ["git switch -qc other && git stash list && git branch", 0, /other/],
        ["mkdir sub && cd sub", 0, /.*/],
        // The harness sets the directory of a subagent back before each command (0.3.332).
        ["pwd", 0, spec.delegateOnly === true ? /\/ws$/ : /\/ws\/sub$/],
        ["exit 7", 7, /Exit code 7/],
        ["python3 -c 'print(50000 * \"x\"); exit(7)'", 7, /50001 characters stored in .*\/spill\/failed-/],
        ["rg --version | head -1", 0, /ripgrep/],
        [`python3 "${join(ws, "look.py")}"`, 0, /^(?:\/proc\/\d+\/environ \[\]\s?)+$/],
      ];
      const results = await perform(
        home,
        steps.map(([command]) => command),
        { workspace: ws, containment },
        spec,
      );
      expect(results.map(({ code }, i) => `${steps[i]?.[0]}: ${code}`)).toEqual(
        steps.map(([command, code]) => `${command}: ${code}`),
      );
      for (const [i, { text }] of results.entries()) expect(text).toMatch(steps[i]?.[2] ?? /^$/);
      expect(readdirSync(outside)).toEqual(["victim.txt"]);
      expect(readdirSync(home)).toEqual([".gitconfig"]);
      expect(readFileSync(join(ws, "runs/kept.txt"), "utf8")).toBe("kept\n");
      expect(existsSync(join(ws, ".flower/artifacts/in-bench.txt"))).toBe(true);
    },
  );

  // Fails when the judge's commands are not wrapped: its own process's environment holds the token.
  it.each(rows<Containment>(["bubblewrap", "supervisor"], (way) => way === "bubblewrap"))(
    "of a judge write anything in its copy, and see no token, under %s",
    async (containment) => {
      const { base, ws, home, outside, temp } = await places();
      git(ws, "init", "-q");
      const bench = join(ws, ".flower");
      mkdirSync(bench);
      writeFileSync(join(bench, "kept.txt"), "kept\n");
      const copy = join(temp, "copy");
      cpSync(ws, copy, { recursive: true });
      writeFileSync(join(copy, "look.py"), READ_ENVIRONMENTS);
      const results = await perform(
        home,
        [
          "git init -q && git remote add up ../x && rm -rf .git && echo done",
          "python3 look.py",
          pythonWrites(join(outside, "new.txt")),
          pythonWrites(join(bench, "kept.txt")),
          pythonWrites(join(base, "new.txt")),
          pythonWrites("new.txt"),
        ],
        { workspace: ws, containment },
        { ...judge({ mode: "verdict" }), model: "claude-opus-5" },
        { copyMount: { copy, readOnly: [bench] }, lineageStep: null },
      );
      expect(results.map(({ code }) => code)).toEqual([0, 0, 1, 1, 1, 0]);
      expect(results[1]?.text).toMatch(/^(?:\/proc\/\d+\/environ \[\]\s?)+$/);
      expect(readdirSync(ws).sort()).toEqual([".flower", ".git", "runs"]);
      expect(existsSync(join(copy, "new.txt"))).toBe(true);
    },
  );

  it.runIf(LONG)("find a cache where home cannot be written", async () => {
    const { ws, home, temp } = await places();
    mkdirSync(join(ws, "dep"));
    writeFileSync(join(ws, "dep/package.json"), JSON.stringify({ name: "dep", version: "1.0.0" }));
    writeFileSync(join(ws, "package.json"), JSON.stringify({ name: "thing", version: "1.0.0" }));
    writeFileSync(join(ws, "one.test.js"), 'require("node:test")("one", () => {});\n');
    const results = await perform(
      home,
      [
        "npm pack ./dep && npm install --offline --no-audit ./dep-1.0.0.tgz",
        "node --test",
        "echo $XDG_CACHE_HOME",
      ],
      { workspace: ws },
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(existsSync(join(ws, "node_modules/dep/package.json"))).toBe(true);
    expect(readdirSync(home)).toEqual([".gitconfig"]);
    expect(results[2]?.text).toContain(join(temp, "flower-cache-"));
  });

  it.runIf(LONG)("commit in a worktree, by a link, and deep in a repository", async () => {
    const { base, home, ws } = await places();
    git(ws, "init", "-q", "-b", "main");
    git(ws, "commit", "-q", "--allow-empty", "-m", "root");
    const tree = join(base, "a work tree");
    git(ws, "worktree", "add", "-q", "-b", "other", tree);
    mkdirSync(join(ws, "deep/er"), { recursive: true });
    symlinkSync(join(ws, "deep/er"), join(base, "link"));
    for (const workspace of [tree, join(base, "link")]) {
      const results = await perform(
        home,
        [
          "echo x >x.txt && git add x.txt && git commit -qm here && git log --oneline",
          pythonWrites(join(ws, ".git/hooks/post-commit")),
          pythonWrites(join(ws, ".git/config"), "a"),
          pythonWrites(join(ws, "beside.txt")),
        ],
        { workspace },
      );
      expect(results.map(({ code }) => code)).toEqual([0, 1, 1, 1]);
    }
    expect(existsSync(join(ws, "beside.txt"))).toBe(false);
  });

  it("end as a whole when their time is up", async () => {
    const { ws, home } = await places();
    const marker = `${5_000 + Math.floor(Math.random() * 9_000)}.${process.pid}`;
    const command = `setsid sleep ${marker} | cat; echo over`;
    const [result] = await perform(home, [{ command, timeout: 2_000 }], { workspace: ws });
    expect(result?.code).not.toBe(0);
    expect(pidsOf(`sleep\0${marker}`)).toEqual([]);
  });

  // Fails when `resumeCopies` is taken out: the shell around the sandbox would run what was written.
  it("cannot change what the shell around them reads, in a resumed session neither", async () => {
    const { ws, home } = await places();
    const write =
      'for f in "$CLAUDE_CONFIG_DIR"/shell-snapshots/*.sh; do echo "# x" >>"$f" && echo written; done';
    const script = `echo ${JSON.stringify(write).replaceAll("$", "\\$")} >try.sh; echo "$CLAUDE_CONFIG_DIR"; bash try.sh`;
    const { runtime, seen } = await stage(
      [main([call("Bash", { command: script }), say("one"), call("Bash", { command: script }), say("two")])],
      { workspace: ws },
      {},
      { HOME: home },
    );
    const first = await runtime.run(SPEC, "do it");
    await runtime.run(SPEC, "again", { resume: first.sessionId ?? "" });
    const texts = seen.ofType("toolResult").map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toContain("claude-resume-");
    for (const text of texts) {
      expect(text).toContain("Read-only file system");
      expect(text).not.toContain("written");
    }
  });

  it("are as they were with the sandbox off", async () => {
    const { ws, home, outside } = await places();
    await perform(home, [pythonWrites(join(outside, "new.txt"))], { workspace: ws, sandbox: "off" });
    expect(readFileSync(join(outside, "new.txt"), "utf8")).toBe("x");
  });
});

it("says what is missing when a sandbox is required", async () => {
  const workspace = await tempDir();
  vi.stubEnv("FLOWER_NO_BWRAP", "1");
  expect(() => new Runtime({ workspace, sandbox: "require" })).toThrow(/FLOWER_NO_BWRAP=1/);
  vi.stubEnv("FLOWER_NO_BWRAP", undefined);
});
