import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Rehearsal } from "../../src/testing/index.ts";
import { onCleanup } from "./rehearse.ts";

/** The built command. */
export const FLOWER = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A command's end, and what it printed. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** This process's environment without any account, settings and language of the machine's owner, and as no CI. */
export function cleanEnv(extra: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(ANTHROPIC_|CLAUDE|FLOWER_|LC_|LANG|(CI|CONTINUOUS_INTEGRATION|(NO|FORCE)_COLOR|VISUAL|EDITOR)$)/.test(
        name,
      ),
  );
  return { ...Object.fromEntries(own), ...extra };
}

/** A confirmed brief: with it in the workbench, clarifying is skipped. */
export const CONFIRMED_BRIEF =
  "## Goal\na\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd\n";

/** Puts it where a run in that workspace finds it. */
export async function confirmBrief(workspace: string, brief = CONFIRMED_BRIEF): Promise<void> {
  const notes = join(workspace, ".flower/notes");
  await mkdir(notes, { recursive: true });
  await writeFile(join(notes, "brief.md"), brief);
}

/** What a person sets who uses a rehearsal for their endpoint, with the workspace for a home. */
export function personEnv(rehearsal: Rehearsal, workspace: string): Record<string, string> {
  return {
    ...rehearsal.env,
    HOME: workspace,
    XDG_CONFIG_HOME: "",
    ANTHROPIC_MODEL: "claude-opus-5",
    TERM: "xterm",
  };
}

/** Runs flower to its end. Asynchronous: the rehearsal that it talks to lives in this process. */
export async function flower(
  args: readonly string[],
  extra: Readonly<Record<string, string>>,
  input: string | null = "",
): Promise<Ran> {
  const child = spawn(process.execPath, [FLOWER, ...args], { env: cleanEnv(extra), stdio: "pipe" });
  onCleanup(async () => child.kill("SIGKILL"));
  const ran: Ran = { code: null, out: "", err: "" };
  // A command that ends before it has read its input is no error here.
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.err += text));
  ran.code = await new Promise((resolve) => child.once("close", resolve));
  return ran;
}
