import { describe, expect, it } from "vitest";
import { errorText, FlowerError } from "../../src/core/errors.ts";
import type { Event } from "../../src/core/events.ts";
import { LOCALES } from "../../src/core/locale.ts";
import { Notices, type Notice } from "../../src/notify/notice.ts";
import { commandEnvironment, desktopCommand, webhookRequest } from "../../src/notify/requests.ts";
import { notifyTargets, splitWays, targetName, type NotifyTarget } from "../../src/notify/targets.ts";

const BASE = { runId: "r1", step: "work#round2", timeMs: 0 };
const ASKED: Event = {
  ...BASE,
  type: "ask",
  phase: "asked",
  id: "a",
  question: "Which \u001b[31mcolour\u001b[0m for sk-secret-1?",
  options: ["red", "blue"],
  timeoutMs: 1_000,
};
const LIMIT: Event = {
  ...BASE,
  type: "retry",
  attempt: 1,
  maxAttempts: 6,
  waitMs: 1,
  reason: "limit",
  untilMs: 1_000,
};
const RETRY: Event = { ...BASE, type: "retry", attempt: 2, maxAttempts: 6, waitMs: 1, reason: "fault" };
const HANDOFF = { ...BASE, type: "handoff", context: 1, window: 2, at: 1, generation: 1 } as const;
const CALL: Event = { ...BASE, type: "toolCall", id: "t", name: "Read", input: {} };

const notices = (locale: "en" | "de" = "en"): Notices =>
  new Notices({
    locale,
    workspace: "/w/shop",
    redaction: () => (text) => text.replaceAll("sk-secret-1", "[secret removed]"),
  });

describe("which event is worth a notice", () => {
  it.each<[string, Event, Notice["event"] | undefined]>([
    ["a question", ASKED, "question"],
    ["an answer", { ...ASKED, phase: "answered", answer: "red" }, undefined],
    ["a question that nobody was asked", { ...ASKED, phase: "nobody" }, undefined],
    ["a wait for the allowance", LIMIT, "limit"],
    ["a wait after a fault", RETRY, undefined],
    ["a degraded handoff", { ...HANDOFF, phase: "done", degraded: true }, "degraded"],
    ["a handoff", { ...HANDOFF, phase: "done", degraded: false }, undefined],
    ["the writing of one", { ...HANDOFF, phase: "writing" }, undefined],
    ["a call", CALL, undefined],
  ])("%s", (_what, event, expected) => {
    expect(notices().of(event)?.event).toBe(expected);
  });

  it("says one wait once, however often the allowance is tried, and the next one again", () => {
    const said = notices();
    const events = [LIMIT, { ...LIMIT, untilMs: 2_000 }, CALL, LIMIT, LIMIT].map(
      (event) => said.of(event)?.event,
    );
    expect(events).toEqual(["limit", undefined, undefined, "limit", undefined]);
  });

  it("tells how a run ended", () => {
    const end = { text: "why", run: "r1", timeMs: 0 };
    expect(notices("de").ended({ ...end, ok: false })).toEqual({
      v: 1,
      event: "failed",
      title: "flower: vorzeitig angehalten (shop)",
      text: "why",
      run: "r1",
      step: "",
      workspace: "/w/shop",
      time: "1970-01-01T00:00:00.000Z",
    });
    expect(notices().ended({ ...end, ok: true }).event).toBe("finished");
  });

  it("looks for secrets in what is shown", () => {
    const question = "May I use sk-\u001b[31msecret\u001b[0m-1?";
    expect(notices().of({ ...ASKED, question, options: [] })?.text).toBe("May I use [secret removed]?");
  });

  it("shows neither secrets nor control sequences, and the options with their numbers", () => {
    expect(notices().of(ASKED)?.text).toBe("Which colour for [secret removed]?\n1) red\n2) blue");
  });

  it("cuts a long text, after secrets are out of it, and never through a character", () => {
    const text = `${"x".repeat(995)}sk-secret-1`;
    expect(notices().ended({ ok: true, text, run: "r", timeMs: 0 }).text).toBe(`${"x".repeat(995)}[sec…`);
    const faces = notices().ended({ ok: true, text: `x${"😀".repeat(600)}`, run: "r", timeMs: 0 }).text;
    expect(faces).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(faces.length).toBeLessThanOrEqual(1_000);
  });

  it("speaks the person's language", () => {
    const titles = LOCALES.map(
      (locale) =>
        new Notices({ locale, workspace: "/w/x", redaction: () => (text) => text }).of(ASKED)?.title,
    );
    expect(titles).toEqual([
      "flower: a question is waiting (x)",
      "flower: 有问题等你回答 (x)",
      "flower: há uma pergunta à espera (x)",
      "flower: eine Frage wartet (x)",
    ]);
  });
});

