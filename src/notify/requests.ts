import type { Notice } from "./notice.ts";
import { topicOf, type NotifyTarget } from "./targets.ts";

/** An HTTP POST. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** ntfy's scale is 1 to 5, 3 the default; high where somebody has to act. */
const NTFY_PRIORITY: Readonly<Record<Notice["event"], number>> = {
  question: 4,
  failed: 4,
  degraded: 3,
  limit: 3,
  finished: 3,
};

/** What is posted to a webhook: the notice as it is, or in the words of ntfy or Slack. */
export function webhookRequest(
  notice: Notice,
  { url, body }: Extract<NotifyTarget, { kind: "webhook" }>,
): WebhookRequest {
  const to = new URL(url);
  // `fetch` takes no address with a name and a password in it.
  const [user, password] = [to.username, to.password].map(decodeURIComponent);
  const login = Buffer.from(`${user ?? ""}:${password ?? ""}`).toString("base64");
  const headers = {
    "content-type": "application/json",
    ...(to.username === "" && to.password === "" ? {} : { authorization: `Basic ${login}` }),
  };
  to.username = "";
  to.password = "";
  switch (body) {
    case "json":
      return { url: to.href, headers, body: JSON.stringify(notice) };
    case "slack":
      return { url: to.href, headers, body: JSON.stringify({ text: slackText(notice) }) };
    case "ntfy": {
      // JSON goes to the server's root and names the topic, for headers take no other letters than Latin ones.
      const topic = topicOf(to);
      to.pathname = to.pathname.replace(/[^/]+\/*$/, "");
      const { title, text, event } = notice;
      const message = text === "" ? title : text;
      return {
        url: to.href,
        headers,
        body: JSON.stringify({ topic, title, message, priority: NTFY_PRIORITY[event] }),
      };
    }
  }
}

/** Slack reads `<…>` as links and mentions: a model's text must not call a channel. */
function slackText({ title, text }: Notice): string {
  return `*${escaped(title)}*\n${escaped(text)}`.trim();
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A program with its arguments. */
export interface DesktopCommand {
  file: string;
  args: readonly string[];
}

/** The platform's own command for a pop-up: `osascript` on macOS, else `notify-send`. No text becomes code. */
export function desktopCommand({ title, text, event }: Notice, platform: NodeJS.Platform): DesktopCommand {
  if (platform === "darwin")
    return {
      file: "osascript",
      args: [
        ...["-e", "on run argv"],
        ...["-e", "display notification (item 2 of argv) with title (item 1 of argv)"],
        ...["-e", "end run"],
        ...[title, text],
      ],
    };
  const urgency = event === "question" || event === "failed" ? "critical" : "normal";
  // The body may be read as markup, the title is not.
  return {
    file: "notify-send",
    args: ["--app-name=flower", `--urgency=${urgency}`, "--", title, escaped(text)],
  };
}

/** Variables of a command, beside the notice on its standard input. */
export function commandEnvironment(notice: Notice): Record<string, string> {
  return {
    FLOWER_EVENT: notice.event,
    FLOWER_TITLE: notice.title,
    FLOWER_TEXT: notice.text,
    FLOWER_RUN: notice.run,
    FLOWER_STEP: notice.step,
    FLOWER_WORKSPACE: notice.workspace,
  };
}
