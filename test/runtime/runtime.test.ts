import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import { apiError, call, drop, say } from "../../src/testing/index.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

describe("a step", () => {
  it("writes its books, its lineage and its events", async () => {
    const { workspace, runtime, rehearsal, seen } = await stage([main([say("done")])]);
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "done", attempts: 1, retired: [], resumed: false });
    const rows = readManifest(join(workspace, "runs"));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      v: 1,
      step: "work",
      status: "done",
      ok: true,
      sessionId: result.sessionId,
    });
    const lineage: unknown = JSON.parse(await readFile(join(workspace, "runs/lineage.json"), "utf8"));
    expect(lineage).toMatchObject({ v: 1, workspace, steps: { work: { sessionId: result.sessionId } } });
    const lines = (await readFile(runtime.eventsPath, "utf8")).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      lines.map((_, i) => i + 1),
    );
    expect(lines).toHaveLength(seen.events.length);
    rehearsal.assertDone();
  });

  it("survives listeners that throw and reject", async () => {
    const { runtime } = await stage([main([say("done")])], {
      onEvent: () => {
        throw new Error("listener");
      },
    });
    const result = await runtime.run(SPEC, "do it", {
      onEvent: async () => Promise.reject(new Error("late")),
    });
    expect(result.ok).toBe(true);
  });

  it("resumes after a dropped connection with a prompt without error details", async () => {
    const { runtime, rehearsal, seen } = await stage([
      main((request) => {
        if (request.turnCount === 0) return call("Bash", { command: "echo one" });
        return /connection was lost/.test(request.lastUserText) ? say("recovered") : drop();
      }),
    ]);
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: true, text: "recovered", attempts: 2 });
    expect(result.errors).toHaveLength(1);
    expect(seen.ofType("retry")).toHaveLength(1);
    const last = rehearsal.journal.at(-1);
    expect(last?.lastUserText).toMatch(/connection was lost/);
    expect(JSON.stringify(rehearsal.body(last?.index ?? 0).messages)).not.toMatch(/ECONNRESET|API Error/);
    expect(new Set(rehearsal.journal.map((row) => row.sessionId)).size).toBe(1);
  });

  it("stops at once with what to do when the key is wrong", async () => {
    const { runtime } = await stage([main(() => apiError(401, "invalid x-api-key"))]);
    const result = await runtime.run(SPEC, "do it");
    expect(result).toMatchObject({ ok: false, attempts: 1, status: "failed" });
    expect(result.error).toMatch(/check the key/);
  });

  it("goes on in the same process for a further round, and by load() after that", async () => {
    const { runtime, rehearsal } = await stage([main([say("one"), say("two"), say("three")])]);
    const first = await runtime.run(SPEC, "begin", { keepAlive: true });
    const resume = first.sessionId ?? "";
    const second = await runtime.run(SPEC, "more", { stepName: "work#round2", resume });
    expect(second).toMatchObject({ ok: true, text: "two", sessionId: resume, resumed: true });
    const third = await runtime.run(SPEC, "again", { resume });
    expect(third).toMatchObject({ text: "three", sessionId: resume });
    const [, b] = rehearsal.journal;
    expect(b?.cacheRead).toBeGreaterThan((b?.inputTokens ?? 0) * 0.8);
    // Costs of one process are booked as differences.
    expect(second.costUsd).toBeLessThan(first.costUsd);
    expect(second.costUsd).toBeGreaterThan(0);
  });

  it("spills a long result and leaves a readable pointer", async () => {
    const { workspace, runtime, rehearsal } = await stage([
      main([call("Bash", { command: "seq 1 30000" }), say("done")]),
    ]);
    await runtime.run(SPEC, "do it");
    const body = JSON.stringify(rehearsal.body(1).messages);
    expect(body).toMatch(/characters, \d+ lines/);
    expect(body).not.toContain("1500\\\\n1501");
    const [file = ""] = await readdir(join(workspace, ".flower/spill"));
    expect(file).toMatch(/^[0-9a-f]{16}\.txt$/);
    const text = await readFile(join(workspace, ".flower/spill", file), "utf8");
    expect(text.trim().split("\n")).toHaveLength(30_000);
  });
});

