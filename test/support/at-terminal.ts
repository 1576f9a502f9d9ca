import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onCleanup, until } from "./rehearse.ts";

const DRIVER = fileURLToPath(new URL("at-terminal.py", import.meta.url));

/** Whether this machine can play a terminal: `os.waitstatus_to_exitcode` came with Python 3.9. */
export const canPlayTerminal =
  spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;

/** A command at a terminal of its own. */
export interface AtTerminal {
  /** What the screen got so far, without colours and cursor movements; a redrawn line stands there each time. */
  screen(): string;
  /** Waits until the screen shows it, from the place on that an earlier call returned; returns the place behind it. */
  shows(what: RegExp, from?: number): Promise<number>;
  type(keys: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** Runs a command at a terminal; it goes with the test. */
export function atTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AtTerminal {
  const driver = spawn("python3", [DRIVER, ...command], {
    env: { ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let raw = "";
  driver.stdout.setEncoding("utf8").on("data", (text: string) => (raw += text));
  const ended = new Promise<number | null>((resolve) => driver.once("close", resolve));
  onCleanup(async () => {
    driver.kill("SIGKILL");
    await ended;
  });
  const screen = (): string => raw.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  return {
    screen,
    async shows(what, from = 0) {
      const find = (): RegExpExecArray | null => what.exec(screen().slice(from));
      try {
        await until(() => find() !== null, 25_000);
      } catch {
        throw new Error(`the screen does not show ${String(what)}:\n${screen().slice(from)}`);
      }
      const found = find();
      return from + (found?.index ?? 0) + (found?.[0].length ?? 0);
    },
    type: (keys) => void driver.stdin.write(keys),
    ended,
  };
}
