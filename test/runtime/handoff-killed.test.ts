import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readManifest } from "../../src/runtime/manifest.ts";
import type { StepResult } from "../../src/runtime/contract.ts";
import { call, say, type FixedReply, type Rehearsal } from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import { onCleanup, rehearse, tempDir } from "../support/rehearse.ts";
import { DOCUMENT, isDocumentRound, isSuccessor } from "../support/stage.ts";
import { join } from "node:path";
import { appendFile, readFile } from "node:fs/promises";

const SCRIPT = fileURLToPath(new URL("../support/run-work.mjs", import.meta.url));

/** Runs the step; `kill` gets the process once it is there. */
async function work(
  workspace: string,
  rehearsal: Rehearsal,
  env: Readonly<Record<string, string>>,
  kill?: (die: () => void) => void,
): Promise<StepResult[] | undefined> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...process.env, ...rehearsal.env, WORK_WORKSPACE: workspace, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onCleanup(async () => child.kill("SIGKILL"));
  kill?.(() => child.kill("SIGKILL"));
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const signal = await new Promise((resolve) => child.once("close", (_code, by) => resolve(by)));
  return signal === null ? (JSON.parse(out) as StepResult[]) : undefined;
}

// Fails when the lineage does not note the phase (`onPhase`), or the workflow does not look at it (`#start`).
const PHASES = ["writing", "document", "frozen", "successor"] as const;
it.each(rows(PHASES, (phase) => phase === "writing" || phase === "frozen"))(
  "killed at %s, the next run goes on: one document, no work repeated, the edit arrives",
  async (place) => {
    const workspace = await tempDir();
    let worked = 0;
    let die: (() => void) | undefined;
    const at = (here: string, reply: FixedReply): FixedReply => {
      if (place !== here || die === undefined) return reply;
      setTimeout(die, here === "document" ? 150 : 50);
      die = undefined;
      return { ...say("too late"), delayMs: 20_000 };
    };
    const rehearsal = await rehearse({
      scenario: {
        name: "killed",
        actors: [
          {
            name: "main",
            when: () => true,
            script: (request) => {
              if (isDocumentRound(request)) return at("document", say(DOCUMENT));
              if (isSuccessor(request)) return at("successor", say("finished"));
              worked += 1;
              return call("Bash", {
                command: `echo ${worked} >> work.log; head -c 28000 /dev/zero | tr '\\0' x`,
              });
            },
          },
        ],
      },
    });
    expect(
      await work(workspace, rehearsal, { DIE_AT: place }, (kill) => {
        die = kill;
      }),
    ).toBeUndefined();
    const before = await readFile(join(workspace, "work.log"), "utf8");
    const file = join(workspace, ".flower/notes/handoff-work.md");
    if (place === "frozen") await appendFile(file, "\nEDITED WHILE NOTHING RAN\n");

    const results = await work(workspace, rehearsal, {});
    expect(results).toMatchObject([{ ok: true, text: "finished" }]);
    const last = rehearsal.journal.at(-1);
    const bodies = JSON.stringify(rehearsal.body(last?.index ?? 0).messages);
    expect(bodies).toContain("run the tests");
    if (place === "frozen") expect(bodies).toContain("EDITED WHILE NOTHING RAN");
    // Only a session that was killed before it was asked may have worked once more, in its full context.
    const after = await readFile(join(workspace, "work.log"), "utf8");
    expect(after.length).toBeLessThanOrEqual(before.length + (place === "writing" ? 2 : 0));
    const written = rehearsal.journal.filter(
      (row) => /under exactly these headings/.test(row.lastUserText) && row.reply.includes("text"),
    );
    expect(written.length).toBe(place === "document" ? 2 : 1);
    const rows = readManifest(join(workspace, "runs"));
    expect(rows.map((row) => row.status)).toEqual(["interrupted", "done"]);
    // Fails when the books wait for the successor: a generation whose document was frozen is over.
    const [killed, done] = rows;
    const frozen = place === "frozen" || place === "successor";
    expect(killed).toMatchObject({
      generations: frozen ? [{ reason: "level", degraded: false }] : [],
    });
    expect(done).toMatchObject({ generations: frozen ? [] : [{ reason: "level", degraded: false }] });
    // Fails when the lineage forgets what was cut: the books would know no context, and a question no price.
    const [generation] = (frozen ? killed : done)?.["generations"] as Array<{ contextAtCut: number }>;
    expect(generation?.contextAtCut).toBeGreaterThan(5_000);
    if (frozen) expect(killed?.["costUsd"]).toBeGreaterThan(0);
  },
  60_000,
);