describe("the coordinator", () => {
  const workers = { worker: worker("works", "You work.") };

  it("is refused hands-on work, may glance, and its workers may write", async () => {
    const { workspace, runtime, seen } = await stage([
      main([
        // A file that is there and was not read would be refused by the harness itself (0.3.332).
        call("Write", { file_path: "/tmp/flower-test-no-such-file", content: "x" }),
        call("Bash", { command: "rm -rf x" }),
        call("Bash", { command: "git status -s && ls" }),
        call("Agent", { description: "write", prompt: "write it", subagent_type: "worker" }),
        say("done"),
      ]),
      sub((r) =>
        r.turnCount === 0
          ? call("Write", {
              file_path: join(workspace0(r.system + JSON.stringify(r.messages)), "made.txt"),
              content: "made",
            })
          : say("Conclusion: done"),
      ),
    ]);
    const result = await runtime.run(coordinator("work", "", workers), "do it");
    expect(result.ok).toBe(true);
    expect(seen.ofType("toolResult").map((event) => [event.name, event.denied])).toEqual([
      ["Write", true],
      ["Bash", true],
      ["Bash", false],
      ["Write", false],
      ["Agent", false],
    ]);
    expect(result.refusals).toBe(2);
    expect(await readFile(join(workspace, "made.txt"), "utf8")).toBe("made");
  });

  it("gets the index in front without touching the prefix, and every subagent the workbench's place", async () => {
    const { runtime, rehearsal } = await stage([
      main([call("Agent", { description: "d", prompt: "look", subagent_type: "worker" }), say("done")]),
      sub([say("nothing to report")]),
    ]);
    await runtime.run(coordinator("work", "", workers), "do it");
    const bodies = rehearsal.journal.map((row) => rehearsal.body(row.index));
    expect(JSON.stringify(bodies[0]?.messages)).toContain(".flower");
    expect(JSON.stringify(bodies[0]?.system)).not.toContain(".flower");
    expect(JSON.stringify(bodies[1]?.messages)).toContain(".flower");
  });

  it("reads a person's message at the next batch boundary, and its turn is not cut", async () => {
    const channel = new HumanChannel();
    const { runtime, rehearsal } = await stage(
      [
        main([
          call("Bash", { command: "ls" }),
          (r) => say(JSON.stringify(r.messages.slice(-2)).includes("use tabs") ? "heard" : "deaf"),
        ]),
      ],
      { channel },
    );
    const running = runtime.run(coordinator("work", "", workers, { channel }), "do it", {
      onEvent: (event) => {
        if (event.type === "toolCall") channel.send("use tabs");
      },
    });
    expect((await running).text).toBe("heard");
    expect(rehearsal.journal).toHaveLength(2);
  });

  it("does not take a subagent cut by an interrupt for finished, and goes on with the person's words", async () => {
    const { runtime, rehearsal } = await stage([
      main([
        call("Agent", { description: "d", prompt: "long", subagent_type: "worker" }),
        (r) => say(r.lastUserText.includes("stop that") ? "heard the words" : "deaf"),
      ]),
      sub([call("Bash", { command: "sleep 1" }), say("never reached")]),
    ]);
    const result = await runtime.run(coordinator("work", "", workers), "do it", {
      onEvent: (event) => {
        if (event.type === "toolCall" && event.name === "Bash") runtime.interrupt("stop that");
      },
    });
    expect(result).toMatchObject({ ok: true, text: "heard the words", attempts: 1 });
    const last = JSON.stringify(rehearsal.body(rehearsal.journal.at(-1)?.index ?? 0).messages);
    expect(last).toContain("interrupted, not a final report");
    expect(last).toContain("stop that");
  });
});

describe("damaged files", () => {
  it.each(["lineage.json", "manifest.json", "sessions.db"])(
    "%s is kept aside and said in one line",
    async (name) => {
      const workspace = await tempDir();
      const before = await stage([main([say("one")])], { workspace });
      await before.runtime.run(SPEC, "begin");
      await before.runtime.close();
      for (const rest of ["-wal", "-shm"]) await rm(join(workspace, "runs", name + rest), { force: true });
      await writeFile(join(workspace, "runs", name), "{ broken ".repeat(2_000));
      const { runtime, seen } = await stage([main([say("two")])], { workspace });
      expect((await runtime.run(SPEC, "begin")).text).toBe("two");
      expect(
        (await readdir(join(workspace, "runs"))).some((file) => file.startsWith(`${name}.damaged-`)),
      ).toBe(true);
      expect(seen.ofType("system").some((event) => event.message.includes(name))).toBe(true);
    },
  );

  it("from a newer version are refused and left alone", async () => {
    const workspace = await tempDir();
    const before = await stage([main([say("one")])], { workspace });
    await before.runtime.run(SPEC, "begin");
    await before.runtime.close();
    const path = join(workspace, "runs/lineage.json");
    const text = (await readFile(path, "utf8")).replace('"v": 1', '"v": 99');
    await writeFile(path, text);
    await expect(stage([main([])], { workspace })).rejects.toThrow(/newer flower/);
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

/** The working directory that the harness tells the model. */
function workspace0(text: string): string {
  return /Primary working directory: ([^\\\n]+)/.exec(text)?.[1] ?? "/nowhere";
}

describe("failing output", () => {
  it("reaches the model short, with its exit code, and stays whole on disk", async () => {
    const { workspace, runtime, rehearsal } = await stage([
      main([call("Bash", { command: "seq 1 12000; exit 7" }), say("done")]),
    ]);
    await runtime.run(SPEC, "do it");
    const [result] = rehearsal
      .body(1)
      .messages.flatMap((message) =>
        Array.isArray(message.content) ? message.content.filter((block) => block.type === "tool_result") : [],
      );
    const text = JSON.stringify(result);
    expect(text).toContain("Exit code 7");
    expect(text.length).toBeLessThan(4_000);
    const files = await readdir(join(workspace, ".flower/spill"));
    const whole = await readFile(join(workspace, ".flower/spill", files[0] ?? ""), "utf8");
    expect(whole.trim().split("\n")).toHaveLength(12_000);
  });

  it("of a command that timed out says where its partial output is", async () => {
    const { runtime, rehearsal } = await stage([
      main([call("Bash", { command: "echo half of it; sleep 30", timeout: 1_000 }), say("done")]),
    ]);
    await runtime.run(SPEC, "do it");
    expect(JSON.stringify(rehearsal.body(1).messages)).toMatch(/half of it/);
  });
});
