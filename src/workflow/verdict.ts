import { join } from "node:path";
import type { Locale } from "../core/locale.ts";
import { Verdict } from "../documents/verdict.ts";
import { stepDisplayName } from "../documents/names.ts";
import { availableContainment } from "../harness/sandbox.ts";
import { judge } from "../roles/roles.ts";
import type { StepResult } from "../runtime/contract.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { WORKFLOW_TEXTS } from "./texts.ts";
import { makeThrowawayCopy } from "./throwaway-copy.ts";
import { changedPaths, hashTree } from "./tree-hash.ts";

/** How rounds are judged. */
export interface JudgeOptions {
  /** The judge runs its checks, in a throwaway copy. Default true. */
  run?: boolean;
  /** Absolute; left out of the copy. */
  runDir: string;
  /**
   * The copy is mounted over the workspace's own path, so that the real tree needs no watching.
   * Default: where bubblewrap works.
   */
  mountsOver?: boolean;
}

/** A ruling, or why there is none, with the run of a judge that was interrupted. */
export type Ruling = { verdict: Verdict } | { notJudged: string; run?: StepResult };

/** A judge that failed itself is tried again once, afresh. */
const TRIES = 2;
/** Paths that a message names. */
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
  objections: readonly string[],
): Promise<Ruling> {
  let last = "";
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const result = await judgeOnce(parts, options, context, stepName, objections);
    if ("changed" in result) return { notJudged: result.changed };
    const { run } = result;
    const verdict = run.ok ? Verdict.parse(run.text) : undefined;
    if (verdict !== undefined) return { verdict };
    last = run.error ?? WORKFLOW_TEXTS[parts.locale].noConclusion;
    // A person ended it: no reason to try again.
    if (run.status === "interrupted") return { notJudged: last, run };
    if (run.refused === true) return { notJudged: last };
  }
  return { notJudged: last };
}

async function judgeOnce(
  parts: StarterParts,
  options: JudgeOptions,
  context: StarterContext,
  stepName: string,
  objections: readonly string[],
): Promise<{ run: StepResult } | { changed: string }> {
  const { host, workbench, locale } = parts;
  const { workspace } = workbench;
  const texts = WORKFLOW_TEXTS[locale];
  const own = [options.runDir, workbench.paths.root];
  const say = (message: string): void => host.emit(stepName, { type: "system", level: "warning", message });

  const note = (path: string): (() => void) => host.noteTemp?.(path) ?? (() => undefined);
  const copy = options.run === false ? undefined : await makeThrowawayCopy({ workspace, exclude: own, note });
  if (copy !== undefined && "tooLarge" in copy) say(texts.tooLarge(Math.round(copy.tooLarge / 1024 ** 2)));
  const room = copy !== undefined && "path" in copy ? copy : undefined;
  if (room !== undefined && room.skipped.length > 0)
    say(texts.notCopied(room.skipped.slice(0, NAMED_PATHS).join(", ")));
  // Mounted over the workspace, nothing can reach the original; beside it, a stray absolute path could.
  const { mountsOver = availableContainment() === "bubblewrap" } = options;
  const watched = room !== undefined && !mountsOver;
  try {
    const before = watched ? await hashTree(workspace, own) : undefined;
    const run = await host.run(
      judge({ mode: "verdict", run: room !== undefined, locale }),
      judgePrompt(context, objections, locale),
      {
        stepName,
        displayName: stepDisplayName(stepName, locale),
        lineageStep: null,
        // A judge is independent: what the person says is for the work, which is judged anew.
        wordsFor: "next",
        ...(room === undefined ? {} : { copyMount: { copy: room.path, readOnly: [workbench.paths.root] } }),
      },
    );
    if (before === undefined) return { run };
    const changed = changedPaths(before, await hashTree(workspace, own));
    if (changed.length === 0) return { run };
    const names = changed.slice(0, NAMED_PATHS).map((path) => join(workspace, path));
    return { changed: texts.changedMeanwhile(names.join(", ")) };
  } finally {
    await room?.remove();
  }
}

function judgePrompt({ brief, goal }: StarterContext, objections: readonly string[], locale: Locale): string {
  return [
    "Rule on the work in this workspace, against this goal.",
    goal?.toMarkdown(locale) ?? "",
    brief === undefined ? "" : `The brief it came from:\n\n${brief}`,
    ...objections.map((words) => `The person says about an earlier verdict:\n\n${words}`),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}
