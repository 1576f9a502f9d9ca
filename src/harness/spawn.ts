import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { FlowerError } from "../core/errors.ts";
import { PRIVATE_FILE_MODE } from "../core/files.ts";
import { TEMP_PREFIXES } from "../core/temp-names.ts";
import { HELD_FILE_VARIABLE } from "../core/tree-marks.ts";
import type { Containment, CopyMount, SessionOptions } from "./contract.ts";
import { killTree, TREE_MARK } from "./process-tree.ts";
import { bubblewrapArgs } from "./sandbox.ts";

/** The harness reads its key from this descriptor and leaves it nowhere (0.3.332). */
const KEY_FD = 3;
const LIFELINE_FD = 4;
/** After this the SDK has removed its copy, ms; the process may end before, then the next run removes it. */
const COPY_REMOVED_MS = 500;
/** Enough of the harness's last words to explain a failed start. */
const STDERR_TAIL_CHARS = 4_000;

interface SpawnerOptions {
  containment: Containment;
  workspace: string;
  configDir: string;
  apiKey: string | undefined;
  copyMount: CopyMount | undefined;
  /** See {@link SessionOptions.onTemp}. */
  onTemp: SessionOptions["onTemp"] | undefined;
}

/** Starts the harness inside its containment. */
export interface HarnessSpawner {
  spawn(options: SpawnOptions): SpawnedProcess;
  /** The harness's last words on standard error. */
  stderrTail(): string;
  /** Resolves when the process is gone (at once when it was never started). */
  ended(): Promise<void>;
}

/** See {@link HarnessSpawner}. One spawner a process. */
export function harnessSpawner(options: SpawnerOptions): HarnessSpawner {
  let tail = "";
  let child: ChildProcess | undefined;
  return {
    stderrTail: () => tail.trim(),
    ended: async () => {
      const running = child;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      await new Promise((resolve) => running.once("exit", resolve));
    },
    spawn(request) {
      const mark = randomUUID();
      const [command, args] = contained(options, mark, request);
      const heldFile =
        options.containment === "supervisor"
          ? join(realpathSync(tmpdir()), `${TEMP_PREFIXES.tree}${mark}`)
          : undefined;
      if (heldFile !== undefined) writeFileSync(heldFile, "", { mode: PRIVATE_FILE_MODE });
      child = spawn(command, args, {
        cwd: request.cwd,
        env: {
          ...request.env,
          [TREE_MARK]: mark,
          ...(heldFile === undefined ? {} : { [HELD_FILE_VARIABLE]: heldFile }),
          ...(options.apiKey === undefined ? {} : { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: String(KEY_FD) }),
        },
        stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
        // A session of its own: Ctrl-C in the terminal is flower's to handle, not the harness's.
        detached: true,
      });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        tail = (tail + text).slice(-STDERR_TAIL_CHARS);
      });
      const key = child.stdio[KEY_FD] as Writable | null;
      key?.on("error", () => undefined);
      key?.end(options.apiKey ?? "");
      const lifeline = child.stdio[LIFELINE_FD] as Writable | null;
      lifeline?.on("error", () => undefined);
      const running = child;
      const temp = [heldFile, resumeCopy(request.env)].filter((path) => path !== undefined);
      const gone = temp.map((path) => options.onTemp?.(path));
      // The SDK removes its copy of the history some 20 ms after the end (0.3.332).
      running.once("exit", () =>
        setTimeout(() => gone.forEach((forget) => forget?.()), COPY_REMOVED_MS).unref(),
      );
      // Whatever ended the supervisor, nothing of the tree may stay; bubblewrap's namespace sees to it itself.
      if (heldFile !== undefined)
        running.once("exit", () => {
          killTree(mark, { heldFile });
          rmSync(heldFile, { force: true });
        });
      return asSpawned(running, lifeline, options.containment);
    },
  };
}

function contained(options: SpawnerOptions, mark: string, request: SpawnOptions): [string, string[]] {
  if (options.containment === "bubblewrap")
    return [
      "bwrap",
      [
        ...bubblewrapArgs(options.workspace, options.copyMount, [tmpdir(), options.configDir]),
        request.command,
        ...request.args,
      ],
    ];
  return [process.execPath, [supervisorPath(), mark, request.command, ...request.args]];
}

/** A resumed session works in a temp copy of its history, which the SDK names in the environment. */
function resumeCopy(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const dir = env["CLAUDE_CONFIG_DIR"] ?? "";
  return basename(dir).startsWith(TEMP_PREFIXES.resume) ? dir : undefined;
}

/** The compiled supervisor: beside this file in the package, in `dist/` when the sources run directly (tests). */
function supervisorPath(): string {
  const path = ["./supervisor.js", "../../dist/harness/supervisor.js"]
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .find(existsSync);
  if (path === undefined)
    throw new FlowerError("harness", "the compiled supervisor is missing", {
      nextStep: "run `npm run build`",
    });
  return path;
}

/** The child itself, whose SIGKILL cuts the lifeline instead: a killed supervisor could not end its tree. */
function asSpawned(child: ChildProcess, lifeline: Writable | null, containment: Containment): SpawnedProcess {
  if (containment === "supervisor") {
    const kill = child.kill.bind(child);
    child.kill = (signal) => {
      if (signal !== "SIGKILL") return kill(signal);
      lifeline?.destroy();
      return true;
    };
  }
  return child as ChildProcessWithoutNullStreams;
}
