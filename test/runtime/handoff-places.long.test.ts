import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator, judge, worker } from "../../src/roles/roles.ts";
import { apiError, call, say, together, type FixedReply } from "../../src/testing/index.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";
import { LONG } from "../support/long.ts";
import {
  DOCUMENT,
  grow,
  isDocumentRound,
  isSuccessor,
  main,
  messagesText,
  SPEC,
  stage,
  sub,
} from "../support/stage.ts";

const handoff = { enabled: true, window: 60_000 };
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
const team = coordinator("work", "", { worker: worker("works", "You work.") });

describe("a judge in its copy", () => {
  async function judged(script: (request: Parameters<typeof isSuccessor>[0]) => FixedReply) {
    const workspace = await tempDir();
    writeFileSync(join(workspace, "app.txt"), "the work");
    const copy = mkdtempSync(join(tmpdir(), "flower-test-copy-"));
    onCleanup(async () => rm(copy, { recursive: true, force: true }));
    writeFileSync(join(copy, "app.txt"), "the work");
    const { runtime } = await stage([main(script)], { workspace, handoff, spillThreshold: 0 });
    const result = await runtime.run(judge({ mode: "verdict", run: true }), "judge it", {
      stepName: "work·verdict#1",
      lineageStep: null,
      copyMount: { copy, readOnly: [join(workspace, ".flower")] },
    });
    return { workspace, copy, result };
  }
  const ruin = call("Bash", { command: "rm app.txt; echo made > judge-was-here.txt" });

  it.runIf(LONG)(
    "still has it when it takes over from a judge, and leaves the work's document alone",
    async () => {
      const { workspace, copy, result } = await judged((request) => {
        if (isDocumentRound(request)) return say(DOCUMENT);
        if (!isSuccessor(request)) return grow;
        return request.turnCount === 0 ? ruin : say("judged");
      });
      expect(result).toMatchObject({ ok: true, text: "judged", generations: [{ degraded: false }] });
      expect(readdirSync(copy)).toContain("judge-was-here.txt");
      expect(readdirSync(copy)).not.toContain("app.txt");
      expect(readFileSync(join(workspace, "app.txt"), "utf8")).toBe("the work");
      expect(readdirSync(join(workspace, ".flower/notes"))).toEqual(["handoff-work·verdict#1.md"]);
    },
    60_000,
  );

  it.runIf(LONG)(
    "still has it after a fault",
    async () => {
      let requests = 0;
      const { copy, result } = await judged(() => {
        requests += 1;
        if (requests === 1) return call("Bash", { command: "ls" });
        if (requests <= 4) return apiError(529, "Overloaded");
        return requests === 5 ? ruin : say("judged");
      });
      expect(result).toMatchObject({ ok: true, text: "judged", attempts: 2 });
      expect(readdirSync(copy)).toContain("judge-was-here.txt");
      expect(readdirSync(copy)).not.toContain("app.txt");
    },
    60_000,
  );
});

describe("a process that is kept for a further round", () => {
  it.runIf(LONG)(
    "books what its predecessor is asked to that round",
    async () => {
      const { runtime } = await stage(
        [
          main((request): FixedReply => {
            const { lastUserText, toolResults } = request;
            if (/took over your work asks/.test(lastUserText)) return say("it was the parser");
            if (isDocumentRound(request)) return say(DOCUMENT);
            if (/round two/.test(lastUserText)) return call("mcp__flower__predecessor", { question: "why?" });
            if (JSON.stringify(request.messages).includes("round two"))
              return say(toolResults[0]?.text ?? "");
            return isSuccessor(request) ? say("first") : send;
          }),
          sub(() => say(`a report\n${"evidence ".repeat(400)}`)),
        ],
        { handoff },
      );
      const first = await runtime.run(team, "do it", { keepAlive: true });
      const second = await runtime.run(team, "round two", {
        stepName: "work#round2",
        resume: first.sessionId ?? "",
      });
      expect(second.text).toContain("it was the parser");
      expect(first.predecessorCostUsd).toBe(0);
      expect(second.predecessorCostUsd).toBeGreaterThan(0);
    },
    60_000,
  );

  it("has that round's limits", async () => {
    const spend = (n: number): FixedReply => ({
      ...call("Bash", { command: `echo ${n}` }),
      usage: { input_tokens: 2_000, output_tokens: 10_000 },
    });
    const { runtime, rehearsal } = await stage(
      [
        main(({ lastUserText, turnCount, messages }): FixedReply => {
          if (!JSON.stringify(messages).includes("round two"))
            return { ...say("first"), usage: { input_tokens: 2_000, output_tokens: 30_000 } };
          return turnCount < 12 ? spend(turnCount) : say(`never ${lastUserText}`);
        }),
      ],
      { handoff, budgetUsd: 1 },
    );
    const first = await runtime.run(SPEC, "do it", { keepAlive: true });
    const second = await runtime.run(SPEC, "round two", {
      stepName: "work#round2",
      resume: first.sessionId ?? "",
    });
    expect(second.error).toMatch(/budget/);
    expect(runtime.spent().costUsd).toBeLessThan(1.4);
    expect(rehearsal.journal.length).toBeLessThan(8);
  }, 60_000);
});

describe("a report of a subagent that used tools", () => {
  it.runIf(LONG)(
    "is a dispatch's first line also when it was spilled",
    async () => {
      const { runtime, workspace } = await stage(
        [
          main((request): FixedReply => {
            if (isDocumentRound(request)) return say(DOCUMENT);
            return isSuccessor(request) ? say("finished") : send;
          }),
          sub(({ turnCount }) =>
            turnCount === 0
              ? call("Bash", { command: "ls" })
              : say(`THE FINDING\n${"evidence ".repeat(1_200)}`),
          ),
        ],
        { handoff },
      );
      expect(await runtime.run(team, "do it")).toMatchObject({ ok: true });
      const document = readFileSync(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
      expect(document).toMatch(/part → THE FINDING/);
      expect(document).not.toContain("tools-used");
    },
    60_000,
  );

  it.each(LONG ? ["(no summary)", "..."] : ["..."])(
    "is salvaged when it says %s",
    async (nothing) => {
      const { runtime, rehearsal } = await stage([
        main(({ turnCount }) => (turnCount === 0 ? send : say("done"))),
        sub(({ turnCount }): FixedReply =>
          turnCount === 0
            ? together(say("found the culprit"), call("Bash", { command: "ls" }))
            : say(nothing),
        ),
      ]);
      await runtime.run(team, "do it");
      const last = messagesText(rehearsal, rehearsal.journal.length - 1);
      expect(last).toContain("[no report]");
      expect(last).toContain("found the culprit");
    },
    60_000,
  );
});
