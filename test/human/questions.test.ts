import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  HumanChannel,
  type AskEvent,
  type Exchange,
  type HumanChannelOptions,
} from "../../src/human/channel.ts";
import { pickOption } from "../../src/human/outcome.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  // A question that is over holds no timer.
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});

/** A channel with a protocol of its events and exchanges. */
function open(options: HumanChannelOptions = {}) {
  const events: AskEvent[] = [];
  const exchanges: Exchange[] = [];
  const channel = new HumanChannel({
    onAsk: (event) => events.push(event),
    log: (exchange) => exchanges.push(exchange),
    ...options,
  });
  const phases = () => events.map(({ id, phase }) => `${id} ${phase}`);
  return { channel, events, exchanges, phases };
}

describe("pickOption", () => {
  it.each([
    ["2", ["red", "blue"], "blue"],
    [" 1. ", ["red", "blue"], "red"],
    ["2)", ["red", "blue"], "blue"],
    ["２", ["红", "蓝"], "蓝"],
    ["3", ["red", "blue"], "3"],
    ["0", ["red", "blue"], "0"],
    ["4", ["2", "4"], "4"],
    ["2", ["4", "2"], "2"],
    ["1", [], "1"],
    ["the second\none ", ["red", "blue"], "the second\none"],
    ["1.5", ["red", "blue"], "1.5"],
  ])("%j of %j → %j", (text, options, expected) => expect(pickOption(text, options)).toBe(expected));
});

