import { join } from "node:path";
import { Verdict } from "../documents/verdict.ts";
import { stepDisplayName } from "../documents/names.ts";
import { availableContainment } from "../harness/sandbox.ts";
import { judge } from "../roles/roles.ts";
import type { StepResult } from "../runtime/contract.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { makeThrowawayCopy } from "./throwaway-copy.ts";
import { changedPaths, hashTree } from "./tree-hash.ts";

/** How rounds are judged. */
export interface JudgeOptions {
  /** The judge runs its checks, in a throwaway copy. Default true. */
  run?: boolean;
  /** Absolute; left out of the copy. */
  runDir: string;
}

/** A ruling, or why there is none; and the judge's own run. */
export type Ruling = { verdict: Verdict } | { notJudged: string };

/** A judge that failed itself is tried again once, afresh. */
const TRIES = 2;
/** Paths named when a judge changed the workspace. */
const NAMED_PATHS = 5;

/**
 * Lets a fresh session that did none of the work rule on the workspace as it is. It may run anything, in a throwaway
 * copy: mounted over the workspace's own path where bubblewrap works; elsewhere it works beside it, and the real
 * tree is hashed before and after.
 */
export async function judgeRound(
  parts: StarterParts,
  options: JudgeOptions,
  context: StarterContext,
  stepName: string,
  words: string | undefined,
): Promise<Ruling> {
  let last = "";
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const result = await judgeOnce(parts, options, context, stepName, words);
    if ("harmed" in result) return { notJudged: result.harmed };
    const verdict = result.run.ok ? Verdict.parse(result.run.text) : undefined;
    if (verdict !== undefined) return { verdict };
    last = result.run.error ?? "the judge's answer has no conclusion";
  }
  return { notJudged: last };
}

async function judgeOnce(
  parts: StarterParts,
  options: JudgeOptions,
  context: StarterContext,
  stepName: string,
  words: string | undefined,
): Promise<{ run: StepResult } | { harmed: string }> {
  const { host, workbench, locale } = parts;
  const { workspace } = workbench;
  const own = [options.runDir, workbench.paths.root];
  const say = (message: string): void => host.emit(stepName, { type: "system", level: "warning", message });

  const copy = options.run === false ? undefined : await makeThrowawayCopy({ workspace, exclude: own });
  if (copy !== undefined && "tooLarge" in copy)
    say(
      `the workspace has ${Math.round(copy.tooLarge / 1024 ** 2)} MB, too much to copy: the judge only reads`,
    );
  const room = copy !== undefined && "path" in copy ? copy : undefined;
  // Mounted over the workspace, nothing can reach the original; beside it, a stray absolute path could.
  const watched = room !== undefined && availableContainment() !== "bubblewrap";
  const before = watched ? await hashTree(workspace, own) : undefined;
  try {
    const run = await host.run(
      judge({ mode: "verdict", run: room !== undefined, locale }),
      judgePrompt(context, words),
      {
        stepName,
        displayName: stepDisplayName(stepName, locale),
        lineageStep: null,
        ...(room === undefined ? {} : { copyMount: { copy: room.path, readOnly: [workbench.paths.root] } }),
      },
    );
    if (before === undefined) return { run };
    const changed = changedPaths(before, await hashTree(workspace, own));
    if (changed.length === 0) return { run };
    const names = changed.slice(0, NAMED_PATHS).map((path) => join(workspace, path));
    return { harmed: `the judge changed the workspace (${names.join(", ")}), so its verdict does not count` };
  } finally {
    await room?.remove();
  }
}

function judgePrompt({ brief, goal }: StarterContext, words: string | undefined): string {
  return [
    "Rule on the work in this workspace, against this goal.",
    goal?.toMarkdown("en") ?? "",
    brief === undefined ? "" : `The brief it came from:\n\n${brief}`,
    words === undefined ? "" : `The person says about an earlier verdict:\n\n${words}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}
