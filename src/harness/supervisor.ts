/**
 * Stands between flower and the harness where bubblewrap is not to be had. Started by `spawn.ts` as
 * `node supervisor.js <mark> <command> <args…>` with the harness's own streams as 0–2, the API key's pipe as 3 and
 * a lifeline as 4, which closes when flower dies in whatever way. A kernel parent-death signal would not do: it
 * reaches the harness only, and a killed harness leaves its shells running (0.3.332).
 */
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { rmSync } from "node:fs";
import { HELD_FILE_VARIABLE } from "../core/tree-marks.ts";
import { descendants, killTree, TREE_MARK } from "./process-tree.ts";

/** How often descendants are noted, so that one that cleared its environment is still found. */
const NOTE_INTERVAL_MS = 1_000;

const [mark = "", command = "", ...args] = process.argv.slice(2);
const remembered = new Set<number>();
const heldFile = process.env[HELD_FILE_VARIABLE];

const child = spawn(command, args, {
  stdio: [0, 1, 2, 3],
  env: { ...process.env, [TREE_MARK]: mark },
});

function end(code: number): never {
  killTree(mark, { remembered, heldFile });
  if (heldFile !== undefined) rmSync(heldFile, { force: true });
  process.exit(code);
}

const note = setInterval(() => {
  const now = descendants(new Set([...remembered, ...(child.pid === undefined ? [] : [child.pid])]));
  remembered.clear();
  for (const pid of now) remembered.add(pid);
}, NOTE_INTERVAL_MS);
note.unref();

const lifeline = new Socket({ fd: 4, readable: true, writable: false });
lifeline.on("close", () => end(1));
lifeline.on("error", () => end(1));
lifeline.resume();

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`cannot start the harness: ${error.message}\n`);
  end(127);
});
child.on("exit", (code, signal) => end(code ?? (signal === "SIGTERM" ? 143 : 137)));
