import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SubagentSpec } from "../../src/core/spec.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { call, say, together, type FixedReply, type RehearsalRequest } from "../../src/testing/index.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";
import { main, stage, sub, type Stage } from "../support/stage.ts";

/** Runs git in a directory, as somebody with a name. */
export const git = (dir: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...words], {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** A home and a repository with one commit in it; the names have a space, a quote and CJK. */
export async function repository(): Promise<{ base: string; ws: string; home: string; bench: string }> {
  const base = await tempDir("flower's 花");
  const [ws, home, bench] = [join(base, "my 项目"), join(base, "home"), join(base, ".flower-my 项目")];
  mkdirSync(home);
  mkdirSync(ws);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = me\n\temail = me@localhost\n");
  git(ws, "init", "-q", "-b", "main");
  mkdirSync(join(ws, "src"));
  writeFileSync(join(ws, "src/a.txt"), "one\n");
  writeFileSync(join(ws, ".gitignore"), "ignored/\n");
  git(ws, "add", "-A");
  git(ws, "commit", "-qm", "start");
  return { base, ws, home, bench };
}

/** Everything of a checkout that an isolated worker must leave alone, its files byte by byte. */
export function checkoutOf(ws: string): Record<string, string> {
  const files = readdirSync(ws, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(ws, ".git/")) && !path.startsWith(join(ws, "runs/")));
  const hash = createHash("sha256");
  for (const path of [
    ...files,
    join(ws, ".git/index"),
    join(ws, ".git/HEAD"),
    join(ws, ".git/config"),
  ].sort())
    hash.update(path).update(readFileSync(path));
  return {
    files: hash.digest("hex"),
    status: git(ws, "--no-optional-locks", "status", "--porcelain"),
    stash: git(ws, "stash", "list"),
    main: git(ws, "rev-parse", "main"),
    branches: git(ws, "for-each-ref", "--format=%(refname) %(objectname)", "refs/tags", "refs/heads/[!f]*"),
  };
}

/** What a scripted worker does, call by call, by the first word of its task. */
export type Plays = Readonly<Record<string, (request: RehearsalRequest) => readonly FixedReply[]>>;

/** All text that a request brings. */
export const saidIn = ({ messages }: RehearsalRequest): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text }) => String(text)),
    )
    .join("\n");

/** The worktree that a worker was told of. */
export const placeOf = (request: RehearsalRequest): string =>
  /worktree of your own: (.*?), on branch/.exec(saidIn(request))?.[1] ?? "";

export const ISOLATED = worker("Works in its own worktree.", "You work.", { isolate: true });

/** A coordinator that sends one agent a play, side by side, then says done. */
export async function perform(
  place: { ws: string; home: string },
  plays: Plays,
  options: Partial<RuntimeOptions> = {},
  agents: Readonly<Record<string, SubagentSpec>> = { coder: ISOLATED },
  rounds: ReadonlyArray<ReadonlyArray<readonly [agent: string, play: string, more?: object]>> = [
    Object.keys(plays).map((play) => ["coder", play] as const),
  ],
): Promise<Stage & { told: string[]; run(): ReturnType<Stage["runtime"]["run"]> }> {
  const told: string[] = [];
  const at = await stage(
    [
      main((request) => {
        told.push(...request.toolResults.map(({ text }) => text));
        const round = rounds[request.turnCount];
        if (round === undefined) return say("done");
        return together(
          ...round.map(([subagent_type, play, more = {}]) =>
            call("Agent", { description: play, prompt: `${play} it`, subagent_type, ...more }),
          ),
        );
      }),
      sub((request) => {
        const play = plays[request.firstUserText.split(" ")[0] ?? ""]?.(request) ?? [];
        return play[request.turnCount] ?? say(`report of ${request.firstUserText}`);
      }),
    ],
    { workspace: place.ws, isolate: true, ...options },
    {},
    { HOME: place.home },
  );
  const spec = { ...coordinator("work", "", agents), model: "claude-opus-5" };
  onCleanup(async () => at.runtime.close());
  return { ...at, told, run: async () => at.runtime.run(spec, "do it") };
}

export const bash = (command: string): FixedReply => call("Bash", { command });
