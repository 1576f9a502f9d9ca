import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { atTerminal, canPlayTerminal, type AtTerminal } from "../support/at-terminal.ts";
import { cleanEnv, CONFIRMED_BRIEF, confirmBrief, FLOWER, flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

interface Scene {
  workspace: string;
  /** First prompts of clarify sessions. */
  clarified: string[];
  terminal: AtTerminal;
}

/** A confirmed job that goes on until somebody stops it; whatever is clarified here is a job that is done at once. */
async function scene(): Promise<Scene> {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const clarified: string[] = [];
  const rehearsal = await rehearse({
    scenario: {
      name: "new",
      actors: [
        main((request) => {
          if (request.system.includes("# You clarify")) {
            clarified.push(request.firstUserText);
            return say(CONFIRMED_BRIEF.replace("\na\n", "\nthe new job\n"));
          }
          if (clarified.length > 0) return say("finished the new job");
          return { ...call("Bash", { command: `git log -${request.turnCount + 1}` }), delayMs: 200 };
        }),
      ],
    },
  });
  const terminal = atTerminal(
    [process.execPath, FLOWER, "go", "-w", workspace, "--no-goal"],
    cleanEnv(personEnv(rehearsal, workspace)),
  );
  return { workspace, clarified, terminal };
}

/** Everything below a directory. */
const below = async (directory: string): Promise<string> =>
  (await readdir(directory, { recursive: true })).join("\n");

describe.runIf(canPlayTerminal)("/new at a terminal", () => {
  it("archives the job and starts fresh with the words behind it", async () => {
    const { workspace, clarified, terminal } = await scene();
    await terminal.shows(/git log -2/);
    terminal.type("/new write a poem\r");
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(clarified).toEqual([expect.stringContaining("write a poem")]);
    expect(terminal.screen()).toContain("finished the new job");
    expect(await readFile(join(workspace, ".flower/notes/brief.md"), "utf8")).toContain("the new job");
    expect(await below(join(workspace, ".flower"))).toMatch(/archive\/[^/]+\/brief\.md/);
    expect(await below(join(workspace, "runs"))).toMatch(/archive\/[^/]+\/lineage\.json/);
  }, 60_000);

  it.runIf(LONG)(
    "makes what is typed while the run ends the request of the next one",
    async () => {
      const { workspace, clarified, terminal } = await scene();
      await terminal.shows(/git log -2/);
      terminal.type("/new\r\rbuild a teapot\r");
      await terminal.shows(/> build a teapot\s+~ It goes into the request of the new job/);
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(clarified).toEqual([expect.stringContaining("build a teapot")]);
      expect(terminal.screen()).not.toContain("seen by nobody");
      expect(await below(join(workspace, "runs/archive"))).not.toMatch(/inbox/);
    },
    60_000,
  );

  it.runIf(LONG)(
    "asks again after an Enter too much, and keeps a line that was begun while the run ended",
    async () => {
      const { clarified, terminal } = await scene();
      await terminal.shows(/git log -2/);
      terminal.type("/new\rwrite a ");
      const asked = await terminal.shows(/What should be made/);
      await terminal.seen(/> write a\s*$/);
      terminal.type("\u0015\r");
      await terminal.shows(/What should be made/, asked);
      terminal.type("write an ode\r");
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(clarified).toEqual([expect.stringContaining("write an ode")]);
    },
    60_000,
  );

  it.runIf(LONG)(
    "asks what should be made when nothing stands behind it, also as the answer to Ctrl-C",
    async () => {
      const { clarified, terminal } = await scene();
      await terminal.shows(/git log -2/);
      terminal.type("\x03");
      await terminal.shows(/what should change/);
      terminal.type("/new\r");
      await terminal.shows(/What should be made/);
      terminal.type("write an essay\r");
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(clarified).toEqual([expect.stringContaining("write an essay")]);
    },
    60_000,
  );
});

// Fails when a job is put away for one that nobody asked for.
it("--new puts nothing away when standard input has no request", async () => {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const rehearsal = await rehearse({ scenario: { name: "new", actors: [] } });
  const ran = await flower(["--new", "-w", workspace], personEnv(rehearsal, workspace), " \n");
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("the request is empty") as string });
  expect(await below(join(workspace, ".flower"))).not.toContain("archive");
});
