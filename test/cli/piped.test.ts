import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, hang, say } from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import { cleanEnv, confirmBrief, FLOWER, flower, personEnv } from "../support/flower.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

/** A used directory, and flower there with a pipe as its standard input. */
async function piped(isHanging: boolean, ...args: string[]) {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const rehearsal = await rehearse({
    scenario: { name: "piped", actors: [main(() => (isHanging ? hang() : say("finished")))] },
  });
  const child = spawn(process.execPath, [FLOWER, "-w", workspace, "--no-goal", ...args], {
    env: cleanEnv(personEnv(rehearsal, workspace)),
    stdio: ["pipe", "ignore", "pipe"],
  });
  onCleanup(async () => child.kill("SIGKILL"));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { workspace, rehearsal, child, ended, err: () => err };
}

it("what is piped to `flower -` in a used directory are the words of the waking", async () => {
  const { workspace, rehearsal, child, ended, err } = await piped(false, "-", "--timeout", "0");
  child.stdin.end("also support\ntables\n");
  expect(await ended, err()).toBe(0);
  expect(await readFile(join(workspace, ".flower/notes/brief.md"), "utf8")).toMatch(/also support\s+tables/);
  expect(rehearsal.journal.at(-1)?.lastUserText).toContain("tables");
}, 60_000);

it("lines that nothing asked for are counted at the end", async () => {
  const { child, ended, err } = await piped(false, "--timeout", "0");
  child.stdin.end("also support\ntables\n");
  expect(await ended, err()).toBe(0);
  expect(err()).toMatch(/lines of standard input that nothing asked for: 2/);
}, 60_000);

// Fails when a silent pipe is waited for without end, or a line that was there before is taken for the words.
it.each(
  rows(
    [
      { timeout: "0", asks: false },
      { timeout: "60", asks: true },
    ],
    ({ asks }) => !asks,
  ),
)(
  "an interruption through a silent pipe ends the run (--timeout $timeout)",
  async ({ timeout, asks }) => {
    const { rehearsal, child, ended, err } = await piped(true, "--timeout", timeout);
    child.stdin.write("2\n");
    await until(() => rehearsal.journal.length > 0, 40_000);
    child.kill("SIGINT");
    const guard = setTimeout(() => child.kill("SIGKILL"), 60_000);
    expect(await ended, err()).toBe(130);
    clearTimeout(guard);
    expect(/what should change/.test(err())).toBe(asks);
    expect(rehearsal.journal).toHaveLength(1);
  },
  120_000,
);

// Fails when a command takes the place of an answer: the question behind it waits for a line that never comes.
it.each([
  ["/help\n2\n1\n", "zwei", "drei"],
  ["2\n/status\n", "zwei", "Nobody is there"],
])(
  "commands through a pipe answer no question: %j",
  async (lines, first, second) => {
    const workspace = await tempDir();
    await confirmBrief(workspace);
    const asks = [
      call("mcp__flower__ask", { question: "The first?", options: ["eins", "zwei"] }),
      call("mcp__flower__ask", { question: "The second?", options: ["drei", "vier"] }),
    ];
    const rehearsal = await rehearse({
      scenario: { name: "piped", actors: [main(({ turnCount }) => asks[turnCount] ?? say("finished"))] },
    });
    const ran = await flower(["-w", workspace, "--no-goal"], personEnv(rehearsal, workspace), lines);
    expect(ran, ran.err).toMatchObject({ code: 0, out: "finished\n" });
    const { messages } = rehearsal.body(rehearsal.journal.length - 1);
    const results = JSON.stringify(messages).split('"tool_result"').slice(1);
    // A further question, with its options, stands behind the first result.
    expect(results.map((text) => text.split('"tool_use"')[0])).toEqual([
      expect.stringContaining(first),
      expect.stringContaining(second),
    ]);
  },
  60_000,
);
