// Several bugs at once in a git repository: each worker in a worktree and on a branch of its own, then one merges.
// Try: flower run examples/08-isolated-bugs.ts --isolate "bugs.md lists them"
// Nobody steps on another's files, and what was not merged is kept in its branch.
import { spawnSync } from "node:child_process";
import {
  coordinator,
  FlowerError,
  merger,
  worker,
  Workflow,
  type FlowParts,
  type StarterContext,
} from "flower-agent";

const workers = {
  fixer: worker(
    "Mends one bug, with a test that failed before.",
    "You mend exactly one bug. Write a failing test first. Commit on your branch.",
    { isolate: true },
  ),
  merger: merger(),
};

export default function fixBugs({ runtime, channel, workspace }: FlowParts): Workflow<StarterContext> {
  if (!runtime.options.isolate)
    throw new FlowerError("usage", "the fixers are not isolated", { nextStep: "add --isolate" });
  // A branch goes with its worktree when all of it, committed or not, is in the workspace.
  const left = (): string =>
    spawnSync("git", ["branch", "--list", "flower/*"], { cwd: workspace, encoding: "utf8" }).stdout.trim();
  return new Workflow<StarterContext>([
    {
      name: "fix",
      spec: coordinator("fix", "Give each bug to a fixer of its own, all in one message.", workers, {
        channel,
      }),
      prompt: ({ request }) =>
        `Have these bugs mended, then have all branches merged and the tests run: ${request}`,
      gate: () => (left() === "" ? true : { rejected: `These branches are not merged yet:\n${left()}` }),
      retries: 1,
    },
  ]);
}
