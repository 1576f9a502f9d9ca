import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LOCALES } from "../../src/core/locale.ts";
import { HumanChannel, type HumanChannelOptions } from "../../src/human/channel.ts";
import { exchangeText } from "../../src/human/exchange-log.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

describe("the log", () => {
  it("appends every exchange with its time to a private file", async () => {
    const log = join(tempDir(), "notes", "questions.md");
    const timeMs = new Date(2026, 7, 25, 9, 5, 3).getTime();
    const options: HumanChannelOptions = { log, now: () => timeMs };
    const channel = new HumanChannel(options);
    const asked = channel.ask("Which one?\n## No heading", ["red", "blue"]);
    channel.answer(channel.pending[0]!.id, "2");
    await asked;
    await new HumanChannel({ ...options, timeoutMs: 0 }).ask("Anybody?");
    expect(readFileSync(log, "utf8")).toBe(
      [
        "# Questions and answers",
        "",
        "## 2026-08-25 09:05:03",
        "",
        "Question:",
        "",
        "> Which one?",
        "> ## No heading",
        ">",
        "> 1. red",
        "> 2. blue",
        "",
        "Answer:",
        "",
        "> blue",
        "",
        "## 2026-08-25 09:05:03",
        "",
        "Question:",
        "",
        "> Anybody?",
        "",
        "No answer: nobody there",
        "",
      ].join("\n"),
    );
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it.each(LOCALES)("tells all outcomes apart in %s", (locale) => {
    const outcomes = [
      { answer: "x" },
      ...(["timeout", "quota", "skipped", "nobody"] as const).map((fallthrough) => ({ fallthrough })),
    ];
    const texts = outcomes.map((outcome) =>
      exchangeText({ question: "?", options: [], outcome, timeMs: 0 }, locale),
    );
    expect(new Set(texts).size).toBe(outcomes.length);
  });

  it("that cannot be written is a problem, no error", async () => {
    const log = join(tempDir(), "questions.md");
    mkdirSync(log);
    const problems: string[] = [];
    const channel = new HumanChannel({ log, timeoutMs: 0, onProblem: (message) => problems.push(message) });
    expect(await channel.ask("?")).toEqual({ fallthrough: "nobody" });
    expect(problems).toHaveLength(1);
  });
});

describe("the inbox", () => {
  it("hands messages out once, in order, and takes them back to their place", () => {
    const channel = new HumanChannel({ now: () => 7 });
    channel.send("one");
    channel.send("two");
    const taken = channel.take();
    expect(taken).toEqual([
      { id: 1, text: "one", sentAtMs: 7 },
      { id: 2, text: "two", sentAtMs: 7 },
    ]);
    expect(channel.take()).toEqual([]);
    channel.send("three");
    channel.giveBack(taken.slice(1));
    channel.giveBack(taken);
    expect(channel.undelivered.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(channel.take().map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(channel.undelivered).toEqual([]);
  });

  it("has messages kept until they are delivered, those of an earlier run first", () => {
    let kept: string[] | undefined;
    const channel = new HumanChannel({ now: () => 7 });
    const restored = channel.keepMail([{ text: "old", sentAtMs: 1 }], (mails) => {
      kept = mails.map(({ text }) => text);
    });
    expect(restored).toEqual([{ id: 1, text: "old", sentAtMs: 1 }]);
    channel.send("new");
    const taken = channel.take();
    expect(taken.map(({ text }) => text)).toEqual(["old", "new"]);
    expect(kept).toEqual(["old", "new"]);
    expect(channel.handedOut).toEqual(taken.map((mail) => ({ ...mail, takenAtMs: 7 })));
    channel.delivered(taken.slice(0, 1));
    expect(kept).toEqual(["new"]);
    channel.giveBack(taken.slice(1));
    expect(channel.handedOut).toEqual([]);
    expect(channel.undelivered.map(({ text }) => text)).toEqual(["new"]);
    channel.delivered(channel.undelivered);
    expect(kept).toEqual([]);
  });

  it("tells the sender when the message will be seen, in their language", () => {
    expect(new HumanChannel().send("x")).toEqual({
      id: 1,
      text: expect.stringContaining("batch boundary") as string,
    });
    const receipts = LOCALES.map((locale) => new HumanChannel({ locale }).send("x").text);
    expect(new Set(receipts).size).toBe(LOCALES.length);
  });

  it("refuses a blank message", () => {
    expect(() => new HumanChannel().send(" \n")).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  });
});

describe("the tools", () => {
  const toolsOf = (channel: HumanChannel) => {
    const { flower } = channel.servers;
    if (flower?.kind !== "inProcess") throw new Error("no server in this process");
    const call = async (
      name: string,
      input: Record<string, unknown>,
      signal = new AbortController().signal,
    ) => flower.tools.find((tool) => tool.name === name)!.handle(input, { signal });
    return { server: flower, call };
  };

  it("wait longer than any question of a day and stay within what a timer counts", () => {
    const { server } = toolsOf(new HumanChannel({ timeoutMs: null }));
    expect(server.timeoutMs).toBeGreaterThan(24 * 3_600_000);
    expect(server.timeoutMs).toBeLessThan(2 ** 31);
  });

  it("ask gives the answer to the model as it is", async () => {
    const channel = new HumanChannel();
    const answer = toolsOf(channel).call("ask", { question: "Which?", options: ["red", "blue"] });
    channel.answer(channel.pending[0]!.id, "1");
    expect(await answer).toBe("red");
  });

  it.each([
    [{ timeoutMs: 0 }, /Nobody is there/],
    [{ quota: 0 }, /No question is left/],
  ])("ask with %j says so and where the assumption goes", async (options, why) => {
    const { call } = toolsOf(new HumanChannel({ ...options, unknownsHeading: "未知与假设" }));
    const text = await call("ask", { question: "Which?" });
    expect(text).toMatch(why);
    expect(text).toMatch(/Decide yourself.*assumption.*“未知与假设”/);
  });

  it("ask tells a skipped question from one whose time is up", async () => {
    const channel = new HumanChannel({ timeoutMs: 1 });
    const { call } = toolsOf(channel);
    expect(await call("ask", { question: "Which?" })).toMatch(/in time/);
    const skipped = call("ask", { question: "Which?" });
    channel.skip(channel.pending[0]!.id);
    expect(await skipped).toMatch(/skipped/);
  });

  it("ask is withdrawn when the harness gives the call up", async () => {
    const channel = new HumanChannel();
    const controller = new AbortController();
    const call = toolsOf(channel).call("ask", { question: "Which?" }, controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    expect(channel.pending).toEqual([]);
  });

  it.each([{}, { question: "" }, { question: 3 }, { question: "x", options: "red" }])(
    "ask refuses %j in its schema and in its handler",
    async (input) => {
      const { server, call } = toolsOf(new HumanChannel({ timeoutMs: 0 }));
      expect(z.object(server.tools[0]!.input).safeParse(input).success).toBe(false);
      await expect(call("ask", input)).rejects.toThrow();
    },
  );

  it("inbox gives what was not delivered, then says that there is nothing", async () => {
    const channel = new HumanChannel();
    const { call } = toolsOf(channel);
    expect(await call("inbox", {})).toBe("no new messages");
    channel.send("first");
    channel.send("second");
    expect(await call("inbox", {})).toBe("first\n\nsecond");
    expect(await call("inbox", {})).toBe("no new messages");
  });
});
