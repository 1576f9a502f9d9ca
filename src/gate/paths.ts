import { posix } from "node:path";
import { expandBraces, fold, hasPattern, isWithin, mayMean, segmentMatches } from "./path-pattern.ts";
import { walkPath } from "./path-walk.ts";
import type { GatePolicy, IsolationRules, Refusal, PathRule } from "./policy.ts";

/** A path in a tool call or command, as far as it is known. */
export interface NamedPath {
  readonly text: string;
  /** Braces in it are to be expanded. Default false. */
  readonly braces?: boolean;
}

/** What a policy says about paths. */
export interface PathRules {
  /** Absolute and normalised, `~` filled in; several when there are braces, as it is written when they make too many. */
  resolve(path: NamedPath, cwd: string): string[];
  /**
   * Where a path leads when links in it are followed, those that a pattern matches too; nothing for a pattern that
   * matches nothing, undefined for one that matches too much or for too many braces.
   */
  follow(path: NamedPath & { patterns: boolean }, cwd: string): readonly string[] | undefined;
  /** In the workspace, workbench, a temp directory or a worktree. */
  isInside(absolute: string): boolean;
  /** In the workspace itself, not in an isolated worker's worktree. */
  isSharedCheckout(absolute: string): boolean;
  isCredential(absolute: string): boolean;
  /** Credential files that exist in a directory, or in those that a pattern means. */
  credentialsIn(directory: string): readonly KeptCredential[];
  /** Places in a directory, itself included, whose loss or change is to be judged; single files only if they exist. */
  keptIn(directory: string): readonly KeptPlace[];
  /** Whether something is known to be there. */
  isThere(absolute: string): boolean;
  /** Whether a longer text, such as a script in quotes, names a credential file by its absolute path. */
  mentionsCredential(text: string): boolean;
  /** Why it must not be read by a coordinator; by others only credentials matter. */
  readRefusal(absolute: string, rule: "glance-path" | "read-outside" | undefined): Refusal | undefined;
  /** Why it must not be written; `tree`: with all that is in it removed or moved away. */
  writeRefusal(absolute: string, options?: { tree?: boolean }): Refusal | undefined;
}

/** A credential file seen from a directory above it. */
export interface KeptCredential {
  readonly path: string;
  /** Names on the way from the directory to it, its own the last. */
  readonly names: readonly string[];
  readonly isDirectory: boolean;
}

/** A place that rules protect, or that lies on the way to one. */
export interface KeptPlace {
  readonly path: string;
  /** Names on the way from the directory to it; none for the directory itself. */
  readonly names: readonly string[];
  readonly kind: "d" | "f" | undefined;
}

/** Beneath the home directory; those with a slash are directories and count with all that is in them. */
const USUAL_CREDENTIALS = [
  ".ssh/",
  ".aws/",
  ".gnupg/",
  ".azure/",
  ".kube/",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".password-store/",
  ".docker/config.json",
  ".config/gh/",
  ".config/gcloud/",
  ".config/flower/",
  ".claude.json",
  ".claude/.credentials.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
];

/** Writable places that are no files. */
const DEVICE = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;
/** The environment of a process, credentials included. */
const ENVIRON = /^\/proc\/[^/]+\/(task\/[^/]+\/)?environ$/;

/** Files in the protected directories, for searches by name. */
const IN_GIT =
  "HEAD ORIG_HEAD FETCH_HEAD COMMIT_EDITMSG config description index index.lock packed-refs hooks hooks/pre-commit " +
  "hooks/pre-commit.sample info info/exclude logs logs/HEAD objects objects/pack objects/pack/pack-0.idx " +
  "objects/pack/pack-0.pack objects/0a/0a refs refs/heads refs/heads/main refs/heads/master refs/stash refs/tags";
const IN_RUN_DIR =
  "sessions.db sessions.db-wal manifest.json lineage.json lock.json events events/run.jsonl harness harness/x.jsonl " +
  "archive archive/brief.md archive/goal.md";
