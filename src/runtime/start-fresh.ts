import { existsSync } from "node:fs";
import { join } from "node:path";
import { timestampName } from "../core/ids.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { Lineage } from "./lineage.ts";

/** What a start afresh puts away. */
export interface Leftovers {
  runDir: string;
  lineage: Lineage;
  /** Undefined = its notes stay. */
  workbench: Workbench | undefined;
  /** Moves messages that nobody has read into a folder. */
  archiveMail(folder: string): void;
}

/**
 * Puts away what earlier runs left, moved and never deleted. The lineage notes it before and goes last: what a kill
 * cuts off is done when this is called again, which {@link Lineage.archiving} asks for.
 * @returns the folders that were made.
 * @throws FlowerError `workspace` when something cannot be moved.
 */
export function startFresh({ runDir, lineage, workbench, archiveMail }: Leftovers): string[] {
  const stamp = lineage.archiving ?? timestampName(new Date());
  const folder = join(runDir, "archive", stamp);
  lineage.archivesTo(stamp);
  const notes = workbench?.archiveAll(stamp);
  archiveMail(folder);
  lineage.startFresh(folder);
  return [...(notes === undefined ? [] : [notes]), ...(existsSync(folder) ? [folder] : [])];
}