describe("ways to notify", () => {
  it.each<[string, NotifyTarget | undefined]>([
    ["bell", { kind: "bell" }],
    [" desktop ", { kind: "desktop" }],
    ["command: say 'a, b' ", { kind: "command", command: "say 'a, b'" }],
    [
      "webhook:https://x.example/hook?t=1",
      { kind: "webhook", url: "https://x.example/hook?t=1", body: "json" },
    ],
    ["webhook:https://ntfy.sh/topic", { kind: "webhook", url: "https://ntfy.sh/topic", body: "ntfy" }],
    ["webhook:https://ntfy.sh/", { kind: "webhook", url: "https://ntfy.sh/", body: "json" }],
    [
      "webhook:https://hooks.slack.com/services/T/B/x",
      { kind: "webhook", url: "https://hooks.slack.com/services/T/B/x", body: "slack" },
    ],
    ["ntfy:http://10.0.0.1/t", { kind: "webhook", url: "http://10.0.0.1/t", body: "ntfy" }],
    [
      "slack:https://chat.example/hooks/x",
      { kind: "webhook", url: "https://chat.example/hooks/x", body: "slack" },
    ],
    ["none", undefined],
  ])("%j", (way, target) => {
    expect(notifyTargets([way])).toEqual(target === undefined ? [] : [target]);
  });

  it.each([
    ["Bell", "it has no name"],
    ["", "it has no name"],
    ["email:s3cr3t", "email"],
    ["bell:s3cr3t", "bell"],
    ["command:", "the command is empty"],
    ["webhook:s3cr3t", "no http or https address"],
    ["webhook:", "no http or https address"],
    ["webhook:ftp://x/s3cr3t", "no http or https address"],
    ["slack:file:///s3cr3t", "no http or https address"],
    ["ntfy:https://ntfy.sh/?auth=s3cr3t", "without a topic"],
  ])("refuses %j without quoting it", (way, why) => {
    let error: unknown;
    try {
      notifyTargets([way]);
    } catch (thrown) {
      error = thrown;
    }
    expect(FlowerError.is(error) && error.code).toBe("usage");
    expect(errorText(error)).toContain(why);
    expect(`${errorText(error)} ${FlowerError.is(error) ? error.nextStep : ""}`).not.toContain("s3cr3t");
  });

  it.each([
    ["bell", ["bell"]],
    ["bell, desktop ,", ["bell", "desktop ,"]],
    ["bell,desktop", ["bell", "desktop"]],
    [
      "command:echo a,b, bell ringers,webhook:https://x/a,b",
      ["command:echo a,b, bell ringers", "webhook:https://x/a,b"],
    ],
    ["  ", []],
  ])("parts %j where the next way begins", (line, ways) => {
    expect(splitWays(line)).toEqual(ways);
  });

  it("names an address by its host alone", () => {
    const [target] = notifyTargets(["webhook:https://me:pass@x.example:8443/token?k=token"]);
    expect(target === undefined ? "" : targetName(target)).toBe("webhook (x.example:8443)");
  });
});

const NOTICE: Notice = {
  v: 1,
  event: "question",
  title: "flower: a question (x)",
  text: "<!channel> a & b?",
  run: "r",
  step: "work",
  workspace: "/w",
  time: "t",
};

describe("what a webhook gets", () => {
  const request = (
    url: string,
    body: "json" | "ntfy" | "slack",
  ): { url: string; headers: unknown; body: unknown } => {
    const made = webhookRequest(NOTICE, { kind: "webhook", url, body });
    return { ...made, body: JSON.parse(made.body) as unknown };
  };

  it("the notice as JSON; name and password as a header", () => {
    expect(request("https://me:p%40ss@x.example/h?k=1", "json")).toEqual({
      url: "https://x.example/h?k=1",
      headers: { "content-type": "application/json", authorization: "Basic bWU6cEBzcw==" },
      body: NOTICE,
    });
  });

  it("for ntfy the topic in the body, posted to the server's root", () => {
    expect(request("https://ntfy.example/base/my-topic?auth=x", "ntfy")).toMatchObject({
      url: "https://ntfy.example/base/?auth=x",
      body: { topic: "my-topic", title: NOTICE.title, message: NOTICE.text, priority: 4 },
    });
  });

  it("for Slack one text that calls nobody", () => {
    expect(request("https://hooks.slack.com/x", "slack").body).toEqual({
      text: "*flower: a question (x)*\n&lt;!channel&gt; a &amp; b?",
    });
  });
});

describe("the command of a pop-up", () => {
  it("takes texts as arguments, never as code", () => {
    expect(desktopCommand(NOTICE, "linux")).toEqual({
      file: "notify-send",
      args: ["--app-name=flower", "--urgency=critical", "--", NOTICE.title, "&lt;!channel&gt; a &amp; b?"],
    });
    const { file, args } = desktopCommand(NOTICE, "darwin");
    expect(file).toBe("osascript");
    expect(args.slice(-2)).toEqual([NOTICE.title, NOTICE.text]);
    expect(args.slice(0, -2).join(" ")).toBe(
      "-e on run argv -e display notification (item 2 of argv) with title (item 1 of argv) -e end run",
    );
  });

  it("is urgent only where somebody has to act", () => {
    expect(desktopCommand({ ...NOTICE, event: "finished" }, "linux").args).toContain("--urgency=normal");
  });
});

it("a command's variables", () => {
  expect(commandEnvironment(NOTICE)).toMatchObject({ FLOWER_EVENT: "question", FLOWER_TEXT: NOTICE.text });
});
