import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { WorktreeRow } from "../../src/runtime/contract.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, hang, say, together } from "../../src/testing/index.ts";
import { onCleanup, rehearse, until } from "../support/rehearse.ts";
import { main, sub } from "../support/stage.ts";
import { bash, checkoutOf, git, perform, repository } from "./stage.ts";

const SCRIPT = fileURLToPath(new URL("run-isolated.mjs", import.meta.url));

// Fails when worktrees are noted at their end, or swept without a look at what they hold.
it("flower killed by SIGKILL: the next run removes the empty worktree and reports the other", async () => {
  const place = await repository();
  const { ws, home, bench } = place;
  const before = checkoutOf(ws);
  const dispatch = (name: string) =>
    call("Agent", { description: name, prompt: `${name} it`, subagent_type: "coder" });
  const rehearsal = await rehearse({
    scenario: {
      name: "killed",
      actors: [
        main(() => together(dispatch("busy"), dispatch("idle"))),
        sub((request) =>
          request.turnCount === 0 && request.firstUserText.startsWith("busy")
            ? bash("echo half > src/half.txt; git add -A; git commit -qm half; echo rest > src/rest.txt")
            : hang(),
        ),
      ],
    },
  });
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...process.env, ...rehearsal.env, WORK_WORKSPACE: ws, WORK_HOME: home },
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.once("close", resolve));
  onCleanup(async () => child.kill("SIGKILL"));
  const dir = join(bench, "worktrees");
  await until(
    () =>
      existsSync(dir) &&
      readdirSync(dir).length === 2 &&
      readdirSync(dir).some((id) => existsSync(join(dir, id, "src/rest.txt"))) &&
      rehearsal.journal.filter(({ agentId }) => agentId !== undefined).length === 3,
    60_000,
  );
  child.kill("SIGKILL");
  await gone;
  const rows = (): WorktreeRow[][] =>
    readManifest(join(ws, "runs")).map((row) => row["worktrees"] as WorktreeRow[]);
  expect(rows()).toMatchObject([[{ state: "working" }, { state: "working" }]]);

  const next = await perform(place, {}, {}, undefined, []);
  const result = await next.run();
  const [left] = result.worktrees;
  expect(result.worktrees).toMatchObject([{ state: "kept", commits: 1, changedFiles: 2 }]);
  expect(readdirSync(dir)).toEqual([left?.dispatch]);
  expect(git(ws, "for-each-ref", "--format=%(refname:short)", "refs/heads/flower").trim()).toBe(left?.branch);
  expect(readFileSync(join(left?.path ?? "", "src/rest.txt"), "utf8")).toBe("rest\n");
  expect(checkoutOf(ws)).toEqual(before);
  const said = next.seen.ofType("system").map(({ message }) => message);
  expect(said.filter((text) => /left by a run that did not end: branch flower\//.test(text))).toHaveLength(1);
  // The coordinator learns of it, too.
  expect(JSON.stringify(next.rehearsal.body(0).messages)).toContain(`Branch ${left?.branch ?? "none"} `);
  await next.runtime.close();

  // Told as news once; a run after that has it in its list alone.
  const third = await perform(place, {}, {}, undefined, []);
  expect((await third.run()).worktrees).toEqual([]);
  expect(third.seen.ofType("system")).toEqual([]);
}, 120_000);

it("an interruption: what the worker had made so far is kept and named", async () => {
  const place = await repository();
  let interrupt = (): void => undefined;
  const { run, runtime } = await perform(place, {
    work: (request) => {
      if (request.turnCount === 1) interrupt();
      return [bash("echo half > src/half.txt"), bash("echo never > src/never.txt"), say("done")];
    },
  });
  interrupt = () => runtime.interrupt();
  const { status, worktrees } = await run();
  expect(status).toBe("interrupted");
  expect(worktrees).toMatchObject([{ state: "kept", commits: 0, changedFiles: 1 }]);
}, 60_000);
