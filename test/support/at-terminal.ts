import { spawn, spawnSync } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import xterm from "@xterm/headless";
import { onCleanup, until } from "./rehearse.ts";

const DRIVER = fileURLToPath(new URL("at-terminal.py", import.meta.url));

/** Whether this machine can play a terminal: `os.waitstatus_to_exitcode` came with Python 3.9. */
export const canPlayTerminal =
  spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;

/** Lines that went off the top and can still be read. */
const SCROLLBACK = 20_000;

/** What the driver says in the output where the size changes, so that both sides of it are read right. */
const RESIZED = /\u001b\]resized (\d+ \d+)\u0007/;
const HALF_RESIZED = /\u001b(?:\](?:r[a-z]*(?: [\d ]*)?)?)?$/;

/** A command at a terminal of its own. */
export interface AtTerminal {
  /** What the terminal got so far, as it came. */
  raw(): string;
  /** What the screen got so far, without colours and cursor movements; a redrawn line stands there each time. */
  screen(): string;
  /** Waits until the screen got it, from the place on that an earlier call returned; returns the place behind it. */
  shows(what: RegExp, from?: number): Promise<number>;
  /** What a person sees now, row by row, without blanks at the ends. */
  frame(): Promise<string[]>;
  /** The same with all that went off the top. */
  paper(): Promise<string[]>;
  /** Waits until the visible rows, joined by newlines, match. */
  seen(what: RegExp): Promise<string>;
  /** Where the cursor is: column and visible row, from 0. */
  cursor(): Promise<{ x: number; y: number }>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Takes the terminal away, as when its window is closed. */
  hangUp(): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** How large it is, and whether it breaks its rows anew when it gets narrower, as most do. Default: 80 by 24; it does. */
export interface TerminalSize {
  columns?: number;
  rows?: number;
  breaksAnew?: boolean;
}

/** Runs a command at a terminal; it goes with the test. */
export function atTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { columns = 80, rows = 24, breaksAnew = true }: TerminalSize = {},
): AtTerminal {
  const driver = spawn("python3", [DRIVER, String(columns), String(rows), ...command], {
    env: { ...env },
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  const [keyboard, output, , sizes] = driver.stdio as unknown as [Writable, Readable, null, Writable];
  const emulated = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: SCROLLBACK,
    allowProposedApi: true,
    // Of the old Windows console the emulator knows that it cuts rows.
    ...(breaksAnew ? {} : { windowsPty: { backend: "conpty", buildNumber: 1 } }),
  });
  let raw = "";
  let held = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = (held + text).split(RESIZED);
    held = HALF_RESIZED.exec(parts.at(-1) ?? "")?.[0] ?? "";
    for (const [i, part] of parts.entries()) {
      const [toColumns, toRows] = part.split(" ").map(Number);
      // A size stands between two texts.
      if (i % 2 === 1) emulated.write("", () => emulated.resize(toColumns ?? 0, toRows ?? 0));
      else {
        const whole = i === parts.length - 1 ? part.slice(0, part.length - held.length) : part;
        raw += whole;
        emulated.write(whole);
      }
    }
  });
  const ended = new Promise<number | null>((resolve) => driver.once("close", resolve));
  onCleanup(async () => {
    driver.kill("SIGKILL");
    await ended;
    emulated.dispose();
  });
  const screen = (): string => raw.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  const settled = async (): Promise<void> => new Promise((resolve) => emulated.write("", resolve));
  const lines = (from: number): string[] => {
    const { active } = emulated.buffer;
    return Array.from(
      { length: active.baseY + emulated.rows - from },
      (_, i) =>
        active
          .getLine(from + i)
          ?.translateToString(true, 0, emulated.cols)
          .trimEnd() ?? "",
    );
  };
  const frame = async (): Promise<string[]> => {
    await settled();
    return lines(emulated.buffer.active.baseY);
  };
  return {
    raw: () => raw,
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
    frame,
    async paper() {
      await settled();
      return lines(0);
    },
    async seen(what) {
      let seen = "";
      try {
        await until(async () => what.test((seen = (await frame()).join("\n"))), 25_000);
      } catch {
        throw new Error(`nobody sees ${String(what)}:\n${seen}`);
      }
      return seen;
    },
    async cursor() {
      await settled();
      const { cursorX: x, cursorY: y } = emulated.buffer.active;
      return { x, y };
    },
    type: (keys) => void keyboard.write(keys),
    resize(toColumns, toRows) {
      sizes.write(`${toColumns} ${toRows}\n`);
    },
    hangUp: () => void sizes.write("hang up\n"),
    ended,
  };
}
