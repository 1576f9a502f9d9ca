import { expect, it } from "vitest";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { call, say } from "../../src/testing/index.ts";
import { bashRewrites } from "../../src/runtime/bash-rewrites.ts";
import { mainCall } from "../gate/policy.ts";
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

it("only an isolated worker's command is spelled differently", () => {
  const { input } = bashRewrites({
    spillDir: undefined,
    thresholdChars: 0,
    readsBack: () => false,
    sandbox: undefined,
    isolatedAgents: ["coder"],
  });
  const commandOf = (agentType?: string): unknown =>
    input({
      ...mainCall("Bash", { command: "git status" }),
      ...(agentType === undefined ? {} : { agentType }),
    })?.["command"];
  for (const agentType of [undefined, "worker"]) expect(commandOf(agentType)).toContain("git status");
  expect(commandOf("coder")).not.toContain("git");
});
