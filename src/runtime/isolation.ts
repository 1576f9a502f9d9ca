import { join } from "node:path";
import type { AgentSpec } from "../core/spec.ts";
import { checkRepository } from "../isolation/repository.ts";
import { Worktrees, type Ended } from "../isolation/worktrees.ts";
import { workbenchPaths } from "../workbench/directories.ts";
import type { ResolvedOptions } from "./options.ts";
import { WorktreeRecords, type WorktreeRecord } from "./worktree-records.ts";

/** Types of a spec's subagents that work in worktrees of their own. */
export function isolatedAgents({ agents = {} }: AgentSpec): string[] {
  return Object.keys(agents).filter((name) => agents[name]?.isolate === true);
}

const DIRTY =
  "isolated workers start from the last commit: what is not committed in the workspace is not in their worktrees";
const DETACHED =
  "the workspace is on no branch, so that what is merged there will be on none either: git switch -c <name> gives it one";

/** The worktrees of one run: where they are made, and the books that outlive the process. */
export class Isolation {
  /** What the person should know at the start, one line each. */
  readonly notices: readonly string[];
  readonly #runId: string;
  readonly #worktrees: Worktrees;
  readonly #records: WorktreeRecords;
  /** Ids of dispatches under way, over all steps. */
  readonly #working = new Set<string>();

  /** @throws FlowerError `workspace` when workers cannot be isolated here. */
  constructor({ workspace, runDir, env }: ResolvedOptions, runId: string) {
    const repository = checkRepository(workspace, env);
    this.#runId = runId;
    const dir = join(workbenchPaths(workspace, true).root, "worktrees");
    this.#worktrees = new Worktrees({ repository, dir, env });
    this.#records = new WorktreeRecords(runDir);
    this.notices = [...(repository.dirty ? [DIRTY] : []), ...(repository.detached ? [DETACHED] : [])];
  }

  /** Directory of all worktrees. */
  get dir(): string {
    return this.#worktrees.dir;
  }

  /**
   * Makes the worktree of a dispatch and notes it.
   * @throws FlowerError `workspace` when git cannot.
   */
  async add(id: string, step: string): Promise<WorktreeRecord> {
    this.#working.add(id);
    try {
      const tree = await this.#worktrees.plan(id, step);
      const record = { ...tree, step, run: this.#runId, settled: false };
      // First: whatever ends this process, the next run looks for it.
      this.#records.write(record);
      await this.#worktrees.add(tree);
      return record;
    } catch (error) {
      this.#working.delete(id);
      throw error;
    }
  }

  /** Looks at a worktree whose worker has ended: removed when it holds nothing, else noted as left to be taken over. */
  async end(record: WorktreeRecord): Promise<Ended> {
    const ended = await this.#worktrees.endOf(record);
    this.#working.delete(record.id);
    try {
      if (ended.gone) this.#records.forget(record.id);
      else if (!record.settled) this.#records.write({ ...record, settled: true });
    } catch {
      // On a full disk the next run tells the same once more.
    }
    return ended;
  }

  /** Looks at all that no worker is in, of this run and of earlier ones: what is merged by now goes as well. */
  async sweep(): Promise<{ record: WorktreeRecord; ended: Ended }[]> {
    const swept: { record: WorktreeRecord; ended: Ended }[] = [];
    for (const record of this.#records.all().filter(({ id }) => !this.#working.has(id)))
      swept.push({ record, ended: await this.end(record) });
    return swept;
  }
}
