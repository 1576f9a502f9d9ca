import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { CommandFiles } from "../../src/runtime/command-files.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { call, say } from "../../src/testing/index.ts";
import { bashRewrites } from "../../src/runtime/bash-rewrites.ts";
import { mainCall } from "../gate/policy.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const noNote = () => () => undefined;

const WAYS: Array<[string, Partial<RuntimeOptions>]> = [
  ["as the machine allows", {}],
  ["without a sandbox", { sandbox: "off" }],
  ["under the supervisor", { containment: "supervisor", sandbox: "off" }],
  ["with nothing spilled", { spillThreshold: 0 }],
];

// Fails when `closeInput` is taken out: each of the commands waits until its time is up.
it.each(WAYS)(
  "a command that reads its input gets an end of it, %s",
  async (_way, options) => {
    const commands = [
      "cat",
      "read x; echo $?",
      `python3 -c "import sys; print(len(sys.stdin.read()))"`,
      "cat <<E\nhere\nE",
    ];
    const { runtime, seen } = await stage(
      [main([...commands.map((command) => call("Bash", { command, timeout: 20_000 })), say("done")])],
      options,
    );
    expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "done" });
    const texts = seen.ofType("toolResult").map(({ isError, text }) => [isError, text.trim()]);
    expect(texts.slice(1)).toEqual([
      [false, "1"],
      [false, "0"],
      [false, "here"],
    ]);
    expect(texts[0]?.[0]).toBe(false);
  },
  90_000,
);

it("only an isolated worker's command goes by a file, which is private and goes with the call", async () => {
  const runDir = await tempDir();
  const { input, ended } = bashRewrites({
    spillDir: undefined,
    thresholdChars: 0,
    readsBack: () => false,
    sandbox: undefined,
    isolatedAgents: ["coder"],
    files: new CommandFiles(runDir, noNote),
  });
  const commandOf = (agentType?: string): unknown =>
    input({
      ...mainCall("Bash", { command: "git status" }),
      ...(agentType === undefined ? {} : { agentType }),
    })?.["command"];
  for (const agentType of [undefined, "worker"]) expect(commandOf(agentType)).toContain("git status");
  expect(readdirSync(runDir)).toEqual([]);
  expect(commandOf("coder")).not.toContain("git status");
  const [name = ""] = readdirSync(join(runDir, "commands"));
  expect(readFileSync(join(runDir, "commands", name), "utf8")).toContain("git status");
  expect(statSync(join(runDir, "commands", name)).mode & 0o777).toBe(0o600);
  ended({ ...mainCall("Bash", {}), agentType: "coder" });
  expect(readdirSync(join(runDir, "commands"))).toEqual([]);
});

// Fails when the output goes to a place in the tree: `grep` reads what it prints then, until its time is up.
it.each<[string, string]>([
  ["grep -rn line . | sed 's/line/LINE/' | tail -n 1", "./big.txt:900:LINE 900\n"],
  ["grep -rn line . | wc -l; echo exit=$?", "900\nexit=0\n"],
  ["set -e; grep -rl line .; echo next", "./big.txt\nnext\n"],
  ["cat .flower/spill/*.txt; echo exit: $?", "old\nexit: 0\n"],
  ["find . -type f | sort", "./.flower/spill/old.txt\n./big.txt\n"],
])("a command does not find its own output in the workspace: %s", async (command, expected) => {
  const dir = await tempDir("plain");
  const workspace = join(dir, "work");
  const spillDir = join(workspace, ".flower", "spill");
  mkdirSync(spillDir, { recursive: true });
  writeFileSync(join(spillDir, "old.txt"), "old\n");
  const lines = Array.from({ length: 900 }, (_, i) => `line ${i + 1}\n`);
  writeFileSync(join(workspace, "big.txt"), lines.join(""));
  const files = new CommandFiles(dir, noNote);
  const rewrites = bashRewrites({
    spillDir,
    thresholdChars: 4000,
    readsBack: () => false,
    sandbox: undefined,
    files,
  });
  const rewritten = String(rewrites.input(mainCall("Bash", { command }))?.["command"]);
  const shown = execFileSync("bash", ["-c", rewritten], {
    cwd: workspace,
    encoding: "utf8",
    timeout: 20_000,
  });
  files.close();
  expect(shown).toBe(expected);
});

it("notes the place of running commands' output, and leaves nothing of it behind", async () => {
  const runDir = await tempDir();
  const noted: string[] = [];
  const files = new CommandFiles(runDir, (path) => {
    noted.push(path);
    return () => void noted.pop();
  });
  const live = files.outputOf(mainCall("Bash", {}));
  expect(noted).toEqual([dirname(live)]);
  mkdirSync(dirname(live));
  writeFileSync(live, "half");
  files.outputOf(mainCall("Bash", {}));
  files.close();
  expect(noted).toEqual([]);
  expect(existsSync(dirname(live))).toBe(false);
});

it("what a killed command had printed is kept with the failures, without secrets", async () => {
  const dir = await tempDir("plain");
  const files = new CommandFiles(dir, noNote);
  const spillDir = join(dir, "spill");
  const rewrites = bashRewrites({
    ...{ spillDir, thresholdChars: 4000, readsBack: () => false, sandbox: undefined, files },
  });
  const running = mainCall("Bash", { command: "x" });
  const live = files.outputOf(running);
  mkdirSync(dirname(live));
  writeFileSync(live, "half planted-secret\n");
  writeFileSync(`${live}.cwd`, "/somewhere\n");
  rewrites.clean(running, (text) => text.replaceAll("planted-secret", "[removed]"));
  expect(rewrites.partial(running)).toMatch(
    /is in .*\/spill\/failed-\w+\.txt; its end:\nhalf \[removed\]\n$/,
  );
  expect(readdirSync(dirname(live))).toEqual([]);
  expect(readdirSync(spillDir)).toHaveLength(1);
  files.close();
});

// Fails when a glance is cut off at a size: `tac` and `sort` keep what they are fed in files of their own.
it.each<[string, string]>([
  ["cat big.log | tac | head -n 1", "the last\n"],
  ["cat big.log | sort | uniq | wc -l", "2\n"],
  ["cat big.log | wc -c", "20000009\n"],
])("a glance at a large file runs as it is: %s", async (command, expected) => {
  const dir = await tempDir();
  writeFileSync(join(dir, "big.log"), `${"x".repeat(999).concat("\n").repeat(20_000)}the last\n`);
  const files = new CommandFiles(dir, noNote);
  const rewrites = bashRewrites({
    spillDir: join(dir, "spill"),
    thresholdChars: 4000,
    readsBack: () => false,
    sandbox: undefined,
    files,
  });
  const rewritten = String(rewrites.input(mainCall("Bash", { command }))?.["command"]);
  const shown = execFileSync("bash", ["-c", rewritten], { cwd: dir, encoding: "utf8" });
  files.close();
  expect(shown).toBe(expected);
});
