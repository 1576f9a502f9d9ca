import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { PRIVATE_DIR_MODE } from "../core/files.ts";

/** Variables that name a cache of a common tool, with the place under the home directory that it has without them. */
const CACHES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: ".cache",
  npm_config_cache: ".npm",
  PIP_CACHE_DIR: ".cache/pip",
  YARN_GLOBAL_FOLDER: ".yarn/berry",
  BUN_INSTALL_CACHE_DIR: ".bun/install/cache",
  CARGO_HOME: ".cargo",
  GOMODCACHE: "go/pkg/mod",
  GRADLE_USER_HOME: ".gradle",
};

/** Where caches are, and where they may be. */
export interface CacheOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a command can write there. */
  canWrite(path: string): boolean;
  /** Makes the directory for caches that cannot stay where they are; called when one is needed. */
  makeDir(): string;
}

/**
 * Environment that gives tools a cache where they can write: `npm install` fails outright without one.
 * A cache that can be written where it is stays there.
 */
export function cacheVariables({ home, env, canWrite, makeDir }: CacheOptions): Record<string, string> {
  const locked = Object.entries(CACHES).filter(([name, place]) => {
    const set = env[name];
    return !canWrite(set === undefined || set === "" ? join(home, place) : set);
  });
  if (locked.length === 0) return {};
  const dir = makeDir();
  return Object.fromEntries(locked.map(([name]) => [name, join(dir, name.toLowerCase())]));
}

/**
 * A directory for caches under the temp directory, the same for all runs of this user. Where something else has taken
 * the name, e.g. another user of this machine, a fresh one.
 */
export function cacheDir(): string {
  const { uid } = userInfo();
  const dir = join(tmpdir(), `flower-cache-${uid}`);
  try {
    mkdirSync(dir, { mode: PRIVATE_DIR_MODE });
    return dir;
  } catch {
    const found = lstatSync(dir, { throwIfNoEntry: false });
    const ours = found?.isDirectory() === true && found.uid === uid && (found.mode & 0o022) === 0;
    return ours ? dir : mkdtempSync(`${dir}-`);
  }
}
