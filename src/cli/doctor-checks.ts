import { satisfies } from "semver";
import type { Credentials } from "../config/credentials.ts";
import { CREDENTIAL_KEYS, shownCredential } from "../config/credentials.ts";
import type { LearnedWindow } from "../config/learned-windows.ts";
import type { BelievedWindow } from "../config/window.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import type { CommandSandbox } from "../harness/sandbox.ts";
import type { FileProblem, Holder } from "../runtime/read-run.ts";
import type { Endpoint } from "../runtime/resilience.ts";
import { windowText } from "./figures.ts";
import type { DoctorTexts, Said } from "./doctor-texts/contract.ts";
import { shellWord } from "./shell-word.ts";
import type { Finding, Level } from "./trial-line.ts";

/** Free space below which a long run may stop, and below which it will, bytes. */
const LOW_BYTES = 1024 ** 3;
const FULL_BYTES = 100 * 1024 ** 2;

const found = (level: Level, [text, todo]: Said): Finding => ({
  level,
  text,
  ...(todo === undefined ? {} : { todo }),
});
const ok = (said: Said): Finding => found("ok", said);
const note = (said: Said): Finding => found("note", said);
const wrong = (said: Said): Finding => found("wrong", said);

/** An error that flower throws on purpose, as a finding; its words are English. */
export function errorFinding(error: FlowerError, level: Level = "wrong"): Finding {
  return found(level, error.nextStep === undefined ? [error.message] : [error.message, error.nextStep]);
}

/** What is installed. Versions as figures without a `v`. */
export interface Versions {
  node: string;
  /** The least major version of Node. */
  nodeRange: string;
  flower: string;
  sdk: string;
  /** The SDK that this flower is made for. */
  wantedSdk: string;
  harness: string;
  hasProgram: boolean;
  /** Platform and architecture. */
  platform: string;
}

/** Node, SDK and harness. */
export function checkVersions(versions: Versions, t: DoctorTexts): Finding[] {
  const { node, nodeRange, flower, sdk, wantedSdk, harness, hasProgram, platform } = versions;
  return [
    satisfies(node, nodeRange, { includePrerelease: true })
      ? ok(t.node(node))
      : wrong(t.nodeUnfit(node, nodeRange)),
    ok(t.versions(flower, sdk, harness)),
    ...(sdk === wantedSdk ? [] : [note(t.otherSdk(sdk, wantedSdk))]),
    ...(hasProgram ? [] : [wrong(t.noHarness(platform))]),
  ];
}

/** What was found where, tokens masked; what is missing. */
export function checkCredentials(credentials: Credentials | FlowerError, t: DoctorTexts): Finding[] {
  if (FlowerError.is(credentials)) return [errorFinding(credentials)];
  const { values, sources, warnings } = credentials;
  const hasKey = values.ANTHROPIC_API_KEY !== undefined;
  const hasToken = values.ANTHROPIC_AUTH_TOKEN !== undefined;
  const missing = values.ANTHROPIC_BASE_URL === undefined ? t.noCredentials : t.noToken;
  return [
    ...CREDENTIAL_KEYS.flatMap((key) => {
      const value = values[key];
      return value === undefined
        ? []
        : [ok(t.credential(key, shownCredential(key, value), sources[key] ?? ""))];
    }),
    ...(hasKey || hasToken ? [] : [wrong(missing)]),
    ...(hasKey && hasToken ? [note(t.twoTokens)] : []),
    ...warnings.map((warning) => note([warning])),
  ];
}

/** Whether the first hop takes connections. */
export function checkReach(
  { host, port, viaProxy }: Endpoint,
  isReachable: boolean,
  t: DoctorTexts,
): Finding[] {
  const where = `${viaProxy ? `${t.proxy} ` : ""}${host}:${port}`;
  return [isReachable ? ok(t.reachable(where)) : wrong(t.unreachable(where))];
}

/** What is believed of the window, and what it may be wrong about. */
export interface WindowFacts {
  /** Error: `FLOWER_WINDOW` cannot be read. */
  belief: BelievedWindow | FlowerError;
  /** Undefined = none is set. */
  model: string | undefined;
  /** A gateway or a local server. */
  hasBaseUrl: boolean;
  learned: readonly LearnedWindow[];
}

/** The window believed in with its source, and learned ones. */
export function checkWindow({ belief, model, hasBaseUrl, learned }: WindowFacts, t: DoctorTexts): Finding[] {
  const rows = learned.map(({ model: of, endpoint, window, learnedAtMs }) =>
    ok(
      t.learned(
        of,
        endpoint,
        windowText(window),
        new Date(learnedAtMs).toISOString().slice(0, 10),
        `flower doctor --forget-window ${shellWord(of)}`,
      ),
    ),
  );
  const unnamed = hasBaseUrl && model === undefined ? [note(t.noModel)] : [];
  if (FlowerError.is(belief)) return [errorFinding(belief), ...unnamed, ...rows];
  const size = windowText(belief.window);
  const name = model ?? t.defaultModel;
  // Of its own models the harness knows the window, and is asked at the start.
  const isForeign = model !== undefined && !/claude|^(?:opus|sonnet|haiku|default|opusplan)\b/i.test(model);
  const said =
    belief.source === "assumed" && isForeign
      ? note(t.assumedWindow(size, name))
      : ok(t.window(size, name, t.sources[belief.source]));
  return [said, ...unnamed, ...rows];
}

