import { readLines, type LineInput, type LineTaker } from "../input.ts";
import type { Screen } from "../screen.ts";
import type { openLive as OpenLive } from "./live.ts";
import { reflowOf } from "./reflow.ts";

/** What {@link openTerminal} connects. */
export interface TerminalOptions {
  screen: Screen;
  taker: LineTaker;
  onInterrupt(): void;
  env: Readonly<Record<string, string | undefined>>;
  /** Nothing is drawn. Default false. */
  plain?: boolean;
  /** What stands in the input line already. Default: nothing. */
  typed?: string;
}

/**
 * Reads what a person types, and at a terminal that can move its cursor draws status and input line at the bottom.
 * Everywhere else (a pipe, `TERM=dumb`, `NO_COLOR`, `CI`) lines stay plain.
 */
export async function openTerminal({
  screen,
  taker,
  onInterrupt,
  env,
  plain = false,
  typed = "",
}: TerminalOptions): Promise<LineInput> {
  if (plain || !canDraw(env)) return readLines(process.stdin, taker, onInterrupt, typed);
  // Of a terminal that is gone.
  process.stdin.on("error", () => taker.nobodyThere());
  const { openLive } = await drawingModule();
  const live = openLive({
    input: process.stdin,
    output: process.stderr,
    taker,
    onInterrupt,
    typed,
    reflow: reflowOf(env),
    status: (size) => screen.statusRows(size),
  });
  screen.into(live);
  return {
    ...live,
    get lent() {
      return live.lent;
    },
    close() {
      live.close();
      screen.into(undefined);
    },
  };
}

/** Whether status and input line can be drawn. */
export function canDraw(env: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  // As Ink looks at it, which draws nothing there: an empty value counts (is-in-ci 2.0).
  const isOn = (name: string): boolean => !["0", "false", undefined].includes(env[name]);
  if (!process.stdin.isTTY || !process.stderr.isTTY || isOn("CI") || isOn("CONTINUOUS_INTEGRATION"))
    return false;
  return isSet("TERM") && env["TERM"] !== "dumb" && !isSet("NO_COLOR");
}

/** React takes its slow, growing development form unless told otherwise; tools that flower starts must not see that. */
async function drawingModule(): Promise<{ openLive: typeof OpenLive }> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await import("./live.ts");
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}
