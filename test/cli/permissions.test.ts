import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

it.runIf(LONG)(
  "once asks for permissions, takes the answers from a pipe, and refuses at its end",
  async () => {
    const workspace = await tempDir();
    const rehearsal = await rehearse({
      scenario: {
        name: "permissions",
        actors: [
          main([
            call("Bash", { command: "echo one > one.txt" }),
            call("Bash", { command: "echo two > two.txt" }),
            call("Bash", { command: "echo three > three.txt" }),
            say("done"),
          ]),
        ],
      },
    });
    const key = "planted-shop-4711-abcdef";
    await writeFile(join(workspace, ".env"), `SHOP_API_KEY=${key}\n`);
    const { code, out, err } = await flower(
      ["once", "do it", "-w", workspace, "--permissions", "ask", "--lang", "de"],
      personEnv(rehearsal, workspace),
      `einmal\nnein, lieber nicht mit ${key}\n`,
    );
    expect({ code, out }).toEqual({ code: 0, out: "done\n" });
    expect(err).toMatch(/^Berechtigungen ask: .*; .*(bubblewrap|supervisor)/m);
    expect(err).toContain("| echo one > one.txt\n");
    expect(err).toMatch(/ {4}1\) einmal\n {4}2\) für diesen Lauf\n {4}3\) nein\n/);
    expect(existsSync(join(workspace, "one.txt"))).toBe(true);
    expect(existsSync(join(workspace, "two.txt"))).toBe(false);
    expect(existsSync(join(workspace, "three.txt"))).toBe(false);
    const log = await readFile(join(workspace, ".flower/notes/questions.md"), "utf8");
    expect(log).toMatch(/> \| echo two > two\.txt[^]*Antwort:\n\n> nein, lieber nicht mit \[/);
    // Fails when the log of a command that only asks for permissions is not cleaned.
    expect(log).not.toContain(key);
    expect(log).toMatch(/> \| echo three > three\.txt[^]*Keine Antwort: niemand da/);
  },
  60_000,
);

it.each(["go", "once"])(
  "%s does not start without a sandbox that is required",
  async (command) => {
    const workspace = await tempDir();
    const { code, err } = await flower([command, "do it", "-w", workspace, "--require-sandbox"], {
      HOME: workspace,
      ANTHROPIC_API_KEY: "sk-ant-nothing",
      FLOWER_NO_BWRAP: "1",
    });
    expect(code).toBe(1);
    expect(err).toMatch(/commands cannot be put into a sandbox[^]*leave out --require-sandbox/);
    expect(existsSync(join(workspace, "runs"))).toBe(false);
  },
  60_000,
);
