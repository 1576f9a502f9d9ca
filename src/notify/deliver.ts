import { spawn, type ChildProcess } from "node:child_process";
import type { Notice } from "./notice.ts";
import { commandEnvironment, desktopCommand, webhookRequest, type DesktopCommand } from "./requests.ts";
import type { NotifyTarget } from "./targets.ts";
import type { NotifyTexts } from "./texts.ts";

/** The other side was reached and did not take it, e.g. `HTTP 404`. */
class NotTaken extends Error {}

/** What delivering needs of its surroundings. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Rings at a terminal; does nothing without one. */
  bell(): void;
}

/** The person's account is none of a command's business, nor are the addresses of the other ways. */
const NOT_HANDED_ON: ReadonlySet<string> = new Set([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "FLOWER_NOTIFY",
]);

/**
 * Brings a notice to a target; ends early, with its processes, when the signal fires.
 * @throws what {@link failureText} puts into words.
 */
export async function deliver(
  notice: Notice,
  target: NotifyTarget,
  { env, platform, bell }: Surroundings,
  signal: AbortSignal,
): Promise<void> {
  switch (target.kind) {
    case "bell":
      bell();
      return;
    case "desktop":
      await run({ ...desktopCommand(notice, platform), env, input: "" }, signal);
      return;
    case "command": {
      const own = Object.entries(env).filter(([name]) => !NOT_HANDED_ON.has(name));
      const given = { ...Object.fromEntries(own), ...commandEnvironment(notice) };
      const input = `${JSON.stringify(notice)}\n`;
      await run({ file: "sh", args: ["-c", target.command], env: given, input }, signal);
      return;
    }
    case "webhook": {
      const { url, ...request } = webhookRequest(notice, target);
      // Not followed: a redirect makes a GET of a POST, and sends the text where nobody said.
      const answer = await fetch(url, { method: "POST", ...request, signal, redirect: "manual" });
      await answer.body?.cancel();
      if (!answer.ok) throw new NotTaken(`HTTP ${answer.status}`);
    }
  }
}

/** A failed delivery for the person: a code rather than a message, which may quote an address. */
export function failureText(error: unknown, texts: NotifyTexts): string {
  if (error instanceof NotTaken) return error.message;
  if (!(error instanceof Error)) return typeof error;
  // What `fetch` throws has the reason in its cause.
  const { code, syscall, path } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === "ENOENT" && syscall?.startsWith("spawn") === true) return texts.missing(path ?? "sh");
  return typeof code === "string" ? code : error.name;
}

interface Call extends DesktopCommand {
  env: Readonly<Record<string, string | undefined>>;
  input: string;
}

async function run({ file, args, env, input }: Call, signal: AbortSignal): Promise<void> {
  // A group of its own, so that all of it can be ended; its output must not tear the screen.
  const child = spawn(file, args, { env, stdio: ["pipe", "ignore", "ignore"], detached: true });
  const end = (): void => endGroup(child);
  signal.addEventListener("abort", end);
  // One that does not read its input is no failure.
  child.stdin.on("error", () => undefined).end(input);
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, by) => {
        if (code === 0) resolve();
        else reject(new NotTaken(by ?? `exit ${code ?? "?"}`));
      });
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
