import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../../src/cli/exit.ts";
import { endedBy, endLine, wantedJson, type Ended } from "../../src/cli/json-lines.ts";
import { FlowerError, type FlowerErrorCode } from "../../src/core/errors.ts";
import type { EndLine, EventLine } from "../../src/core/event-line.ts";
import { lineSchema } from "../../src/core/event-schema.ts";
import { apiError, call, say, type FixedReply } from "../../src/testing/index.ts";
import { flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

type Line = EventLine | EndLine;
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const CODES: Readonly<Record<FlowerErrorCode, number>> = {
  usage: EXIT.usage,
  aborted: EXIT.interrupted,
  workspace: EXIT.failed,
  credentials: EXIT.failed,
  store: EXIT.failed,
  locked: EXIT.failed,
  harness: EXIT.failed,
  format: EXIT.failed,
  rehearsal: EXIT.failed,
};

describe("the end of a command", () => {
  it.each(Object.entries(CODES) as Array<[FlowerErrorCode, number]>)(
    "by %s has exit code %i",
    (code, exit) => {
      const error = new FlowerError(code, "what was wrong", { nextStep: "what to do" });
      expect(exitCodeOf(error)).toBe(exit);
      expect(endLine(endedBy(error))).toMatchObject({
        exitCode: exit,
        status: code === "aborted" ? "interrupted" : "failed",
        reason: "what was wrong",
        error: { code, message: "what was wrong", nextStep: "what to do" },
      });
    },
  );

  it.each<[string, Ended, Partial<EndLine>]>([
    ["done", { exitCode: 0, text: "made" }, { status: "done", text: "made", reason: null, error: null }],
    [
      "stopped short",
      { exitCode: 1, reason: "not achieved", next: "flower" },
      { status: "stopped", reason: "not achieved", next: "flower", error: null },
    ],
    ["Ctrl-C", { exitCode: 130 }, { status: "interrupted" }],
    ["SIGHUP", { exitCode: 129 }, { status: "interrupted" }],
    [
      "what nobody foresaw",
      endedBy(new TypeError("x")),
      { exitCode: 1, status: "failed", error: { code: null, message: "x", nextStep: null } },
    ],
  ])("is told: %s", (_what, ended, line) => {
    expect(lineSchema.parse(endLine(ended))).toMatchObject(line);
  });
});

it.each<[string[], ReturnType<typeof wantedJson>]>([
  [["make it", "--json"], "lines"],
  [["--json"], "lines"],
  [["demo", "--json", "--what"], "lines"],
  [["once", "--json"], "lines"],
  [["make", "it"], undefined],
  [["add a --json option"], undefined],
  [["--", "make", "--json"], undefined],
  [["status", "--json", "--what"], "object"],
  [["doctor", "--json"], "object"],
  [["status"], undefined],
])("%j asks for %s", (argv, wants) => {
  expect(wantedJson(argv)).toBe(wants);
});

describe("before a run", () => {
  it.each([
    ["usage", 2, ["x", "--json", "--what"]],
    ["credentials", 1, ["x", "--json"]],
  ])("an error of %s (exit code %i) is the one line", async (code, exitCode, args) => {
    const home = await tempDir();
    const ran = await flower([...args, "-w", home], { HOME: home, XDG_CONFIG_HOME: "" });
    const lines = linesOf(ran.out);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ type: "end", status: "failed", exitCode, runId: null, error: { code } });
    expect(ran.code).toBe(exitCode);
    expect(ran.err).toMatch(/^flower: .+ -- .+\n$/);
  });
});

/** Nothing of it may act on a terminal: escape sequence, C1, bidirectional override. */
const HOSTILE = "made \u001b]0;title\u0007 \u009b31m \u202egnp.exe 花";

async function scene(script: (turn: number) => FixedReply) {
  const workspace = await tempDir();
  const rehearsal = await rehearse({
    scenario: { name: "lines", actors: [main(({ turnCount }) => script(turnCount))] },
  });
  return { workspace, env: personEnv(rehearsal, workspace) };
}

describe("a run with --json", () => {
  it("prints what the event file holds and then its end, and nothing else", async () => {
    const { workspace, env } = await scene((turn) =>
      turn === 0 ? call("Bash", { command: "date" }) : say(HOSTILE),
    );
    const ran = await flower(["once", "do it", "-w", workspace, "--json"], env);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toMatch(/^[\n\x20-\x7e花]*$/);
    const lines = linesOf(ran.out);
    for (const line of lines) expect(lineSchema.parse(line)).toEqual(line);
    const [file = ""] = await readdir(join(workspace, "runs/events"));
    const events = join(workspace, "runs/events", file);
    expect(lines.slice(0, -1)).toEqual(linesOf(await readFile(events, "utf8")));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.at(-1)).toMatchObject({
      ...{ type: "end", exitCode: 0, text: HOSTILE, runId: file.replace(".jsonl", "") },
      paths: { workspace, events },
    });
    // Events are not told a second time.
    expect(ran.err).not.toMatch(/-- once|Bash|made/);
  }, 30_000);

  it("that fails says why in its end and on standard error", async () => {
    const { workspace, env } = await scene(() => apiError(401, "no such key"));
    const ran = await flower(["once", "do it", "-w", workspace, "--json"], env);
    expect(ran.code).toBe(1);
    const end = linesOf(ran.out).at(-1);
    expect(end).toMatchObject({ type: "end", exitCode: 1, status: "stopped", error: null });
    expect(JSON.stringify(end)).toMatch(
      /"reason":"[^"]*refused the credentials.*"text":null,"next":"flower once --resume/,
    );
    expect(ran.err).toMatch(/^flower: .*refused the credentials/m);
  }, 30_000);
});
