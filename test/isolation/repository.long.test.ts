import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FlowerError } from "../../src/core/errors.ts";
import { checkRepository } from "../../src/isolation/repository.ts";
import { coordinator } from "../../src/roles/roles.ts";
import { say } from "../../src/testing/index.ts";
import { flower } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main, stage } from "../support/stage.ts";
import { git, ISOLATED, repository } from "./stage.ts";

type Make = (place: Awaited<ReturnType<typeof repository>>) => string | Promise<string>;

/** What is in the way: how to make it, what is said, what to do. */
const REFUSED: ReadonlyArray<[string, Make, RegExp, RegExp]> = [
  ["no repository", async () => tempDir(), /not a git repository/, /git init/],
  [
    "a repository without a commit",
    async () => {
      const ws = await tempDir();
      git(ws, "init", "-q");
      return ws;
    },
    /has no commit yet/,
    /git commit -m/,
  ],
  [
    "a bare repository",
    async ({ ws }) => {
      const bare = join(await tempDir(), "bare");
      git(ws, "clone", "-q", "--bare", ".", bare);
      return bare;
    },
    /is a bare repository/,
    /--workspace/,
  ],
  ["git's own directory", ({ ws }) => join(ws, ".git"), /cannot be used as a git repository/, /isolation/],
  [
    "a directory in a repository",
    ({ ws }) => join(ws, "src"),
    /lies in the repository .*项目/,
    /--workspace .*项目/,
  ],
  [
    "a submodule",
    ({ base, ws }) => {
      const above = join(base, "above");
      mkdirSync(above);
      git(above, "init", "-q");
      git(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", ws, "part");
      return join(above, "part");
    },
    /is a submodule of .*above/,
    /clone of its own/,
  ],
  [
    "a branch in the way",
    ({ ws }) => {
      git(ws, "branch", "flower");
      return ws;
    },
    /a branch named flower/,
    /git branch -m flower/,
  ],
  [
    "a locked index",
    ({ ws }) => {
      writeFileSync(join(ws, ".git/index.lock"), "");
      return ws;
    },
    /locked: .*index\.lock/,
    /remove that file/,
  ],
  [
    "locked branches",
    ({ ws }) => {
      writeFileSync(join(ws, ".git/packed-refs.lock"), "");
      return ws;
    },
    /locked: .*packed-refs\.lock/,
    /remove that file/,
  ],
  [
    "a worktree whose repository is gone",
    ({ base, ws }) => {
      git(ws, "worktree", "add", "-q", join(base, "linked"));
      renameSync(ws, join(base, "moved"));
      return join(base, "linked");
    },
    /cannot be used as a git repository/,
    /isolation/,
  ],
];

function problemAt(
  workspace: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FlowerError {
  try {
    checkRepository(workspace, env);
  } catch (error) {
    if (FlowerError.is(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("isolation is refused", () => {
  it.each(REFUSED)("in %s", async (_name, make, message, nextStep) => {
    const place = await repository();
    const error = problemAt(await make(place));
    expect(error.code).toBe("workspace");
    expect(error.message).toMatch(/^workers cannot be isolated: /);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("\n");
    expect(error.nextStep).toMatch(nextStep);
  });

  it("without git", async () => {
    const { ws, home } = await repository();
    const error = problemAt(ws, { ...process.env, PATH: home });
    expect(error.message).toMatch(/git is not installed/);
    expect(error.nextStep).toMatch(/install git/);
  });

  // Fails when the check waits for the first dispatch: clarifying and setting a goal would be paid for by then.
  it("before the runtime makes anything, and before any request", async () => {
    const workspace = await tempDir();
    const rehearsal = await rehearse({ scenario: { name: "none", actors: [main([say("never")])] } });
    await expect(
      stage([], { workspace, isolate: true }, {}, rehearsal.env as Record<string, string>),
    ).rejects.toThrow(/not a git repository/);
    expect(rehearsal.journal).toEqual([]);
    expect(existsSync(join(workspace, "..", `.flower-${basename(workspace)}`))).toBe(false);
  });

  it("to a worker in a runtime that does not isolate", async () => {
    const { ws } = await repository();
    const { runtime, rehearsal } = await stage([main([say("never")])], { workspace: ws });
    const spec = coordinator("work", "", { coder: ISOLATED });
    await expect(runtime.run(spec, "do it")).rejects.toMatchObject({
      code: "usage",
      nextStep: expect.stringContaining("isolate: true") as string,
    });
    expect(rehearsal.journal).toEqual([]);
  });
});

describe("isolation is accepted", () => {
  it.each<[string, Make, object]>([
    ["in a repository", ({ ws }) => ws, { dirty: false, detached: false }],
    [
      "in a linked worktree",
      ({ base, ws }) => {
        git(ws, "worktree", "add", "-q", join(base, "linked"));
        return join(base, "linked");
      },
      { dirty: false },
    ],
    [
      "with new files, which is said",
      ({ ws }) => {
        writeFileSync(join(ws, "new.txt"), "");
        return ws;
      },
      { dirty: true },
    ],
    [
      "on no branch, which is said",
      ({ ws }) => {
        git(ws, "checkout", "-q", "--detach");
        return ws;
      },
      { detached: true },
    ],
    // Settings of git's own hooks, in which flower may be started.
    [
      "with git led elsewhere by the environment",
      ({ ws }) => {
        process.env["GIT_DIR"] = "/nowhere";
        return ws;
      },
      { root: expect.stringContaining("项目") as string },
    ],
  ])("%s", async (_name, make, found) => {
    const place = await repository();
    try {
      expect(checkRepository(await make(place), process.env)).toMatchObject(found);
    } finally {
      delete process.env["GIT_DIR"];
    }
  });
});

describe("flower --isolate", () => {
  const flowerAt = async (home: string, ...args: string[]) =>
    flower(args, { ANTHROPIC_API_KEY: "sk-test-not-a-real-key", HOME: home, XDG_CONFIG_HOME: "" });

  it("is refused in one line, with nothing made", async () => {
    const base = await tempDir();
    const ws = join(base, "ws");
    mkdirSync(ws);
    const ran = await flowerAt(base, "make x", "--isolate", "-w", ws);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(
      /^flower: workers cannot be isolated: [^\n]*not a git repository[^\n]*git init[^\n]*\n$/,
    );
    expect(readdirSync(base)).toEqual(["ws"]);
    expect(readdirSync(ws)).toEqual([]);
  });

  // Fails when the two places of the workbench are mixed: the brief would be in one, the session in the other.
  it.each([
    [
      "without it, after a run with it",
      "../.flower-my 项目/notes",
      [],
      /that run was isolated: go on with --isolate/,
    ],
    ["with it, after a run without it", ".flower/notes", ["--isolate"], /was not isolated: go on without/],
  ])("%s", async (_name, notes, args, message) => {
    const { ws, home } = await repository();
    mkdirSync(join(ws, notes), { recursive: true });
    writeFileSync(join(ws, notes, "brief.md"), "## Goal\n");
    symlinkSync(ws, join(home, "link"));
    const ran = await flowerAt(home, "go on", "-w", join(home, "link"), ...args);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(message);
    expect(existsSync(join(ws, "runs"))).toBe(false);
  });
});
