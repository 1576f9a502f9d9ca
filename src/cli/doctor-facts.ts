import { existsSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { resolveCredentials, type Credentials } from "../config/credentials.ts";
import { LearnedWindows, type LearnedWindow } from "../config/learned-windows.ts";
import { userConfigDir } from "../config/user-files.ts";
import { believedWindow, type BelievedWindow } from "../config/window.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { realPath } from "../core/files.ts";
import type { Locale } from "../core/locale.ts";
import { lookAtJson } from "../core/look-at-json.ts";
import { commandSandbox, type CommandSandbox } from "../harness/sandbox.ts";
import { harnessVersions, hasHarnessProgram } from "../harness/version.ts";
import { gitNow } from "../isolation/git.ts";
import { checkRepository } from "../isolation/repository.ts";
import { readRun, type FileProblem, type RunFiles } from "../runtime/read-run.ts";
import { learnedWindowsPath } from "../runtime/window-book.ts";
import { SqliteSessionStore } from "../store/sqlite.ts";
import type { FileFacts, LockFacts, Rights, Versions, WindowFacts } from "./doctor-checks.ts";
import { diskFacts, existingPart, rightsOf, RUN_FILES, type DoctorPlaces } from "./doctor-places.ts";
import { isDirectory } from "./path-block.ts";
import { packageFacts } from "./version.ts";

/** Everything that can be known without asking the endpoint. */
export interface DoctorFacts {
  versions: Versions;
  credentials: Credentials | FlowerError;
  window: WindowFacts;
  git: { version: string | undefined; isolation: FlowerError | undefined };
  disk: ReadonlyArray<{ path: string; freeBytes: number }>;
  rights: Rights;
  lock: LockFacts;
  files: FileFacts;
  sandbox: CommandSandbox;
}

/** How long the doctor waits for a run that writes into the database, ms. */
const BUSY_TIMEOUT_MS = 1_000;

/**
 * Looks around. Damaged files stay where they are.
 * @param locale of what git's repository is refused with. Default: English.
 */
export async function gatherFacts(places: DoctorPlaces, locale: Locale = "en"): Promise<DoctorFacts> {
  const { workspace, runDir, env } = places;
  // Before any reader that would set a damaged file aside, or mend a mode.
  const rights = rightsOf(places);
  const userFiles = [learnedWindowsPath(places), join(userConfigDir(places), "confirmed-endpoints.json")];
  // What stands in its place is said once, and not of each file in it.
  const isRun = isDirectory(runDir);
  const problems = [...userFiles, ...(isRun ? [join(runDir, "rewrites.json")] : [])].flatMap(problemOf);
  const run = isRun ? readRun(runDir) : NO_RUN;
  const damaged = new Set([...problems, ...run.problems].map(({ path }) => path));
  const credentials = userFiles.some((path) => damaged.has(path) && path.endsWith("endpoints.json"))
    ? new FlowerError("format", "whether an endpoint was confirmed cannot be read", {
        nextStep: "mend confirmed-endpoints.json first",
      })
    : attempt(() => resolveCredentials(places));
  const db = join(runDir, "sessions.db");
  const { version, sdk: wantedSdk, nodeRange } = packageFacts();
  return {
    versions: {
      ...harnessVersions(),
      node: process.versions.node,
      nodeRange,
      flower: version,
      wantedSdk,
      hasProgram: hasHarnessProgram(),
      platform: `${process.platform}-${process.arch}`,
    },
    credentials,
    window: windowFacts(places, credentials, damaged.has(learnedWindowsPath(places))),
    git: gitFacts({ workspace, env }, locale),
    disk: diskFacts([existingPart(workspace), existingPart(runDir)]),
    rights,
    lock: { runDir, exists: isRun, holder: run.holder, host: hostname() },
    files: {
      looked: [...userFiles, ...RUN_FILES.map((name) => join(runDir, name))].filter(existsSync).length,
      problems: [...problems, ...run.problems],
      store: existsSync(db) ? await storeProblem(db) : undefined,
      aside: [userConfigDir(places), runDir].flatMap(setAsideIn),
    },
    sandbox: commandSandbox(),
  };
}

/** Of a run directory that is none. */
const NO_RUN: RunFiles = { rows: [], lineage: undefined, holder: undefined, problems: [] };

function attempt<T>(work: () => T): T | FlowerError {
  try {
    return work();
  } catch (error) {
    if (FlowerError.is(error)) return error;
    throw error;
  }
}

const VERSIONED = z.looseObject({ v: z.int() });

function problemOf(path: string): FileProblem[] {
  const look = lookAtJson(path, VERSIONED, 1);
  if (look.state === "damaged") return [{ path, kind: "damaged", detail: look.why }];
  if (look.state === "newer") return [{ path, kind: "newer", detail: `v ${look.version}` }];
  return look.state === "unreadable" ? [{ path, kind: "unreadable", detail: errorText(look.error) }] : [];
}

async function storeProblem(path: string): Promise<FlowerError | undefined> {
  const store = attempt(() => SqliteSessionStore.open({ path, busyTimeoutMs: BUSY_TIMEOUT_MS }));
  if (FlowerError.is(store)) return store;
  await store.close();
  return undefined;
}

function windowFacts(
  places: DoctorPlaces,
  credentials: Credentials | FlowerError,
  isDamaged: boolean,
): WindowFacts {
  const values = FlowerError.is(credentials) ? {} : credentials.values;
  const model = values.ANTHROPIC_MODEL;
  const windows = isDamaged ? undefined : LearnedWindows.open(learnedWindowsPath(places));
  const learned = windows?.get(values.ANTHROPIC_BASE_URL, model ?? "");
  const belief = attempt((): BelievedWindow =>
    believedWindow({
      env: { ...places.env, ...values },
      ...(learned === undefined ? {} : { learned }),
      ...(model === undefined ? {} : { model }),
    }),
  );
  const hasBaseUrl = values.ANTHROPIC_BASE_URL !== undefined;
  return { belief, model, hasBaseUrl, learned: windows?.list() ?? [] };
}

/**
 * Forgets what was learned of a model at every endpoint, or all of it.
 * @returns what is forgotten now.
 * @throws FlowerError `format` when the file is from a newer version.
 */
export function forgetWindows(places: DoctorPlaces, model: string | undefined): LearnedWindow[] {
  const windows = LearnedWindows.open(learnedWindowsPath(places));
  return windows
    .list()
    .filter((row) => model === undefined || row.model === model)
    .filter((row) => windows.forget(row.endpoint, row.model));
}

function gitFacts(
  { workspace, env }: Pick<DoctorPlaces, "workspace" | "env">,
  locale: Locale,
): DoctorFacts["git"] {
  const cwd = existingPart(workspace);
  const git = gitNow({ cwd, env }, "--version");
  if (!git.ok) return { version: undefined, isolation: undefined };
  const checked = attempt(() => checkRepository(realPath(cwd), env, locale));
  return { version: git.out.trim(), isolation: FlowerError.is(checked) ? checked : undefined };
}

function setAsideIn(dir: string): string[] {
  try {
    return readdirSync(dir).flatMap((name) => (/\.damaged-\d+$/.test(name) ? [join(dir, name)] : []));
  } catch {
    return [];
  }
}
