import { join } from "node:path";
import { z } from "zod";
import { makePrivateDir, realPath, writeJsonAtomic } from "../core/files.ts";
import { readUserFile, userConfigDir, type UserPlaces } from "./user-files.ts";

const VERSION = 1;
const SCHEMA = z.object({
  v: z.literal(VERSION),
  endpoints: z.array(z.object({ workspace: z.string(), endpoint: z.string(), confirmedAt: z.string() })),
});

/** An endpoint that the `.env` of a workspace names. */
export interface WorkspaceEndpoint {
  workspace: string;
  /** The value of `ANTHROPIC_BASE_URL`. */
  endpoint: string;
}

/**
 * True when the person confirmed this very endpoint for this workspace.
 * @throws FlowerError `format` when the record is from a newer version.
 */
export function isConfirmedEndpoint(places: UserPlaces, asked: WorkspaceEndpoint): boolean {
  const workspace = realPath(asked.workspace);
  return recorded(places).some((row) => row.workspace === workspace && row.endpoint === asked.endpoint);
}

/**
 * Records that the person's own token may go to this endpoint when working in this workspace, in
 * `confirmed-endpoints.json` of the person's config directory.
 * @throws FlowerError `format` when the record is from a newer version; the file system's error when it cannot be
 * written.
 */
export function confirmEndpoint(places: UserPlaces, confirmed: WorkspaceEndpoint): void {
  if (isConfirmedEndpoint(places, confirmed)) return;
  const row = {
    ...confirmed,
    workspace: realPath(confirmed.workspace),
    confirmedAt: new Date().toISOString(),
  };
  makePrivateDir(userConfigDir(places));
  writeJsonAtomic(recordPath(places), { v: VERSION, endpoints: [...recorded(places), row] });
}

function recorded(places: UserPlaces): z.infer<typeof SCHEMA>["endpoints"] {
  return readUserFile(recordPath(places), SCHEMA, VERSION)?.endpoints ?? [];
}

function recordPath(places: UserPlaces): string {
  return join(userConfigDir(places), "confirmed-endpoints.json");
}
