import { basename } from "node:path";
import { timestampName } from "../core/ids.ts";
import { documentFileCandidates, type DocumentKind } from "../documents/names.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { WorkflowHost } from "./workflow.ts";

/** Moves documents of a kind to the archive, whatever language wrote them; where each was, and where it is. */
export function archiveDocuments(
  workbench: Workbench,
  kind: DocumentKind,
): Array<{ from: string; to: string }> {
  const stamp = timestampName(new Date());
  return documentFileCandidates(kind).flatMap((name) => {
    const from = workbench.readDocument([name])?.path;
    return from === undefined ? [] : [{ from, to: workbench.archive(from, stamp, basename(from)) }];
  });
}

/** Archives documents that were not complete and are replaced now: a person may have edited them. One line each. */
export function putAside(host: WorkflowHost, workbench: Workbench, step: string, kind: DocumentKind): void {
  for (const { from, to } of archiveDocuments(workbench, kind)) {
    const message = `${from} was not complete and is made anew; what stood there is kept in ${to}`;
    host.emit(step, { type: "system", level: "warning", message });
  }
}
