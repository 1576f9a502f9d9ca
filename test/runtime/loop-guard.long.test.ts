import { describe, expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { LoopGuard, loopVerdict } from "../../src/runtime/loop-guard.ts";
import { LOOP_NOTICE } from "../../src/runtime/prompts.ts";
import { call, say, type FixedReply } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { main, messagesText, SPEC, stage, sub } from "../support/stage.ts";

describe("repeated batches", () => {
  it.each([
    ["", undefined],
    ["aaa", undefined],
    ["aba", undefined],
    ["abab", "tell"],
    ["ababa", undefined],
    ["aaaa", "tell"],
    ["aaaaaa", undefined],
    ["xyabab", "tell"],
    ["aabb", undefined],
    ["abababac", undefined],
    ["abababab", "cut"],
    ["aaaaaaaa", "cut"],
    ["abcab", undefined],
    ["abcabc", "tell"],
    ["abcabcabcab", undefined],
    ["abcabcabcabc", "cut"],
    ["abcdabc", undefined],
    ["abcdabcd", "tell"],
    ["abcdabcdabcdabcd", "cut"],
    ["abcdeabcdeabcde", undefined],
    ["abcxabcyabcz", undefined],
  ] as const)("%s: %s", (past, verdict) => expect(loopVerdict(past.split(""))).toBe(verdict));
});

it("calls that differ in their descriptions alone are the same", () => {
  const guard = new LoopGuard();
  const verdicts = Array.from({ length: 8 }, (_, round) => {
    const input = { command: round % 2 === 0 ? "cat a" : "ls b", description: `look ${round}` };
    guard.note({ id: `${round}`, name: "Bash", input, cwd: "/" }, { stdout: "same" });
    return guard.atBoundary(undefined);
  });
  expect(verdicts.filter((verdict) => verdict !== undefined)).toEqual(["tell", "cut"]);
});

describe("an Agent call", () => {
  const input = { description: "look", prompt: "look", subagent_type: "worker" };
  /** The verdicts on one Agent call after the other, with what each of the subagents runs on its way. */
  const verdicts = (commands: (round: number) => string | undefined, reports: (round: number) => string) => {
    const guard = new LoopGuard();
    return Array.from({ length: 8 }, (_, round) => {
      const agentId = `a${round}`;
      const command = commands(round);
      if (command !== undefined)
        guard.note({ id: agentId, name: "Bash", input: { command }, cwd: "/", agentId }, { stdout: "" });
      guard.atBoundary(agentId);
      const content = [{ type: "text", text: reports(round) }];
      const usage = { input_tokens: round };
      guard.note({ id: `${round}`, name: "Agent", input, cwd: "/" }, { agentId, content, usage });
      return guard.atBoundary(undefined);
    }).filter((verdict) => verdict !== undefined);
  };
  const done = (): string => "done";
  const failing = (error: (round: number) => string) => {
    const guard = new LoopGuard();
    return Array.from({ length: 8 }, (_, round) => {
      guard.note({ id: `${round}`, name: "Agent", input, cwd: "/" }, error(round));
      return guard.atBoundary(undefined);
    }).filter((verdict) => verdict !== undefined);
  };
  const died = (what: string, round: number): string =>
    `Agent terminated early due to an API error: ${what} (error type invalid_request, HTTP 400, request id req_01${"abcdefgh"[round]}${round}, ${round * 77} ms)`;
  it.each([
    ["that dies of the same each time", failing((round) => died("no", round)), ["tell", "cut"]],
    ["that dies of other things", failing((round) => died("abcdefgh".slice(0, round), round)), []],
    ["that reports the same, without a call", verdicts(() => undefined, done), ["tell", "cut"]],
    ["that reports and does the same", verdicts(() => "ls", done), ["tell", "cut"]],
    ["that reports the same of other work", verdicts((round) => `touch ${round}`, done), []],
    ["that reports other things", verdicts(() => "ls", String), []],
    ["that waits and finds nothing", verdicts(() => "sleep 60; ls", done), []],
  ])("%s", (_what, said, expected) => expect(said).toEqual(expected));
});

const times = (text: string): number => text.split(LOOP_NOTICE).length - 1;
const look = (turn: number): FixedReply =>
  call("Bash", { command: turn % 2 === 0 ? "ls" : "cat missing.txt" });

describe("a thread that makes the same calls by turns", () => {
  // Fails when `atLoop` is taken out of the batch hook: the model would go on for ever.
  it("is told once, then the main turn ends, with the reason", async () => {
    const { runtime, rehearsal, seen } = await stage([
      main((request) => (request.turnCount < 40 ? look(request.turnCount) : say("never"))),
    ]);
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1 });
    expect(result.error).toMatch(/same calls again and again/);
    expect(rehearsal.journal).toHaveLength(8);
    expect(times(messagesText(rehearsal, 7))).toBe(1);
    expect(seen.ofType("system").filter(({ message }) => /again and again/.test(message))).toHaveLength(2);
  });

  it("as a subagent is ended, and its coordinator goes on, knowing", async () => {
    const { runtime, rehearsal } = await stage([
      main((request) =>
        request.turnCount === 0
          ? call("Agent", { description: "look", prompt: "look", subagent_type: "worker" })
          : say(request.toolResults[0]?.text ?? ""),
      ),
      sub((request) => (request.turnCount < 40 ? look(request.turnCount) : say("never"))),
    ]);
    const result = await runtime.run(
      coordinator("work", "", { worker: worker("works", "You work.") }),
      "do it",
    );
    expect(result).toMatchObject({ ok: true });
    expect(result.text).toMatch(/not a final report/);
    const own = rehearsal.journal.filter(({ agentId }) => agentId !== undefined);
    expect(own).toHaveLength(8);
    expect(times(messagesText(rehearsal, own.at(-1)?.index ?? 0))).toBe(1);
  });

  // Fails when the whole result of an Agent call is compared: it names another agent and other figures each time.
  it("as a coordinator is told once, then its turn ends", async () => {
    const { runtime, rehearsal } = await stage([
      main((request) =>
        request.turnCount < 12
          ? call("Agent", { description: "look", prompt: "look", subagent_type: "worker" })
          : say("never"),
      ),
      sub(() => say("nothing found")),
    ]);
    const team = coordinator("work", "", { worker: worker("works", "You work.") });
    expect((await runtime.run(team, "do it")).error).toMatch(/same calls again and again/);
    const own = rehearsal.journal.filter(({ agentId }) => agentId === undefined);
    expect(own).toHaveLength(8);
    expect(times(messagesText(rehearsal, own.at(-1)?.index ?? 0))).toBe(1);
  });

  it.runIf(LONG)("is told so also when its commands are given a time", async () => {
    const { runtime, rehearsal } = await stage([
      main(({ turnCount }) =>
        turnCount < 12 ? call("Bash", { command: "timeout 60 cat missing.txt" }) : say("never"),
      ),
    ]);
    expect((await runtime.run(SPEC, "do it")).error).toMatch(/same calls again and again/);
    expect(rehearsal.journal).toHaveLength(8);
  });

  const HARMLESS: [string, (turn: number) => string][] = [
    ["waits a bounded time", () => "timeout 5 sleep 0.01; cat status.txt"],
    ["waits", () => "sleep 0.01; cat status.txt"],
    ["gets other results", () => "date +%N"],
    ["makes other calls", (turn) => `echo ${turn}`],
  ];
  it.each(rows(HARMLESS, ([what]) => what === "gets other results"))(
    "and %s is left alone",
    async (_what, command) => {
      const { runtime, rehearsal } = await stage([
        main((request) =>
          request.turnCount < 12 ? call("Bash", { command: command(request.turnCount) }) : say("done"),
        ),
      ]);
      expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "done" });
      expect(times(messagesText(rehearsal, 12))).toBe(0);
    },
  );
});
