import { expect, it } from "vitest";
import { apiError } from "../../src/testing/index.ts";
import { atTerminal, canPlayTerminal } from "../support/at-terminal.ts";
import { cleanEnv, confirmBrief, FLOWER, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

it.runIf(canPlayTerminal)(
  "a wait for an allowance counts down at a terminal, with what is typed behind it",
  async () => {
    const workspace = await tempDir();
    await confirmBrief(workspace);
    const untilS = Math.ceil(Date.now() / 1_000) + 3_600;
    const rehearsal = await rehearse({
      scenario: {
        name: "countdown",
        actors: [main(() => apiError(429, `Claude AI usage limit reached|${untilS}`))],
      },
    });
    const terminal = atTerminal(
      [process.execPath, FLOWER, "go", "-w", workspace, "--no-goal"],
      cleanEnv(personEnv(rehearsal, workspace)),
    );
    const counting = await terminal.shows(/allowance is used up[^]*:(\d\d) left\n[^]*:(?!\1)\d\d left\n/);
    terminal.type("mind the");
    await terminal.seen(/left\n> mind the$/m);
    // The wait itself is tried elsewhere; it may last half a minute longer than what was stated.
    terminal.type("\x03");
    await terminal.shows(/what should change/, counting);
    terminal.type("\x03");
    expect(await terminal.ended, terminal.screen()).toBe(130);
  },
  60_000,
);
