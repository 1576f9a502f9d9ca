import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Actor, Rehearsal } from "../../src/testing/index.ts";
import { flower, personEnv, type Ran } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";

/** Where an example's file is. */
export const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** A workspace of its own, and a command that runs an example there against a scripted model. */
export interface ExampleStage {
  workspace: string;
  rehearsal: Rehearsal;
  env: Record<string, string>;
  run(name: string, ...args: string[]): Promise<Ran>;
}

/** Sets a stage that goes with the test. The workspace is made unless one is named. */
export async function exampleStage(actors: readonly Actor[], there?: string): Promise<ExampleStage> {
  const workspace = there ?? join(await tempDir(), "work");
  await mkdir(workspace, { recursive: true });
  const rehearsal = await rehearse({ scenario: { name: "example", actors } });
  const env = personEnv(rehearsal, workspace);
  const run = async (name: string, ...args: string[]): Promise<Ran> =>
    flower(["run", example(name), "-w", workspace, "--timeout", "0", ...args], env);
  return { workspace, rehearsal, env, run };
}
