// One job that is killed at some moment and run again until it is finished; see main.mjs.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { call, say, startRehearsal, together } from "../dist/testing/index.js";

const FLOWER = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const FILE_NAMES = [1, 2, 3, 4].map((n) => `made-${n}.txt`);
const REQUEST = "make the numbered files";
/** Nothing of a killed run may be alive after this, ms. */
const GONE_MS = 3_000;

const BRIEF =
  "## Goal\nnumbered files\n\n## Acceptance criteria\nthey exist\n\n## Boundaries\nnothing else\n\n## Unknowns and assumptions\nnone";
const GOAL = "## Goal\nnumbered files\n\n## Checks\n- all of them exist";
const VERDICT = "## Conclusion\nachieved\n\n## Reason\nall are there\n\n## Failed\n(empty)";
const DOCUMENT =
  "## Doing now\nthe files\n\n## Already decided\nnumbered\n\n## Dead ends\nnone\n\n## Next step\nmake the next file\n\n## Scene\nthe workspace";

/** The scripted model looks at the disk, so that it goes on from wherever the job was killed. */
function scenario(workspace, freshStarts) {
  // Of two that were made at once one may have got ready: what is missing is asked for, not how many there are.
  const missing = () => FILE_NAMES.filter((name) => !existsSync(join(workspace, name)));
  const send = (task) => call("Agent", { description: task, prompt: task, subagent_type: "worker" });
  return {
    name: "chaos",
    actors: [
      {
        name: "worker",
        when: (request) => request.isSubagent,
        script: (request) => {
          const [file] = /made-\d+\.txt/.exec(request.firstUserText) ?? [];
          return request.turnCount === 0
            ? call("Bash", { command: `sleep 0.2; echo once > ${file}` })
            : say(`Conclusion: done, ${file} is there. ${"Evidence. ".repeat(300)}`);
        },
      },
      {
        name: "main",
        when: () => true,
        script: (request) => {
          const { system, lastUserText, turnCount, sessionId } = request;
          const role = ["# You clarify", "# You set the goal", "# You judge"].find((head) =>
            system.includes(head),
          );
          if (turnCount === 0) freshStarts.push({ role: role ?? "work", sessionId, text: lastUserText });
          if (role === "# You clarify") return say(BRIEF);
          if (role === "# You set the goal") return say(GOAL);
          if (role === "# You judge") return say(VERDICT);
          if (/under exactly these headings/.test(lastUserText)) return say(DOCUMENT);
          const next = missing().slice(0, 2);
          if (next.length === 0) return say("All files are there.");
          return together(...next.map((name) => send(`make ${name}`)));
        },
      },
    ],
  };
}

const environOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
};

/** Processes of this job, by a mark in their environment. */
function treeOf(mark) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environOf(name).includes(`CHAOS_MARK=${mark}`))
    .map(Number);
}

