import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandFiles } from "../../src/runtime/command-files.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { call, say } from "../../src/testing/index.ts";
import { bashRewrites } from "../../src/runtime/bash-rewrites.ts";
import { mainCall } from "../gate/policy.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

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
    files: new CommandFiles(runDir),
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

// Fails when a glance is cut off at a size: `tac` and `sort` keep what they are fed in files of their own.
it.each<[string, string]>([
  ["cat big.log | tac | head -n 1", "the last\n"],
  ["cat big.log | sort | uniq | wc -l", "2\n"],
  ["cat big.log | wc -c", "20000009\n"],
])("a glance at a large file runs as it is: %s", async (command, expected) => {
  const dir = await tempDir();
  writeFileSync(join(dir, "big.log"), `${"x".repeat(999).concat("\n").repeat(20_000)}the last\n`);
  const rewrites = bashRewrites({
    spillDir: join(dir, "spill"),
    thresholdChars: 4000,
    readsBack: () => false,
    sandbox: undefined,
    files: new CommandFiles(dir),
  });
  const rewritten = String(rewrites.input(mainCall("Bash", { command }))?.["command"]);
  const shown = execFileSync("bash", ["-c", rewritten], { cwd: dir, encoding: "utf8" });
  expect(shown).toBe(expected);
});
