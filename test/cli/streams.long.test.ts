import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startedByNohup } from "../../src/cli/hang-up.ts";
import { call, say } from "../../src/testing/index.ts";
import { atTerminal, canPlayTerminal } from "../support/at-terminal.ts";
import { cleanEnv, FLOWER, flower, personEnv } from "../support/flower.ts";
import { rows } from "../support/long.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

/** A model that works until the file `go` is there. */
async function scene() {
  const workspace = await tempDir();
  const rehearsal = await rehearse({
    scenario: {
      name: "streams",
      actors: [
        main(({ turnCount }) =>
          turnCount === 0
            ? call("Bash", { command: "until [ -e go ]; do sleep 0.1; done", description: "Wait" })
            : say("finished"),
        ),
      ],
    },
  });
  return {
    workspace,
    rehearsal,
    env: personEnv(rehearsal, workspace),
    goOn: async () => writeFile(join(workspace, "go"), ""),
    books: async () => JSON.parse(await readFile(join(workspace, "runs/manifest.json"), "utf8")) as unknown,
  };
}

describe("whoever reads may leave", () => {
  it.each(
    rows(
      [
        ["both streams", "2>&1 | head -n 1"],
        ["a reader of lines", "--json 2>/dev/null | head -n 3"],
      ],
      ([who]) => who === "both streams",
    ),
  )(
    "%s: the run goes on to its end",
    async (_who, pipe) => {
      const { workspace, env, goOn, books } = await scene();
      // What follows `head` is done when nobody reads any more.
      const line = `"$0" "$1" once "do it" -w "$2" ${pipe.replace("| head", "| { head")}; touch "$2/go"; }`;
      const child = spawn("bash", ["-c", line, process.execPath, FLOWER, workspace], {
        env: cleanEnv(env),
        stdio: ["ignore", "pipe", "inherit"],
      });
      onCleanup(async () => child.kill("SIGKILL"));
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      await new Promise((resolve) => child.once("close", resolve));
      await goOn();
      expect(out).toMatch(/^(.+\n){1,3}$/);
      expect(await books()).toMatchObject([{ step: "once", status: "done", text: "finished" }]);
    },
    30_000,
  );

  it.runIf(existsSync("/dev/full"))("a full disk is no success", () => {
    const line = '"$0" "$1" --version >/dev/full';
    const { status, stderr } = spawnSync("sh", ["-c", line, process.execPath, FLOWER], { encoding: "utf8" });
    expect(stderr).toMatch(/^flower: standard output cannot be written: .*\n$/);
    expect(status).toBe(1);
  });
});

describe("a terminal that goes away", () => {
  it.each([
    [{ started: "/usr/bin/nohup", standardInput: undefined }, true],
    [{ started: "/usr/bin/node", standardInput: "pos:\t0\nflags:\t0100001\nmnt_id:\t29\n" }, true],
    [{ started: "/usr/bin/node", standardInput: "pos:\t0\nflags:\t0100000\nmnt_id:\t29\n" }, false],
    [{ started: "/usr/bin/node", standardInput: "pos:\t1\nflags:\t0100002\nmnt_id:\t1\n" }, false],
    [{ started: undefined, standardInput: undefined }, false],
  ])("%j was started by nohup: %s", (facts, is) => {
    expect(startedByNohup(facts)).toBe(is);
  });

  /** A shell in the workspace that runs what it is told, at a terminal. */
  const shell = (line: string, { workspace, env }: Awaited<ReturnType<typeof scene>>) =>
    atTerminal(["bash", "-c", `cd "$2" && ${line}`, process.execPath, FLOWER, workspace], cleanEnv(env));

  it.runIf(canPlayTerminal)(
    "ends the run with 129 and its books",
    async () => {
      const at = await scene();
      const terminal = shell('exec "$0" "$1" once "do it" -w .', at);
      await until(() => at.rehearsal.journal.length > 0);
      terminal.hangUp();
      expect(await terminal.ended).toBe(129);
      expect(await at.books()).toMatchObject([{ step: "once", status: "killed-by-signal" }]);
    },
    30_000,
  );

  it.runIf(canPlayTerminal)(
    "is nothing to nohup",
    async () => {
      const at = await scene();
      const terminal = shell('nohup "$0" "$1" once "do it" -w . & wait', at);
      await until(() => at.rehearsal.journal.length > 0);
      terminal.hangUp();
      // The shell dies of it, and with it all that does not ignore it.
      expect(await terminal.ended).toBe(129);
      await at.goOn();
      await until(async () => JSON.stringify(await at.books()).includes('"finished"'));
      expect(await at.books()).toMatchObject([{ step: "once", status: "done" }]);
      // Gone before its directory is.
      await until(() => !existsSync(join(at.workspace, "runs/lock.json")));
    },
    30_000,
  );
});

describe("standard input", () => {
  it.each([
    ["go", ["--clarify-only", "--asks", "0"]],
    ["once", ["once"]],
  ])(
    "is the request of %s, all of it, when the command line has none",
    async (_command, args) => {
      const workspace = await tempDir();
      const rehearsal = await rehearse({
        scenario: { name: "request", actors: [main(() => say("## Goal\na\n"))] },
      });
      const request = "make a thing\n\n- with 花\n- and more";
      await flower([...args, "-w", workspace], personEnv(rehearsal, workspace), `${request}\n`);
      expect(JSON.stringify(rehearsal.journal)).toContain(JSON.stringify(request).slice(1, -1));
    },
    30_000,
  );

  it("that is empty is no request", async () => {
    const workspace = await tempDir();
    const rehearsal = await rehearse({ scenario: { name: "none", actors: [] } });
    const ran = await flower(["-w", workspace], personEnv(rehearsal, workspace), " \n");
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(/^flower: .* -- .+$/m);
    expect(rehearsal.journal).toEqual([]);
  });
});
