import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say, type RehearsalRequest } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { atTerminal, canPlayTerminal, type AtTerminal } from "../support/at-terminal.ts";
import { cleanEnv, confirmBrief, FLOWER, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { DOCUMENT, isDocumentRound, isSuccessor, main } from "../support/stage.ts";

/** Reads a line as it comes from a terminal that nobody has set up, and has its own use for Ctrl-C. */
const EDITOR = `trap 'echo "the editor stays"' INT
echo "the editor is here"
until read -r words; do :; done
echo "$words" >> "$1"
`;
const CTRL_C = "\x03";
/** The prompt line, with what is typed behind it. */
const LEFT = /goes on by itself in \d+ s >/;

interface Scene {
  workspace: string;
  /** What successors were asked, request by request. */
  successors: RehearsalRequest[];
  flower(...args: string[]): AtTerminal;
}

/** A job whose first session hands over at its first boundary; its successor is done at once. */
async function scene(): Promise<Scene> {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const editor = join(workspace, "editor.sh");
  await writeFile(editor, EDITOR);
  const successors: RehearsalRequest[] = [];
  const rehearsal = await rehearse({
    scenario: {
      name: "review",
      actors: [
        main((request) => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) {
            successors.push(request);
            return say("finished");
          }
          const look = call("Bash", { command: "ls" });
          return request.turnCount === 0 ? look : { ...look, usage: { input_tokens: 20_000 } };
        }),
      ],
    },
  });
  const env = cleanEnv({
    ...personEnv(rehearsal, workspace),
    VISUAL: "",
    EDITOR: `sh '${editor}'`,
  });
  return {
    workspace,
    successors,
    flower: (...args) =>
      atTerminal(
        [process.execPath, FLOWER, "go", "-w", workspace, "--no-goal", "--window", "60k", ...args],
        env,
      ),
  };
}

/** Nobody in here needs that long. */
const PATIENT = "--review-handoff=90";

describe.runIf(canPlayTerminal)("the review of a handoff at a terminal", () => {
  it.runIf(LONG)(
    "counts down and goes on by itself",
    async () => {
      const { flower, successors } = await scene();
      const terminal = flower("--review-handoff=2");
      const shown = await terminal.shows(/handoff-work\.md: Enter goes on, e edits/);
      await terminal.shows(/in 2 s >[^]*in 1 s >/, shown);
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(successors).toHaveLength(1);
    },
    60_000,
  );

  it("opens the editor at the key alone, counts anew, and goes on at Enter with the file as it is then", async () => {
    const { flower, successors, workspace } = await scene();
    const terminal = flower(PATIENT);
    // The count has begun, so that a new one can be told from it.
    const counting = await terminal.shows(/in 8\d s >/);
    terminal.type("e");
    await terminal.shows(/the editor is here/, counting);
    terminal.type(CTRL_C);
    const stays = await terminal.shows(/the editor stays/, counting);
    terminal.type("and mind the tabs\r");
    await terminal.shows(/in 90 s >/, stays);
    expect(terminal.screen()).not.toContain("what should change");
    expect(await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8")).toContain(
      "mind the tabs",
    );
    expect(successors).toEqual([]);
    terminal.type("\r");
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(successors[0]?.firstUserText).toContain("mind the tabs");
  }, 60_000);

  it.runIf(LONG)(
    "draws words anew each second as they are typed, and hands them to the successor",
    async () => {
      const { flower, successors } = await scene();
      const terminal = flower(PATIENT);
      // Pasted: what begins with the key is no key then.
      const asked = await terminal.shows(LEFT);
      terminal.type("ever smaller st");
      await terminal.shows(/in (\d+) s > ever smaller st[^]*in (?!\1)\d+ s > ever smaller st/, asked);
      terminal.type("eps\r");
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(JSON.stringify(successors[0]?.messages)).toContain("ever smaller steps");
    },
    60_000,
  );

  it.runIf(LONG)(
    "ends at Ctrl-C: the words that follow stand in the successor's first prompt",
    async () => {
      const { flower, successors } = await scene();
      const terminal = flower(PATIENT);
      await terminal.shows(LEFT);
      terminal.type(`half a sen${CTRL_C}`);
      await terminal.shows(/what should change/);
      terminal.type("indent with tabs\r");
      expect(await terminal.ended, terminal.screen()).toBe(0);
      expect(successors[0]?.firstUserText).toMatch(/interrupted you and says:\s+indent with tabs/);
      expect(successors).toHaveLength(1);
    },
    60_000,
  );

  it.runIf(LONG)(
    "ends at Ctrl-C and an empty line with the run; the next run starts the successor from the file",
    async () => {
      const { flower, successors, workspace } = await scene();
      const terminal = flower(PATIENT);
      await terminal.shows(LEFT);
      terminal.type(CTRL_C);
      await terminal.shows(/what should change/);
      terminal.type("\r");
      expect(await terminal.ended, terminal.screen()).toBe(130);
      expect(successors).toEqual([]);
      const path = join(workspace, ".flower/notes/handoff-work.md");
      await writeFile(path, `${await readFile(path, "utf8")}\nmind the spaces\n`);
      const again = flower(PATIENT);
      expect(await again.ended, again.screen()).toBe(0);
      expect(successors[0]?.firstUserText).toContain("mind the spaces");
    },
    90_000,
  );
});
