import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateDir } from "../core/files.ts";
import type { ToolCall } from "../core/tool-call.ts";
import {
  closeInput,
  composeRewrites,
  holdFile,
  runFile,
  spillFailingOutput,
  unsetCredentials,
} from "../gate/rewrites.ts";
import { cleanFile, endOf } from "./clean-file.ts";
import { plainId, type CommandFiles } from "./command-files.ts";
import type { CallSandbox } from "./worker-sandbox.ts";

/** Shown of a failing command's output at either end, and of what a timed-out one left, characters. */
const PREVIEW_CHARS = 400;

/** What is done to the input of a Bash call that the gate allowed. */
export interface BashRewrites {
  /** The new input. */
  input(call: ToolCall): Record<string, unknown> | undefined;
  /**
   * Takes secrets out of what a failed call left on disk, and puts a copy with broken lines beside it where one is
   * needed. What one had printed that was killed is put where failures are kept.
   */
  clean(call: ToolCall, redact: (text: string) => string): void;
  /** A call is over: what only its command needed goes. */
  ended(call: ToolCall): void;
  /** Where a call that was killed, or whose output could not be kept, left what it had printed, with the end of it. */
  partial(call: ToolCall): string | undefined;
}

/** What commands are rewritten with. */
export interface BashRewriteOptions {
  /** Where output goes; undefined = no spilling (no workbench, or one that is read-only). */
  spillDir: string | undefined;
  /** Characters from which failing output is spilled; 0 = never. */
  thresholdChars: number;
  /** Failures of subagents stay whole. Default false. */
  mainOnly?: boolean;
  /** Keeps a text in `spillDir`, and says once when nothing can be kept there. */
  spill?(text: string): unknown;
  /** Whether a call reads back what was spilled: that is never spilled again. */
  readsBack(call: ToolCall): boolean;
  /** Puts a command into its sandbox; undefined = it runs without. */
  sandbox: CallSandbox | undefined;
  /** Types of subagents that work in worktrees. Default: none. */
  isolatedAgents?: readonly string[];
  /** Keeps their commands while they run. */
  files: CommandFiles;
}

/**
 * The one place that rewrites commands, in a fixed order: credentials, spill of failing output, sandbox, isolation. The harness
 * shows failed output itself and lets no hook replace it (0.3.332).
 */
export function bashRewrites({
  spillDir,
  thresholdChars,
  mainOnly = false,
  spill,
  readsBack,
  sandbox,
  isolatedAgents = [],
  files,
}: BashRewriteOptions): BashRewrites {
  const fileOf = (call: ToolCall): string | undefined =>
    spillDir === undefined || thresholdChars === 0 || (mainOnly && call.agentId !== undefined)
      ? undefined
      : join(spillDir, `failed-${plainId(call.id)}.txt`);
  return {
    input(call) {
      const command = call.input["command"];
      if (call.name !== "Bash" || typeof command !== "string") return undefined;
      const file = fileOf(call);
      const spills = file !== undefined && call.input["run_in_background"] !== true && !readsBack(call);
      const rewrite = composeRewrites([
        closeInput,
        holdFile,
        unsetCredentials(call.id),
        ...(spills
          ? [
              (text: string) =>
                spillFailingOutput(text, {
                  ...{ live: files.outputOf(call), file, thresholdChars, previewChars: PREVIEW_CHARS },
                  jobsLiveOn: sandbox === undefined,
                }),
            ]
          : []),
        (text: string) => sandbox?.(text, call) ?? text,
        ...(isolatedAgents.includes(call.agentType ?? "")
          ? [(text: string) => runFile(files.write(call, text))]
          : []),
      ]);
      return { ...call.input, command: rewrite(command) };
    },
    ended(call) {
      if (isolatedAgents.includes(call.agentType ?? "")) files.remove(call);
    },
    clean(call, redact) {
      const file = call.name === "Bash" ? fileOf(call) : undefined;
      if (file === undefined) return;
      const live = files.outputOf(call);
      // One that ended by itself has moved it where it could.
      if (existsSync(live)) {
        if (!keep(live, file, redact)) spill?.(endOf(live, PREVIEW_CHARS) ?? "");
      } else if (existsSync(file)) cleanFile(file, redact);
    },
    partial(call) {
      const file = call.name === "Bash" ? fileOf(call) : undefined;
      if (file === undefined) return undefined;
      for (const path of [file, files.outputOf(call)]) {
        const end = endOf(path, PREVIEW_CHARS);
        if (end !== undefined && end !== "")
          return `What the command had printed before it ended is in ${path}; its end:\n${end}`;
      }
      return undefined;
    },
  };
}

/** False when it could not be put there: then it stays where it is until the run ends, without secrets. */
function keep(live: string, file: string, redact: (text: string) => string): boolean {
  try {
    makePrivateDir(dirname(file));
    cleanFile(file, redact, live);
  } catch {
    cleanOrRemove(live, redact);
    return false;
  }
  for (const path of [live, `${live}.cwd`]) rmSync(path, { force: true });
  return true;
}

function cleanOrRemove(path: string, redact: (text: string) => string): void {
  try {
    cleanFile(path, redact);
  } catch {
    rmSync(path, { force: true });
  }
}