const IN_CREDENTIALS =
  "id_rsa id_ed25519 id_ecdsa config credentials known_hosts authorized_keys hosts.yml .env credentials.json tokens.json";
const IN_SPILL = "0123456789abcdef.txt";
const SETTINGS = [".mcp.json", ".claude/settings.json", ".claude/settings.local.json"];

/** Builds the path rules of a policy; `isolation` for a worker with a worktree of its own. */
export function createPathRules(policy: GatePolicy, isolation?: IsolationRules): PathRules {
  const real = policy.realpath ?? ((path: string) => path);
  const both = (path: string): string[] => [...new Set([path, real(path)])];
  const normal = (path: string): string => posix.resolve(path);
  const spread = (paths: readonly string[]): string[] => [...new Set(paths.map(normal).flatMap(both))];

  const workspaces = spread([policy.workspace]);
  const workbenches = spread(policy.workbench === undefined ? [] : [policy.workbench]);
  const worktrees = spread(policy.worktrees ?? []);
  const temps = spread(policy.tempDirs);
  const roots = [...workspaces, ...workbenches, ...worktrees, ...temps];
  const runDirs = spread([policy.runDir]);
  const spills = workbenches.map((dir) => `${dir}/spill`);
  const frozen = spread(policy.protectedFiles);
  const credentialDirs = new Set(
    spread(USUAL_CREDENTIALS.filter((name) => name.endsWith("/")).map((name) => `${policy.home}/${name}`)),
  );
  const credentials = spread([
    ...USUAL_CREDENTIALS.map((name) => `${policy.home}/${name}`),
    `${policy.workspace}/.env`,
    ...policy.credentialFiles,
  ]);
  const isAny = (places: readonly string[], path: string): boolean =>
    places.some((place) => isWithin(place, path));
  const meansAny = (places: readonly string[], path: string, tree: boolean): boolean =>
    places.some((place) => mayMean(path, place, tree));

  const isInside = (path: string): boolean => both(path).every((view) => isAny(roots, view));
  const isSharedCheckout = (path: string): boolean => isAny(workspaces, path) && !isAny(worktrees, path);
  const isCredential = (path: string): boolean =>
    both(path).some((view) => ENVIRON.test(view) || meansAny(credentials, view, false));

  const holdsSettings = (directory: string): boolean =>
    SETTINGS.some((name) => {
      const file = posix.basename(directory) === ".claude" ? posix.basename(name) : name;
      return policy.exists?.(`${directory}/${file}`) === true;
    });

  /** The protected kind that a path is of, or would take along. */
  const protectedKind = (path: string, tree: boolean): PathRule | undefined => {
    if (meansAny(credentials, path, tree) || ENVIRON.test(path)) return "credential";
    if (meansAny(runDirs, path, tree)) return "run-dir";
    if (meansAny(frozen, path, tree)) return "frozen-document";
    if (meansAny(spills, path, tree)) return "spill";
    if (policy.throwaway) return undefined;
    const place = [...workspaces, ...worktrees].find((root) => isWithin(root, path));
    if (place === undefined) return undefined;
    const names = fold(path.slice(place.length)).split("/");
    if (names.some((name) => segmentMatches(name, ".git"))) return "git-internals";
    const [folder = "", file = ""] = names.slice(-2);
    const settings = segmentMatches(folder, ".claude") && /^settings.*\.json$|[*?[]/.test(file);
    const taken = tree && ((names.length === 2 && segmentMatches(file, ".claude")) || holdsSettings(path));
    return segmentMatches(file, ".mcp.json") || settings || taken ? "harness-settings" : undefined;
  };

  const takesRoot = (path: string): boolean => {
    const whole = /^[.?]*\*[.?*]*$/.test(posix.basename(path)) ? posix.dirname(path) : path;
    // What an isolated worker left uncommitted is nowhere else.
    if (worktrees.includes(posix.dirname(whole))) return true;
    const depth = namesOf(whole).length;
    return roots.some((root) => namesOf(root).length >= depth && mayMean(whole, root, true));
  };

  const own = spread(isolation?.own === undefined ? [] : [isolation.own]);
  /** For an isolated worker: files of the shared checkout, and worktrees of others. */
  const foreignRefusal = (path: string): Refusal | undefined => {
    if (isolation === undefined || isAny(own, path)) return undefined;
    if (isAny(worktrees, path)) return { rule: "shared-checkout", reason: `${path} ${OTHERS_WORKTREE}` };
    const root = workspaces.find((place) => isWithin(place, path));
    if (root === undefined || isAny(workbenches, path)) return undefined;
    const copy = isolation.own === undefined ? "your worktree" : isolation.own + path.slice(root.length);
    return { rule: "shared-checkout", reason: `${path} ${WHY["shared-checkout"]} Yours is ${copy}.` };
  };

  const refusalOf = (path: string, tree: boolean): Refusal | undefined => {
    if (DEVICE.test(path)) return undefined;
    const foreign = foreignRefusal(path);
    if (foreign !== undefined) return foreign;
    if (tree && !policy.throwaway && takesRoot(path)) return because("remove-root", path);
    const kind = protectedKind(path, tree);
    if (kind !== undefined) return because(kind, path);
    return isAny(roots, path) ? undefined : because("write-outside", path);
  };

  /** Names behind a directory, which may be a pattern, when a path is in it. */
  const behind = (directory: string, path: string): readonly string[] | undefined => {
    const depth = namesOf(directory).length;
    const names = namesOf(path);
    return names.length >= depth && mayMean(directory, path, true) ? names.slice(depth) : undefined;
  };
  const credentialsIn = (directory: string): readonly KeptCredential[] =>
    both(directory).flatMap((view) => {
      const places = credentials.filter((path) => policy.exists?.(path) !== false);
      if (/^\/proc(\/[^/]*)?$|^\/$/.test(view)) places.push(`/proc/${namesOf(view)[1] ?? "self"}/environ`);
      return places.flatMap((path) => {
        const names = behind(view, path) ?? [];
        return names.length === 0 ? [] : [{ path, names, isDirectory: credentialDirs.has(path) }];
      });
    });

  const kept: readonly (readonly [string, KeptPlace["kind"]])[] = [
    ...roots.map((path) => [path, "d"] as const),
    ...frozen.map((path) => [path, "f"] as const),
    ...workspaces.flatMap((place) => withInner(`${place}/.git`, IN_GIT)),
    ...runDirs.flatMap((place) => withInner(place, IN_RUN_DIR)),
    ...spills.flatMap((place) => withInner(place, IN_SPILL)),
  ];
  const settings = workspaces.flatMap((place): (readonly [string, KeptPlace["kind"]])[] => [
    ...SETTINGS.map((name) => [`${place}/${name}`, undefined] as const),
    [`${place}/.claude`, "d"],
  ]);
  const keptIn = (directory: string): readonly KeptPlace[] => {
    const found = new Map<string, KeptPlace>();
    for (const view of both(directory)) {
      const secrets = credentialsIn(view).flatMap(({ path, isDirectory }) =>
        isDirectory ? withInner(path, IN_CREDENTIALS).map(([name]) => name) : [path],
      );
      const places = [
        ...kept,
        ...secrets.map((path) => [path, undefined] as const),
        ...settings.filter(([path]) => policy.exists?.(path) !== false),
      ];
      for (const [path, kind] of places) {
        const names = behind(view, path);
        if (names === undefined) continue;
        const depth = namesOf(path).length - names.length;
        names.forEach((_, i) => {
          const above = `/${namesOf(path)
            .slice(0, depth + i)
            .join("/")}`;
          if (!found.has(above)) found.set(above, { path: above, names: names.slice(0, i), kind: "d" });
        });
        found.set(path, { path, names, kind });
      }
    }
    return [...found.values()];
  };

  const view = {
    realpath: real,
    entries: policy.entries ?? (() => []),
    exists: policy.exists ?? (() => true),
  };
  /** Braces and the home directory written out; undefined when braces make too many words. */
  const spelled = ({ text, braces }: NamedPath): string[] | undefined =>
    (braces === true ? expandBraces(text) : [text])?.map((item) =>
      /^~(\/|$)/.test(item) ? policy.home + item.slice(1) : item,
    );

  return {
    isInside,
    isSharedCheckout,
    isCredential,
    credentialsIn,
    keptIn,
    isThere: (path) => policy.exists?.(path) === true,
    resolve: (path, cwd) => (spelled(path) ?? [path.text]).map((item) => posix.resolve(cwd, item)),
    follow: (path, cwd) => {
      const words = spelled(path);
      if (words === undefined) return undefined;
      const places: string[] = [];
      for (const item of words) {
        const found = walkPath(posix.isAbsolute(item) ? item : `${cwd}/${item}`, view, path.patterns);
        if (found === undefined) return undefined;
        places.push(...found);
      }
      return places;
    },
    mentionsCredential: (text) =>
      credentials.some((path) =>
        text
          .split(path)
          .slice(1)
          .some((behind) => !/^[\w.-]/.test(behind)),
      ),
    readRefusal: (path, rule) => {
      if (isCredential(path)) return because("credential", path);
      return rule === undefined || DEVICE.test(path) || isInside(path) ? undefined : because(rule, path);
    },
    writeRefusal: (path, { tree = false } = {}) => {
      for (const view of both(path)) {
        const refusal = refusalOf(view, tree);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
  };
}

const namesOf = (path: string): string[] => path.split("/").filter((name) => name !== "");

/** A directory and names in it, of which nobody knows what they are. */
const withInner = (directory: string, names: string): [string, KeptPlace["kind"]][] => [
  [directory, "d"],
  ...names.split(" ").map((name): [string, undefined] => [`${directory}/${name}`, undefined]),
];

const OTHERS_WORKTREE =
  "is in another agent's worktree. Work in your own, and say in your report what you would change there.";

const WHY: Readonly<Record<PathRule, string>> = {
  "shared-checkout": "belongs to the workspace that all share, and you have a worktree with a copy of it.",
  "glance-path":
    "lies outside the workspace, the workbench and the temp directory. Let a worker look there and report what matters.",
  "read-outside":
    "lies outside the workspace, the workbench and the temp directory. Let a worker read it and report what matters.",
  "write-outside":
    "lies outside the workspace, the workbench and the temp directory, and nothing may be written there. " +
    "Put it into one of these and say in your report where it should go.",
  "frozen-document":
    "is a frozen document: only flower and the person change it. Put what you found into your report or a new note.",
  "run-dir":
    "belongs to flower's own books of this run. Keep your files in the workspace or the workbench's artifacts.",
  spill: "holds stored tool results, which are read only. Write to the workbench's artifacts instead.",
  "git-internals":
    "is inside git's own files. Use git commands; for a setting of one command use `git -c key=value`.",
  "harness-settings":
    "configures the agent itself, so a tool must not change it. Say in your report what should be set there.",
  credential:
    "holds credentials, which stay out of every transcript. Let programs find them by themselves, " +
    "or say in your report what is missing.",
  "remove-root":
    "would go with everything in it. Name the files or directories that are really to be removed.",
};

/** A refusal about a path, with why and what to do instead. */
function because(rule: PathRule, path: string): Refusal {
  const reason = `${path} ${WHY[rule]}`;
  const pattern = hasPattern(path) ? " (as far as the pattern tells)" : "";
  return { rule, reason: reason + pattern };
}