/** `version`: what git says of itself; undefined = it is not there. `isolation`: why workers cannot be isolated. */
export function checkGit(
  { version, isolation }: { version: string | undefined; isolation: FlowerError | undefined },
  t: DoctorTexts,
): Finding[] {
  if (version === undefined) return [note(t.noGit)];
  return [ok(t.git(version)), isolation === undefined ? ok(t.canIsolate) : errorFinding(isolation, "note")];
}

/** Free space by place, bytes. */
export function checkDisk(
  places: ReadonlyArray<{ path: string; freeBytes: number }>,
  t: DoctorTexts,
): Finding[] {
  return places.map(({ path, freeBytes }) => {
    const free =
      freeBytes < LOW_BYTES
        ? `${Math.floor(freeBytes / 1024 ** 2)} MB`
        : `${(freeBytes / 1024 ** 3).toFixed(1)} GB`;
    if (freeBytes < FULL_BYTES) return wrong(t.diskFull(path, free));
    return freeBytes < LOW_BYTES ? note(t.diskLow(path, free)) : ok(t.disk(path, free));
  });
}

/** Who may do what. */
export interface Rights {
  /** The workspace, when it is no directory. */
  noWorkspace: string | undefined;
  /** Files and directories of flower's own that are there; `secret`: it holds a token. */
  own: ReadonlyArray<{ path: string; mode: number; secret: boolean }>;
  /** What stands where a directory must be, by the file system's code. `isNeeded` false: by isolated workers only. */
  blocked: ReadonlyArray<{ path: string; code: string; isNeeded: boolean }>;
  /** Directories that must be writable, and are not. */
  notWritable: readonly string[];
}

/** Whether others can read what is private, and flower can write. */
export function checkRights({ noWorkspace, own, blocked, notWritable }: Rights, t: DoctorTexts): Finding[] {
  const open = own.filter(({ mode }) => (mode & 0o077) !== 0);
  return [
    ...(noWorkspace === undefined ? [] : [wrong(t.noWorkspace(noWorkspace))]),
    ...open.map(({ path, mode, secret }) => {
      const said = t.openFile(
        path,
        (mode & 0o777).toString(8).padStart(3, "0"),
        `chmod go= ${shellWord(path)}`,
      );
      return secret ? wrong(said) : note(said);
    }),
    ...(open.length === 0 ? [ok(t.privateFiles)] : []),
    ...blocked.map(({ path, code, isNeeded }) => found(isNeeded ? "wrong" : "note", t.blocked(path, code))),
    ...notWritable.map((path) => wrong(t.notWritable(path))),
  ];
}

/** What is known of the lock. */
export interface LockFacts {
  runDir: string;
  /** There is a run directory. */
  exists: boolean;
  holder: Holder | undefined;
  /** This machine's name: of another nobody knows whether the process lives. */
  host: string;
}

/** Who holds the run directory. */
export function checkLock({ runDir, exists, holder, host }: LockFacts, t: DoctorTexts): Finding[] {
  if (!exists) return [ok(t.noRun(runDir))];
  if (holder === undefined) return [ok(t.free(runDir))];
  const { process, since, step, alive } = holder;
  const who = `pid ${process.pid}, ${process.host}`;
  if (process.host !== host) return [note(t.heldElsewhere(who, since, `${runDir}/lock.json`))];
  return [alive ? ok(t.held(who, since, step === null ? "" : `, ${step}`)) : note(t.stale(who, since))];
}

/** What became of the files that were looked at. */
export interface FileFacts {
  /** How many were there. */
  looked: number;
  problems: readonly FileProblem[];
  /** What SQLite or its version says against the database. */
  store: FlowerError | undefined;
  /** Damaged files that an earlier run kept. */
  aside: readonly string[];
}

/** Damaged files, and those of a newer flower. */
export function checkFiles({ looked, problems, store, aside }: FileFacts, t: DoctorTexts): Finding[] {
  const bad = [
    ...problems.map(({ path, kind, detail }) => wrong(t[kind](path, detail))),
    ...(store === undefined ? [] : [storeFinding(store, t)]),
  ];
  return [
    ...(bad.length > 0 || looked === 0 ? bad : [ok(t.sound(looked))]),
    ...aside.map((path) => note(t.setAside(path))),
  ];
}

/** A damaged database is treated as any damaged file is. */
function storeFinding(error: FlowerError, t: DoctorTexts): Finding {
  const { damaged, path } = error.data;
  if (damaged !== true || typeof path !== "string") return errorFinding(error);
  return wrong(t.damaged(path, errorText(error.cause ?? error)));
}

/** What keeps commands in, and the process tree together. */
export function checkContainment(sandbox: CommandSandbox, t: DoctorTexts): Finding[] {
  return [sandbox.works ? ok(t.sandbox) : note(t.noSandbox(sandbox.missing))];
}
