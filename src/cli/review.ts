import { spawn } from "node:child_process";
import type { HandoffReview } from "../runtime/contract.ts";
import type { LineInput } from "./input.ts";
import type { Screen } from "./screen.ts";

/**
 * Pauses before a successor starts, so that a person can read and edit its document: Enter goes on, `e` opens the
 * editor, and after `seconds` it goes on by itself; they count anew after the editor. Without a terminal there is
 * nobody to wait for.
 */
export async function reviewAtTerminal(
  { path }: HandoffReview,
  {
    seconds,
    screen,
    lines,
    message,
    signal,
  }: {
    seconds: number;
    screen: Screen;
    lines: LineInput;
    /** Takes words; false when they were a command and no message. */
    message(text: string): boolean;
    /** Aborted when the person interrupts: the next line is theirs for that. */
    signal: AbortSignal;
  },
): Promise<void> {
  if (path === null || !process.stdin.isTTY) return;
  const { texts } = screen;
  for (;;) {
    screen.say(`  ? ${path}: ${texts.reviewHint}`);
    screen.reviews(true);
    const line = await lines.countdown({
      seconds,
      prompt: (secondsLeft) => `    ${texts.reviewLeft(secondsLeft)} > `,
      key: "e",
      signal,
    });
    screen.reviews(false);
    const said = line?.trim() ?? "";
    if (said.toLowerCase() !== "e") {
      // Words are for the successor, not a way of pressing Enter.
      if (said !== "" && !message(said)) continue;
      return;
    }
    await lines.lend(async () => edit(path, screen));
  }
}

async function edit(path: string, screen: Screen): Promise<void> {
  const editor = [process.env["VISUAL"], process.env["EDITOR"]].find(
    (name) => name !== undefined && name !== "",
  );
  // The variable may hold options; the path is handed over as one word.
  const child = spawn("sh", ["-c", `${editor ?? "vi"} "$1"`, "sh", path], { stdio: "inherit" });
  const problem = await new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? undefined : `exit code ${code ?? "?"}`));
  });
  if (problem !== undefined) screen.say(`  ! ${editor ?? "vi"}: ${problem}`);
}
