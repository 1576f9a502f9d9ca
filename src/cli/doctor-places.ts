import { accessSync, constants, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CredentialPlaces } from "../config/credentials.ts";
import { userConfigDir } from "../config/user-files.ts";
import { isInside } from "../core/files.ts";
import { workbenchPaths, workbenchPathsOf, type WorkbenchPaths } from "../workbench/directories.ts";
import type { Rights } from "./doctor-checks.ts";
import { blockOf, isDirectory, statOf } from "./path-block.ts";

/** Where the doctor looks; paths are absolute. */
export interface DoctorPlaces extends CredentialPlaces {
  runDir: string;
}

/** Files of a run directory that the doctor looks at. */
export const RUN_FILES = ["sessions.db", "manifest.json", "lineage.json", "rewrites.json", "lock.json"];

/** Free space where something will be written, once for each device. */
export function diskFacts(paths: readonly string[]): Array<{ path: string; freeBytes: number }> {
  const byDevice = new Map(paths.map((path) => [statOf(path)?.dev, path]));
  return [...byDevice.values()].map((path) => {
    const { bavail, bsize } = statfsSync(path);
    return { path, freeBytes: bavail * bsize };
  });
}

/** Whose the files are, what may be written, and what stands where a directory must be. */
export function rightsOf({ workspace, runDir, ...person }: DoctorPlaces): Rights {
  const config = userConfigDir(person);
  const secret = join(config, ".env");
  // That of the workspace, and the one that the run directory may have for itself.
  const benches = (isolated: boolean): WorkbenchPaths[] => [
    workbenchPaths(workspace, isolated),
    workbenchPathsOf(workspace, isolated, runDir),
  ];
  const own = [
    secret,
    ...["windows.json", "confirmed-endpoints.json"].map((name) => join(config, name)),
    runDir,
    ...[...RUN_FILES, "events"].map((name) => join(runDir, name)),
    ...[...benches(false), ...benches(true)].map(({ root }) => root),
  ];
  const needed = [runDir, join(runDir, "events"), ...benches(false).flatMap(directoriesOf)];
  const blocked = [...blocks(needed, true), ...blocks(benches(true).flatMap(directoriesOf), false)];
  const isBlocked = new Set(blocked.map(({ path }) => path));
  const noWorkspace = isDirectory(workspace) ? undefined : workspace;
  const written = [...(noWorkspace === undefined ? [workspace] : []), existingPart(runDir)];
  return {
    noWorkspace,
    own: [...new Set(own)].flatMap((path) => {
      const mode = isBlocked.has(path) ? undefined : statOf(path)?.mode;
      return mode === undefined ? [] : [{ path, mode, secret: path === secret }];
    }),
    blocked,
    notWritable: written.filter((path) => !isWritable(path)),
  };
}

const directoriesOf = ({ root, scripts, artifacts, notes, spill }: WorkbenchPaths): string[] => [
  root,
  scripts,
  artifacts,
  notes,
  spill,
];

/** What is blocked, without what lies below it. */
function blocks(paths: readonly string[], isNeeded: boolean): Rights["blocked"] {
  const found = [...new Set(paths)].flatMap((path) => {
    const code = blockOf(path);
    return code === undefined ? [] : [{ path, code, isNeeded }];
  });
  return found.filter(({ path }) => !found.some((above) => isInside(path, above.path)));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The directory at a path, else the nearest above it. */
export function existingPart(path: string): string {
  const parent = dirname(path);
  return parent === path || isDirectory(path) ? path : existingPart(parent);
}
