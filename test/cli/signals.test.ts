import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiError, call, say, type FixedReply, type Rehearsal } from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import { cleanEnv, confirmBrief, FLOWER, flower, personEnv } from "../support/flower.ts";
import { pidsOf } from "../support/processes.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";
import { main, sub } from "../support/stage.ts";

/** Books are written and everything is gone within seconds: threefold of what is seen, and more. */
const SECONDS_MS = 10_000;

interface Scene {
  workspace: string;
  rehearsal: Rehearsal;
  env: Record<string, string>;
  /** Stands in the command line of what a worker runs. */
  marker: string;
  /** From now on the model is done at once. */
  finish(): void;
}

/** A job whose work is what `moment` says, until it may finish. */
async function scene(moment: (marker: string) => FixedReply): Promise<Scene> {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const marker = String(30_000_000 + Math.floor(Math.random() * 1e6));
  let finishing = false;
  const rehearsal = await rehearse({
    scenario: {
      name: "signals",
      actors: [
        sub(() => (finishing ? say("done") : call("Bash", { command: `sleep ${marker}; echo late` }))),
        main(() => (finishing ? say("finished") : moment(marker))),
      ],
    },
  });
  const env = personEnv(rehearsal, workspace);
  return { workspace, rehearsal, env, marker, finish: () => (finishing = true) };
}

/** Starts flower. With a standard input that stays open a question waits; nobody is at one that is ignored. */
function start({ workspace, env }: Scene, stdin: "pipe" | "ignore" = "pipe") {
  const child = spawn(process.execPath, [FLOWER, "-w", workspace, "--no-goal"], {
    env: cleanEnv(env),
    stdio: [stdin, "ignore", "pipe"],
  });
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  onCleanup(async () => child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, err: () => err };
}

const send = call("Agent", { description: "long", prompt: "sleep", subagent_type: "worker" });
const ask = call("mcp__flower__ask", { question: "Spaces or tabs?", options: ["spaces", "tabs"] });
const limit = apiError(429, `Claude AI usage limit reached|${Math.ceil(Date.now() / 1_000) + 3_600}`);

interface Moment {
  what: string;
  reply: (marker: string) => FixedReply;
  come(scene: Scene, err: string): boolean;
}
const COMMAND: Moment = {
  what: "a worker's long command",
  reply: () => send,
  come: ({ marker }) => pidsOf(marker).length > 0,
};
const QUESTION: Moment = { what: "a question", reply: () => ask, come: (_, err) => /tabs/.test(err) };
const LIMIT: Moment = {
  what: "the wait for an allowance",
  reply: () => limit,
  come: (_, err) => /allowance is used up/.test(err),
};

describe("a signal", () => {
  const SIGNALS = [
    { signal: "SIGTERM", code: 143, ...COMMAND },
    { signal: "SIGTERM", code: 143, ...QUESTION },
    { signal: "SIGHUP", code: 129, ...LIMIT },
  ] as const;
  it.each(rows(SIGNALS, ({ what }) => what !== LIMIT.what))(
    "$signal (exit $code) in $what writes the books first and leaves nothing behind",
    async ({ signal, code, ...moment }) => {
      const at = await scene(moment.reply);
      const { child, ended, err } = start(at);
      await until(() => moment.come(at, err()), 40_000);
      child.kill(signal);
      const guard = setTimeout(() => child.kill("SIGKILL"), SECONDS_MS);
      expect(await ended, err()).toBe(code);
      clearTimeout(guard);
      const requests = at.rehearsal.journal.length;
      const manifest = await readFile(join(at.workspace, "runs/manifest.json"), "utf8");
      expect(JSON.parse(manifest)).toMatchObject([{ step: "work", status: "killed-by-signal" }]);
      await until(() => pidsOf(at.marker).length === 0 && pidsOf(at.workspace).length === 0, SECONDS_MS);
      expect(at.rehearsal.journal).toHaveLength(requests);

      at.finish();
      const again = await flower(["-w", at.workspace, "--no-goal", "--timeout", "0"], at.env);
      expect(again.code, again.err).toBe(0);
      expect(again.out).toContain("finished");
    },
    120_000,
  );

  // Fails when the second one waits for the turn to end, because the first one's question is over at once.
  it.each(["pipe", "ignore"] as const)(
    "SIGINT twice leaves with 130 and the books written: %s",
    async (stdin) => {
      const at = await scene(COMMAND.reply);
      const { child, ended, err } = start(at, stdin);
      await until(() => COMMAND.come(at, err()), 40_000);
      child.kill("SIGINT");
      await until(() => /what should change/.test(err()));
      child.kill("SIGINT");
      expect(await ended, err()).toBe(130);
      const manifest = await readFile(join(at.workspace, "runs/manifest.json"), "utf8");
      expect(JSON.parse(manifest)).toMatchObject([{ step: "work", status: "killed-by-signal" }]);
      await until(() => pidsOf(at.marker).length === 0, SECONDS_MS);
    },
    60_000,
  );
});
