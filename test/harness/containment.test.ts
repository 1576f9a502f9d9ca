import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import type { Containment } from "../../src/harness/contract.ts";
import { call, say, type Rehearsal } from "../../src/testing/index.ts";
import { pidsOf } from "../support/processes.ts";
import { onCleanup, rehearse, tempDir, until } from "../support/rehearse.ts";

const CONTAINMENTS: Containment[] = bubblewrapWorks() ? ["bubblewrap", "supervisor"] : ["supervisor"];
const SCRIPT = fileURLToPath(new URL("../support/hold-session.mjs", import.meta.url));

function harnessPids(configDir: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return [];
      const environ = readFileSync(`/proc/${name}/environ`, "utf8");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return environ.includes(`CLAUDE_CONFIG_DIR=${configDir}`) && /claude/.test(command.split("\0")[0] ?? "")
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

interface Held {
  child: ChildProcess;
  marker: string;
  configDir: string;
  rehearsal: Rehearsal;
}

/** A process of its own that holds a session whose Bash call left children everywhere. */
async function hold(containment: Containment): Promise<Held> {
  const workspace = await tempDir();
  const configDir = await tempDir("config");
  // Seconds that nobody else sleeps: the marker that finds the children.
  const marker = `${3_000 + Math.floor(Math.random() * 10_000)}.${process.pid}`;
  await writeFile(
    join(workspace, "children.sh"),
    `sleep ${marker} &\nsetsid sleep ${marker} &\n(setsid nohup sleep ${marker} >/dev/null 2>&1 &)\nenv -i setsid -f sleep ${marker}\nsleep ${marker}\n`,
  );
  const rehearsal = await rehearse({
    scenario: {
      name: "held",
      actors: [
        {
          name: "main",
          when: () => true,
          script: (r) =>
            r.turnCount === 0 ? call("Bash", { command: "bash children.sh", timeout: 600_000 }) : say("late"),
        },
      ],
    },
  });
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      ...process.env,
      HOLD_CONTAINMENT: containment,
      HOLD_WORKSPACE: workspace,
      HOLD_CONFIG: configDir,
      HOLD_URL: rehearsal.url,
      HOLD_KEY: rehearsal.env["ANTHROPIC_API_KEY"],
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  onCleanup(async () => child.kill("SIGKILL"));
  await until(() => pidsOf(marker).length >= 5, 40_000);
  return { child, marker, configDir, rehearsal };
}

describe.each(CONTAINMENTS)("kill -9 under %s", (containment) => {
  // Fails when the supervisor's lifeline (`lifeline.on("close")`) or killTree is taken out, and under bubblewrap
  // without --die-with-parent or --unshare-pid.
  it.each(["flower", "harness", "both"] as const)(
    "of %s ends the whole tree",
    async (victim) => {
      const { child, marker, configDir, rehearsal } = await hold(containment);
      const harness = harnessPids(configDir);
      expect(harness.length).toBeGreaterThan(0);
      const requests = rehearsal.journal.length;
      if (victim !== "harness") child.kill("SIGKILL");
      if (victim !== "flower") for (const pid of harness) process.kill(pid, "SIGKILL");
      await until(() => pidsOf(marker).length === 0 && harnessPids(configDir).length === 0, 9_000);
      // Nothing comes back and nothing is asked any more.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(pidsOf(marker)).toEqual([]);
      expect(rehearsal.journal.length).toBe(requests);
    },
    90_000,
  );
});