describe("ask", () => {
  it("brings an answer back, by number or in words, and says so once", async () => {
    const { channel, events, exchanges } = open({ timeoutMs: 60_000 });
    const asked = channel.ask("Which colour?", ["red", "blue"]);
    const [{ id } = { id: "" }] = channel.pending;
    vi.setSystemTime(1_010_000);
    expect(channel.answer(id, "2")).toBe(true);
    expect(await asked).toEqual({ answer: "blue" });
    expect(channel.answer(id, "1")).toBe(false);
    expect(channel.skip(id)).toBe(false);
    const common = { type: "ask", id, question: "Which colour?", options: ["red", "blue"] };
    expect(events).toEqual([
      { ...common, phase: "asked", timeoutMs: 60_000 },
      { ...common, phase: "answered", timeoutMs: 50_000, answer: "blue" },
    ]);
    expect(exchanges).toEqual([
      { question: "Which colour?", options: ["red", "blue"], outcome: { answer: "blue" }, timeMs: 1_010_000 },
    ]);
  });

  it("does not take a blank answer or one to an unknown question", async () => {
    const { channel } = open();
    const asked = channel.ask("Why?");
    const id = channel.pending[0]!.id;
    expect([channel.answer(id, " \n"), channel.answer("ask-9", "x"), channel.skip("ask-9")]).toEqual([
      false,
      false,
      false,
    ]);
    channel.skip(id);
    expect(await asked).toEqual({ fallthrough: "skipped" });
  });

  it("refuses a blank question", async () => {
    await expect(open().channel.ask(" ")).rejects.toMatchObject({ code: "usage" });
  });

  it.each([
    { options: { timeoutMs: 0 }, outcome: "nobody" },
    { options: { timeoutMs: -1 }, outcome: "nobody" },
    { options: { timeoutMs: -1, quota: 0 }, outcome: "nobody" },
    { options: { quota: 0 }, outcome: "quota" },
  ])("falls through at once with $options", async ({ options, outcome }) => {
    const { channel, phases, exchanges } = open(options);
    expect(await channel.ask("Anybody?")).toEqual({ fallthrough: outcome });
    expect(phases()).toEqual([`ask-1 ${outcome}`]);
    expect(exchanges).toHaveLength(1);
  });

  it("counts questions against the quota, whatever became of them", async () => {
    const { channel } = open({ quota: 2 });
    const first = channel.ask("one");
    const second = channel.ask("two");
    expect(await channel.ask("three")).toEqual({ fallthrough: "quota" });
    channel.skip(channel.pending[0]!.id);
    channel.answer(channel.pending[0]!.id, "yes");
    expect([await first, await second]).toEqual([{ fallthrough: "skipped" }, { answer: "yes" }]);
    expect(await channel.ask("four")).toEqual({ fallthrough: "quota" });
  });

  it("has no limit with a negative quota", async () => {
    const { channel } = open({ quota: -1 });
    const asked = Array.from({ length: 100 }, async (_, n) => channel.ask(`question ${n}`));
    while (channel.pending.length > 0) channel.answer(channel.pending[0]!.id, "yes");
    expect(new Set((await Promise.all(asked)).map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  });

  it("shows one question at a time, each with the whole time", async () => {
    const { channel, phases } = open({ timeoutMs: HOUR_MS });
    const outcomes = ["a", "b", "c"].map(async (question) => channel.ask(question));
    expect(channel.pending.map(({ shown }) => shown)).toEqual([true, false, false]);
    // One that waits in the line can be skipped without ever being shown.
    channel.skip("ask-2");
    await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
    expect(phases()).toEqual(["ask-1 asked", "ask-2 skipped"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(phases().slice(2)).toEqual(["ask-1 timeout", "ask-3 asked"]);
    expect(channel.pending).toEqual([
      { id: "ask-3", question: "c", options: [], shown: true, deadlineMs: 1_000_000 + 2 * HOUR_MS },
    ]);
    channel.answer("ask-3", "yes");
    expect(await Promise.all(outcomes)).toEqual([
      { fallthrough: "timeout" },
      { fallthrough: "skipped" },
      { answer: "yes" },
    ]);
  });

  it("waits half an hour unless told otherwise", async () => {
    const { channel, events } = open();
    const asked = channel.ask("?");
    expect(events[0]?.timeoutMs).toBe(1_800_000);
    await vi.advanceTimersByTimeAsync(1_799_999);
    expect(channel.pending).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toEqual({ fallthrough: "timeout" });
  });

  it("waits longer than a timer can count", async () => {
    const days30 = 30 * 24 * HOUR_MS;
    const { channel } = open({ timeoutMs: days30 });
    const asked = channel.ask("?");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(channel.pending).toHaveLength(1);
    vi.setSystemTime(1_000_000 + days30 - 5_000);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(channel.pending).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toEqual({ fallthrough: "timeout" });
  });

  it("notices after the machine slept that the time is up", async () => {
    const { channel } = open({ timeoutMs: 8 * HOUR_MS });
    const asked = channel.ask("?");
    // The wall clock jumps, the timers did not run meanwhile.
    vi.setSystemTime(1_000_000 + 9 * HOUR_MS);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toEqual({ fallthrough: "timeout" });
  });

  it("waits forever with null", async () => {
    const { channel, events } = open({ timeoutMs: null });
    const asked = channel.ask("?");
    expect([events[0]?.timeoutMs, channel.pending[0]?.deadlineMs]).toEqual([null, null]);
    vi.setSystemTime(1_000_000 + 10_000 * HOUR_MS);
    await vi.advanceTimersByTimeAsync(60_000);
    channel.answer("ask-1", "at last");
    expect(await asked).toEqual({ answer: "at last" });
  });

  it("withdraws a question whose asker has gone, shown or not", async () => {
    const { channel, phases } = open();
    const first = new AbortController();
    const second = new AbortController();
    const asked = [
      channel.ask("a", [], { signal: first.signal }),
      channel.ask("b", [], { signal: second.signal }),
      channel.ask("c"),
    ];
    const settled = Promise.allSettled(asked);
    second.abort();
    first.abort();
    expect(phases()).toEqual(["ask-1 asked", "ask-2 skipped", "ask-1 skipped", "ask-3 asked"]);
    channel.answer("ask-3", "yes");
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    await expect(asked[0]).rejects.toMatchObject({ code: "aborted" });
    await expect(channel.ask("d", [], { signal: first.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(channel.pending).toEqual([]);
  });

  it("lets everything fall through when it is closed, without showing what waited", async () => {
    const { channel, phases } = open();
    const asked = [channel.ask("a"), channel.ask("b")];
    channel.close();
    expect(await Promise.all(asked)).toEqual([{ fallthrough: "nobody" }, { fallthrough: "nobody" }]);
    expect(phases()).toEqual(["ask-1 asked", "ask-2 nobody", "ask-1 nobody"]);
    expect(await channel.ask("c")).toEqual({ fallthrough: "nobody" });
  });

  it("is not harmed by listeners and logs that throw, and lets another listener take over", async () => {
    const problems: string[] = [];
    const fail = () => {
      throw new Error("broken");
    };
    const { channel } = open({ onAsk: fail, log: fail, onProblem: (message) => problems.push(message) });
    const asked = channel.ask("?");
    const heard: string[] = [];
    channel.onAsk(({ phase }) => heard.push(phase));
    channel.answer("ask-1", "fine");
    expect(await asked).toEqual({ answer: "fine" });
    expect(problems).toEqual([
      expect.stringMatching(/listener.*broken/),
      expect.stringMatching(/log.*broken/),
    ]);
    expect(heard).toEqual(["answered"]);
  });

  it("lets a listener answer in the moment of asking", async () => {
    const channel: HumanChannel = new HumanChannel({
      onAsk: ({ id, phase }) => {
        if (phase === "asked") channel.answer(id, "at once");
      },
    });
    expect(await Promise.all([channel.ask("a"), channel.ask("b")])).toEqual([
      { answer: "at once" },
      { answer: "at once" },
    ]);
  });
});