const isHarness = (pid) => {
  try {
    return /\/claude$/.test(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return false;
  }
};

/** It may have ended between the look and the kill. */
function killIfThere(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function start(workspace, rehearsal, mark) {
  const woken = existsSync(join(workspace, "runs/lineage.json"));
  const args = ["-w", workspace, "--timeout", "0", "--window", "60k", ...(woken ? [] : [REQUEST])];
  const child = spawn(process.execPath, [FLOWER, ...args], {
    env: { ...process.env, ...rehearsal.env, HOME: workspace, XDG_CONFIG_HOME: "", CHAOS_MARK: mark },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  const ended = new Promise((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal, err: () => err })),
  );
  return { child, ended };
}

/** Every transcript entry that the store has acknowledged; none when it was killed before its tables were made. */
function entriesOf(workspace) {
  const path = join(workspace, "runs/sessions.db");
  if (!existsSync(path)) return new Set();
  const db = new Database(path);
  try {
    const [check] = db.pragma("integrity_check");
    if (Object.values(check)[0] !== "ok") throw new Error(`sessions.db: ${JSON.stringify(check)}`);
    const made = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").get() !== undefined;
    const rows = made ? db.prepare("SELECT uuid FROM entry WHERE uuid IS NOT NULL").all() : [];
    return new Set(rows.map((row) => row.uuid));
  } finally {
    db.close();
  }
}

function checkFiles(workspace) {
  for (const name of ["lineage.json", "manifest.json"])
    if (existsSync(join(workspace, "runs", name)))
      JSON.parse(readFileSync(join(workspace, "runs", name), "utf8"));
  const aside = readdirSync(join(workspace, "runs")).filter((name) => name.includes("damaged"));
  if (aside.length > 0) throw new Error(`damaged: ${aside.join(", ")}`);
}

/**
 * Runs a job, kills `victim` (`flower`, `harness`, `both`; undefined = nobody) after `killMs`, and runs it again until
 * it is finished. Throws when something was lost, done again from the start, left alive or asked after the kill.
 */
export async function job({ victim, killMs }) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-chaos-")));
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const freshStarts = [];
  const clear = () => {
    for (const pid of treeOf(mark)) killIfThere(pid);
    rmSync(workspace, { recursive: true, force: true });
  };
  underWay.add(clear);
  const rehearsal = await startRehearsal({ keepBodies: false, scenario: scenario(workspace, freshStarts) });
  const startedMs = Date.now();
  let runs = 0;
  try {
    const first = start(workspace, rehearsal, mark);
    runs += 1;
    let killed = false;
    if (victim !== undefined) {
      const early = await Promise.race([first.ended, sleep(killMs).then(() => undefined)]);
      if (early === undefined) {
        killed = true;
        const harness = treeOf(mark).filter(isHarness);
        if (victim !== "harness") first.child.kill("SIGKILL");
        if (victim !== "flower") for (const pid of harness) if (treeOf(mark).includes(pid)) killIfThere(pid);
      }
    }
    if (killed && victim !== "harness") {
      await first.ended;
      await sleep(300);
      const requests = rehearsal.journal.length;
      await sleep(GONE_MS - 300);
      const alive = treeOf(mark);
      if (alive.length > 0) throw new Error(`alive ${GONE_MS} ms after the kill: ${alive.join(", ")}`);
      if (rehearsal.journal.length > requests) throw new Error("requests went on after the kill");
      if (existsSync(join(workspace, "runs"))) checkFiles(workspace);
    }
    const before = entriesOf(workspace);
    let last = killed && victim !== "harness" ? undefined : await first.ended;
    while (last === undefined || (last.code !== 0 && runs < 2)) {
      runs += 1;
      last = await start(workspace, rehearsal, mark).ended;
    }
    if (last.code !== 0) throw new Error(`not finished after ${runs} runs: ${last.err().slice(-600)}`);
    checkFiles(workspace);
    const after = entriesOf(workspace);
    const missing = [...before].filter((uuid) => !after.has(uuid));
    if (missing.length > 0) throw new Error(`${missing.length} acknowledged entries are missing`);
    // A step may begin again only when nothing of its first session had reached the store.
    for (const role of ["# You clarify", "# You set the goal", "work"]) {
      const starts = freshStarts.filter(
        (each) => each.role === role && !/^You are taking over/.test(each.text),
      );
      const stored = starts.filter((each) => sessionIsStored(workspace, each.sessionId));
      if (role !== "# You set the goal" && stored.length > 1)
        throw new Error(`${role} was begun ${stored.length} times`);
    }
    for (const name of FILE_NAMES) {
      const text = readFileSync(join(workspace, name), "utf8");
      if (text !== "once\n") throw new Error(`${name} holds ${JSON.stringify(text)}`);
    }
    if (rehearsal.failures.length > 0) throw new Error(rehearsal.failures.join("; "));
    return { runs, killed, ms: Date.now() - startedMs, entries: after.size };
  } finally {
    await rehearsal.close({ check: false });
    clear();
    underWay.delete(clear);
  }
}

/** How to end a job and remove what it made, of each under way. */
const underWay = new Set();

/** Ends what is under way, for a process that is about to end. */
export function abandon() {
  for (const clear of underWay) clear();
}

/** The model's first reply was kept, so the next run can go on from there. */
function sessionIsStored(workspace, sessionId) {
  const db = new Database(join(workspace, "runs/sessions.db"));
  try {
    const sql = `SELECT 1 FROM entry WHERE session = ? AND json LIKE '%"type":"assistant"%' LIMIT 1`;
    return db.prepare(sql).get(sessionId) !== undefined;
  } finally {
    db.close();
  }
}
