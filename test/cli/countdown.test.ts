import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiError } from "../../src/testing/index.ts";
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
    const untilS = Math.ceil(Date.now() / 1_000) + 3_600;
    const rehearsal = await rehearse({
      scenario: {
        name: "countdown",
        actors: [main(() => apiError(429, `Claude AI usage limit reached|${untilS}`))],
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
    const counting = await terminal.shows(/:(\d\d) left > [^]*:(?!\1)\d\d left > /, waits);
    terminal.type("mind the");
    await terminal.shows(/left > mind the/, counting);
    // The wait itself is tried elsewhere; it may last half a minute longer than what was stated.
    terminal.type("\x03");
    await terminal.shows(/what should change/, counting);
    terminal.type("\x03");
    expect(await terminal.ended, terminal.screen()).toBe(130);
  },
  60_000,
);
