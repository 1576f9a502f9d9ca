import type { Command } from "commander";
import { program, type Commands } from "../../src/cli/program.ts";

/** The real command line with commands that do nothing. */
export function idleProgram(): Command {
  const idle = new Proxy({}, { get: () => () => Promise.resolve(0) }) as Commands;
  return program(idle, "0.0.0", () => undefined);
}
