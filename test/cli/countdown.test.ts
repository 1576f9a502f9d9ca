import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiError, say } from "../../src/testing/index.ts";
import { atTerminal, canPlayTerminal } from "../support/at-terminal.ts";
import { cleanEnv, FLOWER } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

const BRIEF =
  "## Goal\na\n\n## Acceptance criteria\nb\n\n## Boundaries\nc\n\n## Unknowns and assumptions\nd\n";

it.runIf(canPlayTerminal)(
  "a wait for an allowance counts down at a terminal, with what is typed behind it",
  async () => {
    const workspace = await tempDir();
    await mkdir(join(workspace, ".flower/notes"), { recursive: true });
    await writeFile(join(workspace, ".flower/notes/brief.md"), BRIEF);
    let untilMs: number | undefined;
    const rehearsal = await rehearse({
      scenario: {
        name: "countdown",
        actors: [
          main(() => {
            untilMs ??= Math.ceil(Date.now() / 1_000) * 1_000 + 9_000;
            return Date.now() < untilMs
              ? apiError(429, `Claude AI usage limit reached|${untilMs / 1_000}`)
              : say("finished");
          }),
        ],
      },
    });
    const terminal = atTerminal(
      [process.execPath, FLOWER, "go", "-w", workspace, "--no-goal"],
      cleanEnv({
        ...rehearsal.env,
        HOME: workspace,
        XDG_CONFIG_HOME: "",
        ANTHROPIC_MODEL: "claude-opus-5",
        TERM: "xterm",
      }),
    );
    const waits = await terminal.shows(/allowance is used up/);
    const counting = await terminal.shows(/0:0(\d) left > [^]*0:0(?!\1)\d left > /, waits);
    terminal.type("mind the");
    await terminal.shows(/left > mind the/, counting);
    terminal.type(" tabs\r");
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(terminal.screen()).toContain("finished");
    expect(JSON.stringify(rehearsal.body(rehearsal.journal.length - 1).messages)).toContain("mind the tabs");
  },
  60_000,
);
