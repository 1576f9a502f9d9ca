import { basename } from "node:path";
import { timestampName } from "../core/ids.ts";
import { documentFileCandidates, type DocumentKind } from "../documents/names.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { WorkflowHost } from "./workflow.ts";

/** Archives documents that were not complete and are replaced now: a person may have edited them. One line each. */
export function putAside(host: WorkflowHost, workbench: Workbench, step: string, kind: DocumentKind): void {
  const stamp = timestampName(new Date());
  for (const name of documentFileCandidates(kind)) {
    const found = workbench.readDocument([name]);
    if (found === undefined) continue;
    const kept = workbench.archive(found.path, stamp, basename(found.path));
    const message = `${found.path} was not complete and is made anew; what stood there is kept in ${kept}`;
    host.emit(step, { type: "system", level: "warning", message });
  }
}
