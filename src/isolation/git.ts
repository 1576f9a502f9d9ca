import { execFile, spawnSync } from "node:child_process";
import { errorText } from "../core/errors.ts";

/** Environment of git: the run's own, for the person's settings and identity. */
export type GitEnv = Readonly<Record<string, string | undefined>>;

/** Where git runs, and how. */
export interface GitPlace {
  cwd: string;
  env: GitEnv;
  /** It is ended after this, ms. Default: it may take as long as it does. */
  timeoutMs?: number;
}

/** What a git command came to. */
export interface GitRun {
  ok: boolean;
  /** Standard output, as it came. */
  out: string;
  /** Why it failed, in git's words, on one line; empty when it did not. */
  problem: string;
  /** There is no git. */
  missing: boolean;
}

/** A repository's settings name programs that git runs; none of them is asked for here. */
const TAME = [
  "--no-optional-locks",
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false"],
];

/** Variables that lead git elsewhere, as they are set within git's own hooks, and the endpoint's keys. */
const FOREIGN =
  /^(GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE|PREFIX)|ANTHROPIC_.*)$/;

/** A list of many thousand changed files, bytes. */
const MAX_BUFFER = 256 * 1024 ** 2;

function settings({ cwd, env, timeoutMs = 0 }: GitPlace) {
  const own = Object.entries(env).filter(([name]) => !FOREIGN.test(name));
  return {
    cwd,
    env: { ...Object.fromEntries(own), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" },
    encoding: "utf8",
    maxBuffer: MAX_BUFFER,
    timeout: timeoutMs,
  } as const;
}

/** Runs git in a directory and waits for it. For questions at the start, which take milliseconds. */
export function gitNow(place: GitPlace, ...args: readonly string[]): GitRun {
  const { status, stdout, stderr, error } = spawnSync("git", [...TAME, ...args], settings(place));
  const ok = status === 0;
  const why = error === undefined ? stderr : errorText(error);
  return { ok, out: ok ? stdout : "", problem: ok ? "" : oneLine(why), missing: isMissing(error) };
}

/** Runs git in a directory. */
export async function git(place: GitPlace, ...args: readonly string[]): Promise<GitRun> {
  return new Promise((resolve) => {
    execFile("git", [...TAME, ...args], settings(place), (error, stdout, stderr) => {
      const ok = error === null;
      const why = stderr.trim() === "" ? (error?.message ?? "") : stderr;
      resolve({ ok, out: ok ? stdout : "", problem: ok ? "" : oneLine(why), missing: isMissing(error) });
    });
  });
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, " ");

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";
