import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onCleanup } from "./rehearse.ts";

/** The built command. */
export const FLOWER = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A command's end, and what it printed. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** This process's environment without any account, settings and language of the machine's owner. */
export function cleanEnv(extra: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(ANTHROPIC_|CLAUDE|FLOWER_|LC_|LANG)/.test(name),
  );
  return { ...Object.fromEntries(own), ...extra };
}

/** Runs flower to its end. Asynchronous: the rehearsal that it talks to lives in this process. */
export async function flower(
  args: readonly string[],
  extra: Readonly<Record<string, string>>,
  input = "",
): Promise<Ran> {
  const child = spawn(process.execPath, [FLOWER, ...args], { env: cleanEnv(extra), stdio: "pipe" });
  onCleanup(async () => child.kill("SIGKILL"));
  const ran: Ran = { code: null, out: "", err: "" };
  // A command that ends before it has read its input is no error here.
  child.stdin.on("error", () => undefined).end(input);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.err += text));
  ran.code = await new Promise((resolve) => child.once("close", resolve));
  return ran;
}
