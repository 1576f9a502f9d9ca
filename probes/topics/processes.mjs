// The harness's process: its key, its shells, its end. Linux only.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { harnessEnvironment } from "../../dist/harness/environment.js";
import { say, startRehearsal } from "../../dist/testing/index.js";
import { about, bash, lastResult, main, numberIn, play, tempDir, until } from "../kit.mjs";

const HOLD = fileURLToPath(new URL("../hold.mjs", import.meta.url));

/** Neither gone nor a zombie. */
function lives(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Ends a process that a probe left on purpose. */
function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

export const PROCESSES = [
  {
    name: "a key in the environment reaches the tools; one through a pipe does not",
    mechanism: "src/harness/spawn.ts (KEY_FD), src/harness/environment.ts",
    expected: {
      "in the environment": { tool: true, parent: true, "let in": true },
      "through a pipe": { tool: false, parent: false, "let in": true },
    },
    async look(sdk) {
      const look = async (key, more) => {
        const { bodies, refusals } = await play(sdk, {
          actors: [main(bash("env; echo PARENT; tr '\\0' '\\n' </proc/$PPID/environ"), say("done"))],
          rehearsal: { apiKey: key },
          ...more,
        });
        const [tool, parent] = (lastResult(bodies[1]) ?? "").split("PARENT");
        return { tool: tool.includes(key), parent: parent?.includes(key), "let in": refusals.length === 0 };
      };
      const key = "sk-ant-a-secret";
      return {
        "in the environment": await look(key, { env: { ANTHROPIC_API_KEY: key } }),
        "through a pipe": await look(key, {
          env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: "3" },
          spawn: ({ command, args, cwd, env }) => {
            const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe", "pipe"] });
            child.stdio[3].end(key);
            return child;
          },
        }),
      };
    },
  },
  {
    name: "each command has a process group of its own, which can be ended alone",
    mechanism: "src/harness/process-tree.ts (endGroups)",
    expected: {
      "its shell leads the group": true,
      parent: "the harness",
      "after SIGTERM": "PostToolUseFailure",
      "the turn goes on": "done",
    },
    async look(sdk) {
      let stat = [];
      const { hooks, results, pid } = await play(sdk, {
        actors: [main(bash("echo $$ >shell; exec sleep 20.25"), say("done"))],
        hooks: {
          PreToolUse: async (_input, { seen }) => {
            void until(() => numberIn(join(seen.cwd, "shell"))).then(() => {
              const shell = numberIn(join(seen.cwd, "shell"));
              stat = readFileSync(`/proc/${shell}/stat`, "utf8").replace(/.*\) /, "").split(" ").map(Number);
              stat[0] = shell;
              process.kill(-stat[2], "SIGTERM");
            });
          },
          PostToolUse: undefined,
          PostToolUseFailure: undefined,
        },
      });
      const [shell, parent, group] = stat;
      return {
        "its shell leads the group": shell === group,
        parent: parent === pid ? "the harness" : parent,
        "after SIGTERM": hooks.at(-1)?.event,
        "the turn goes on": results[0]?.result,
      };
    },
  },
  {
    name: "a killed harness leaves its shells running",
    mechanism: "src/harness/supervisor.ts, src/harness/sandbox.ts (bubblewrapArgs)",
    expected: { "the shell": "lives", "the words": "terminated by signal SIGKILL" },
    async look(sdk) {
      let shell;
      const { error } = await play(sdk, {
        actors: [main(bash("echo $$ >shell; sleep 20.75"), say("done"))],
        hooks: {
          PreToolUse: async (_input, { seen }) => {
            void until(() => (shell = numberIn(join(seen.cwd, "shell")))).then(() => end(seen.pid));
          },
        },
      });
      const after = lives(shell) ? "lives" : "gone";
      end(shell);
      return { "the shell": after, "the words": about(error, /terminated by signal SIGKILL/) };
    },
  },
  {
    name: "a killed parent leaves the harness alive, and it goes on asking the API",
    mechanism: "src/harness/supervisor.ts (lifeline), src/harness/sandbox.ts (--die-with-parent)",
    expected: { "requests after the kill": "go on", "the harness": "lives" },
    async look(_sdk, { sdkFile }) {
      const [dir, gone] = tempDir();
      const cwd = join(dir, "work");
      mkdirSync(cwd);
      const script = (request) => bash(`sleep 0.1; echo ${request.turnCount}`);
      const rehearsal = await startRehearsal({
        scenario: { name: "orphan", actors: [{ name: "main", when: () => true, script }] },
      });
      const env = harnessEnvironment({
        base: { ...process.env, HOME: dir },
        credentials: rehearsal.env,
        configDir: join(dir, "config"),
        window: 1_000_000,
        noCompaction: true,
        longCache: false,
        extra: { ANTHROPIC_API_KEY: "sk-ant-probe" },
      });
      const parent = spawn(process.execPath, [HOLD, JSON.stringify({ sdk: sdkFile, cwd, env })], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let said = "";
      parent.stdout.setEncoding("utf8").on("data", (text) => (said += text));
      try {
        await until(() => rehearsal.journal.length >= 2);
        const dead = new Promise((resolve) => parent.once("exit", resolve));
        parent.kill("SIGKILL");
        await dead;
        const before = rehearsal.journal.length;
        const goesOn = await until(() => rehearsal.journal.length >= before + 3);
        return {
          "requests after the kill": goesOn ? "go on" : "end",
          "the harness": lives(Number(said)) ? "lives" : "gone",
        };
      } finally {
        parent.kill("SIGKILL");
        const harness = Number(said);
        if (harness > 1) {
          end(harness);
          await until(() => !lives(harness));
        }
        await rehearsal.close({ check: false });
        gone();
      }
    },
  },
];
