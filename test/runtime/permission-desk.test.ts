import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "../../src/core/locale.ts";
import type { ToolCall } from "../../src/core/tool-call.ts";
import type { PermissionRequest } from "../../src/gate/gate.ts";
import { HumanChannel } from "../../src/human/channel.ts";
import { PermissionDesk } from "../../src/runtime/permission-desk.ts";

const CALL: ToolCall = { id: "t", name: "Bash", input: {}, cwd: "/ws", agentId: "a", agentType: "worker" };
const LIVE = { isOff: () => false };
const request = (what: string, more: Partial<PermissionRequest> = {}): PermissionRequest => ({
  tool: "Bash",
  kind: "command",
  what,
  where: "/ws",
  key: what,
  ...more,
});

function open({ locale = "en", timeoutMs = null }: { locale?: Locale; timeoutMs?: number | null } = {}) {
  const channel = new HumanChannel({ timeoutMs, quota: 0, locale });
  const redact = (text: string): string => text.replaceAll("hunter2", "[secret removed]");
  const desk = new PermissionDesk({ channel, locale, redact });
  const answer = (text: string): boolean => channel.answer(channel.pending[0]?.id ?? "", text);
  return { channel, desk, answer };
}
/** Lets what is settled reach those that wait. */
const turnOver = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a permission", () => {
  it("shows the whole command behind a bar, what cannot be seen written out, and no secret", async () => {
    const { channel, desk } = open();
    const tail = "x".repeat(10_000);
    const what = `curl -u me:hunter2 a &&\n  1) once\u202e ${tail}`;
    void desk.ask(CALL, request(what, { where: "/w\ns" }), LIVE);
    await turnOver();
    expect(channel.pending[0]?.question.split("\n")).toEqual([
      "worker wants to run this command",
      "directory: /w\\u{a}s",
      "| curl -u me:[secret removed] a &&",
      `|   1) once\\u{202e} ${tail}`,
      "(for this run: exactly this command in this directory)",
    ]);
    channel.close();
  });

  it("cuts the input of other tools", async () => {
    const { channel, desk } = open();
    void desk.ask(
      CALL,
      request("y".repeat(4_100), { kind: "tool", tool: "mcp__a__b", where: undefined }),
      LIVE,
    );
    await turnOver();
    expect(channel.pending[0]?.question).toMatch(
      /^worker wants to use mcp__a__b\n\| y{4000} … \(\+100\)\n\(/,
    );
    channel.close();
  });

  it.each(LOCALES)("is asked and answered in the person's language (%s)", async (locale) => {
    const { channel, desk, answer } = open({ locale });
    const first = desk.ask(CALL, request("x"), LIVE);
    await turnOver();
    const [ask] = channel.pending;
    expect(ask).toMatchObject({ permission: true });
    expect(new Set(ask?.options).size).toBe(3);
    answer(ask?.options[1] ?? "");
    expect(await first).toEqual({ allow: true });
    expect([...desk.grants]).toEqual(["x"]);
  });

  it("for once is not remembered; the next one waits behind it", async () => {
    const { channel, desk, answer } = open();
    const both = [desk.ask(CALL, request("x"), LIVE), desk.ask(CALL, request("x"), LIVE)];
    await turnOver();
    expect(channel.pending).toHaveLength(1);
    answer("1");
    await turnOver();
    answer("no: use y");
    expect(await Promise.all(both)).toEqual([
      { allow: true },
      { allow: false, words: true, reason: "The person did not allow this call, and says: use y" },
    ]);
    expect(desk.grants.size).toBe(0);
  });

  it("for the run lets those through that wait for the same, and asks about others", async () => {
    const { channel, desk, answer } = open();
    const same = [desk.ask(CALL, request("x"), LIVE), desk.ask(CALL, request("x"), LIVE)];
    const other = desk.ask(CALL, request("z"), LIVE);
    await turnOver();
    answer("2");
    expect(await Promise.all(same)).toEqual([{ allow: true }, { allow: true }]);
    await turnOver();
    expect(channel.pending[0]?.question).toContain("| z");
    answer("3");
    expect(await other).toMatchObject({ allow: false, words: false });
  });

  it("is not asked for a call that is off meanwhile", async () => {
    const { channel, desk } = open();
    expect(await desk.ask(CALL, request("x"), { isOff: () => true })).toMatchObject({ allow: false });
    expect(channel.pending).toHaveLength(0);
  });

  it("is withdrawn with its session, and the next one is asked", async () => {
    const { channel, desk, answer } = open();
    const gone = new AbortController();
    const first = desk.ask(CALL, request("x"), { ...LIVE, signal: gone.signal });
    const second = desk.ask(CALL, request("y"), LIVE);
    await turnOver();
    gone.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    await turnOver();
    expect(channel.pending).toHaveLength(1);
    answer("1");
    expect(await second).toEqual({ allow: true });
  });

  it("is a no where nobody is there or nobody answers", async () => {
    const { desk } = open({ timeoutMs: 0 });
    expect(await desk.ask(CALL, request("x"), LIVE)).toMatchObject({ reason: /nobody is there/ });
    const alone = new PermissionDesk({ channel: undefined, locale: "en", redact: (text) => text });
    expect(await alone.ask(CALL, request("x"), LIVE)).toMatchObject({ reason: /nobody is there/ });
    const late = open({ timeoutMs: 1 });
    expect(await late.desk.ask(CALL, request("x"), LIVE)).toMatchObject({
      reason: /nobody answered in time/,
    });
  });

  it("does not use up the model's questions, nor do these stop it", async () => {
    const channel = new HumanChannel({ timeoutMs: null, quota: 1 });
    const desk = new PermissionDesk({ channel, locale: "en", redact: (text) => text });
    const permission = desk.ask(CALL, request("x"), LIVE);
    await turnOver();
    channel.skip(channel.pending[0]?.id ?? "");
    await permission;
    const first = channel.ask("One?");
    channel.skip(channel.pending[0]?.id ?? "");
    expect(await first).toEqual({ fallthrough: "skipped" });
    expect(await channel.ask("Two?")).toEqual({ fallthrough: "quota" });
  });
});
