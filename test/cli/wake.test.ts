import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hang, say, type FixedReply, type RehearsalRequest } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { cleanEnv, CONFIRMED_BRIEF, confirmBrief, FLOWER, flower, personEnv } from "../support/flower.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

interface Scene {
  workspace: string;
  env: Record<string, string>;
  /** First prompts, each with the role that it went to. */
  prompts: string[];
  hanging: boolean;
}

/** A model that says nothing as long as `hanging`, then does everything at once. */
async function scene(): Promise<Scene> {
  const workspace = await tempDir();
  const prompts: string[] = [];
  const at: Scene = { workspace, env: {}, prompts, hanging: false };
  const rehearsal = await rehearse({
    scenario: {
      name: "wake",
      actors: [
        main((request: RehearsalRequest): FixedReply => {
          const clarifies = request.system.includes("# You clarify");
          prompts.push(`${clarifies ? "clarify" : "work"}: ${request.lastUserText}`);
          if (at.hanging) return hang();
          return say(clarifies ? CONFIRMED_BRIEF : "finished");
        }),
      ],
    },
  });
  at.env = personEnv(rehearsal, workspace);
  return at;
}

/** Starts flower, and kills it when the model has been asked. */
async function killedWhenAsked(at: Scene, ...args: string[]): Promise<void> {
  at.hanging = true;
  const asked = at.prompts.length;
  const child = spawn(process.execPath, [FLOWER, "-w", at.workspace, "--no-goal", ...args], {
    env: cleanEnv(at.env),
    stdio: "ignore",
  });
  onCleanup(async () => child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until(() => at.prompts.length > asked, 40_000);
  child.kill("SIGKILL");
  await ended;
  at.hanging = false;
}

const again = async ({ workspace, env }: Scene, ...args: string[]) =>
  flower(["-w", workspace, "--no-goal", "--timeout", "0", ...args], env);

describe("a run after a kill", () => {
  it("knows what was asked, also when no session has kept it", async () => {
    const at = await scene();
    await killedWhenAsked(at, "make the very special thing");
    // As if it had been killed before anything was stored.
    const lineage = join(at.workspace, "runs/lineage.json");
    const kept = JSON.parse(readFileSync(lineage, "utf8")) as Record<string, unknown>;
    await writeFile(lineage, JSON.stringify({ ...kept, steps: {} }));
    const ran = await again(at);
    expect(ran.code, ran.err).toBe(0);
    expect(at.prompts.slice(1).join("\n")).toMatch(/^clarify: make the very special thing/);
  }, 60_000);

  it.runIf(LONG)(
    "tells the work session the words of a waking that came to nothing",
    async () => {
      const at = await scene();
      await confirmBrief(at.workspace);
      expect((await again(at)).code).toBe(0);
      await killedWhenAsked(at, "also tables");
      expect(at.prompts.at(-1)).toContain("also tables");
      const ran = await again(at);
      expect(ran.code, ran.err).toBe(0);
      expect(at.prompts.at(-1)).toMatch(/^work: [^]*The person says:\s+also tables/);
      // Told once they have arrived.
      expect((await again(at)).code).toBe(0);
      expect(at.prompts.at(-1)).not.toContain("also tables");
    },
    90_000,
  );

  it("asks what should be made when nothing tells it any more", async () => {
    const at = await scene();
    await mkdir(join(at.workspace, ".flower/notes"), { recursive: true });
    await writeFile(join(at.workspace, ".flower/notes/goal.md"), "## Goal\na\n\n## Checks\n- b\n");
    const ran = await again(at);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toMatch(/no request/);
    expect(at.prompts).toEqual([]);
  }, 60_000);

  it.runIf(LONG)(
    "starts fresh at /new as well",
    async () => {
      const at = await scene();
      expect((await again(at, "make one")).code).toBe(0);
      const ran = await again(at, "/new", "make", "another");
      expect(ran.code, ran.err).toBe(0);
      expect(at.prompts.filter((prompt) => prompt.startsWith("clarify"))).toEqual([
        expect.stringContaining("make one"),
        expect.stringMatching(/clarify: make another/),
      ]);
    },
    60_000,
  );
});
