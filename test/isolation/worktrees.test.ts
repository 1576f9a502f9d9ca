import { LONG, rows } from "../support/long.ts";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bubblewrapWorks } from "../../src/harness/sandbox.ts";
import { merger } from "../../src/roles/roles.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import { call, type RehearsalRequest } from "../../src/testing/index.ts";
import { bash, checkoutOf, git, ISOLATED, perform, placeOf, repository, saidIn } from "./stage.ts";

/** Files in a directory, sorted; none when it is not there. */
const listed = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir).sort() : []);

/** Branches of workers, and worktrees beside the checkout. */
const traces = (ws: string) => ({
  branches: git(ws, "for-each-ref", "--format=%(refname:short)", "refs/heads/flower").trim(),
  worktrees: git(ws, "worktree", "list", "--porcelain").split("\n\n").length - 2,
});

describe("isolated workers on the real harness", () => {
  it("change the same file side by side; both branches are kept, the checkout is as it was", async () => {
    const place = await repository();
    const { ws, bench } = place;
    // A person in the middle of something: stashed, staged, changed, new.
    writeFileSync(join(ws, "src/mine.txt"), "stashed\n");
    git(ws, "stash", "push", "-q", "-u");
    writeFileSync(join(ws, "src/staged.txt"), "staged\n");
    git(ws, "add", "-A");
    writeFileSync(join(ws, "src/a.txt"), "person\n");
    writeFileSync(join(ws, "src/new.txt"), "new\n");
    const before = checkoutOf(ws);
    const toldPlaces = new Set<string>();
    const edit = (word: string) => (request: RehearsalRequest) => {
      toldPlaces.add(placeOf(request));
      return [
        bash("pwd; git branch --show-current; cat src/a.txt; ls src"),
        call("Grep", { pattern: "one", output_mode: "content" }),
        call("Read", { file_path: join(placeOf(request), "src/a.txt") }),
        call("Edit", { file_path: join(placeOf(request), "src/a.txt"), old_string: "one", new_string: word }),
        bash(`git add -A && git commit -qm '${word} it' && echo more > src/${word}.txt`),
      ];
    };
    const { run, seen, told } = await perform(place, { left: edit("left"), right: edit("right") });
    const { worktrees, ...result } = await run();
    expect(result).toMatchObject({ ok: true, text: "done" });
    expect(checkoutOf(ws)).toEqual(before);
    expect(existsSync(join(ws, ".claude"))).toBe(false);
    expect(existsSync(join(ws, ".flower"))).toBe(false);

    const dir = join(bench, "worktrees");
    expect(worktrees).toHaveLength(2);
    for (const row of worktrees) {
      const word = row.description ?? "";
      expect(["left", "right"]).toContain(word);
      expect(row).toEqual({
        dispatch: row.dispatch,
        description: word,
        path: join(dir, row.dispatch),
        branch: `flower/${row.dispatch}/work`,
        base: git(ws, "rev-parse", "main").trim(),
        commits: 1,
        changedFiles: 2,
        state: "kept",
      });
      // Fails when the worker must find out by itself where it is.
      expect(toldPlaces).toContain(row.path);
      expect(git(ws, "show", `${row.branch}:src/a.txt`)).toBe(`${word}\n`);
      expect(readFileSync(join(row.path, `src/${word}.txt`), "utf8")).toBe("more\n");
      const report = told.find((text) => text.includes(`report of ${word}`)) ?? "";
      // Fails when a merge that brings in only the half is all that the coordinator is told.
      expect(report).toMatch(/2 files changed, 1 commit since .*1 file is not committed/s);
      expect(report).toContain(row.branch);
      expect(report).toContain(row.path);
    }
    expect(readManifest(join(ws, "runs"))[0]?.["worktrees"]).toEqual(worktrees);
    // What they saw: their own place, the commit, and nothing of what is not committed.
    const [first = ""] = seen.ofType("toolResult").map(({ text }) => text);
    expect(first).toMatch(/^\S.*\.flower-my 项目\/worktrees\/a\w+\nflower\/a\w+\/work\none\na\.txt$/s);
    expect(seen.ofType("toolResult").filter(({ name }) => name === "Grep")[0]?.text).toMatch(/a\.txt:1:one/);
    const said = seen.ofType("system").map(({ message }) => message);
    expect(said.filter((text) => /start from the last commit/.test(text))).toHaveLength(1);
    expect(said.filter((text) => /^branch flower\/.* 2 files changed, 1 commit$/.test(text))).toHaveLength(2);
  }, 60_000);

  // Fails when a clean tree is taken for an empty one: the commit would go with the branch.
  it.runIf(LONG)("who committed everything keeps the branch", async () => {
    const place = await repository();
    const { run, told } = await perform(place, {
      commit: () => [bash("echo two > src/b.txt; git add -A; git commit -qm two; git status --short")],
    });
    const { worktrees } = await run();
    expect(worktrees).toMatchObject([{ commits: 1, changedFiles: 1, state: "kept" }]);
    expect(git(place.ws, "show", `${worktrees[0]?.branch ?? ""}:src/b.txt`)).toBe("two\n");
    expect(told[0]).toMatch(/1 file changed, 1 commit since/);
    expect(told[0]).not.toMatch(/not committed/);
  });

  it("who changed nothing leaves no trace; what git ignores is no change", async () => {
    const place = await repository();
    const { ws, bench } = place;
    // Git makes an empty list of packed branches when it deletes one.
    git(ws, "pack-refs", "--all");
    const git0 = listed(join(ws, ".git"));
    const { run, told, seen } = await perform(place, {
      look: () => [bash("mkdir ignored; echo x > ignored/x; git log --oneline; git status --short")],
    });
    const { worktrees } = await run();
    expect(worktrees).toEqual([]);
    expect(traces(ws)).toEqual({ branches: "", worktrees: 0 });
    expect(listed(join(bench, "worktrees"))).toEqual([]);
    expect(listed(join(ws, ".git"))).toEqual(git0);
    expect(listed(join(ws, "runs/worktrees"))).toEqual([]);
    expect(told[0]).toMatch(/held no change and is gone/);
    expect(told[0]).not.toMatch(/worktreePath/);
    expect(seen.ofType("system")).toEqual([]);
  });

  const KEPT: [string, (id: string) => string, (ws: string) => void][] = [
    // Settings of the person that hide new files: a worktree with one would pass for an empty one.
    [
      "a new file that settings hide",
      () => "echo x > new.txt",
      (ws) => git(ws, "config", "status.showUntrackedFiles", "no"),
    ],
    [
      "a commit on no branch",
      () => "git switch -q --detach && echo x > b && git add b && git commit -qm x",
      () => undefined,
    ],
    [
      "a commit on a second branch of its own",
      (id) =>
        `git switch -qc flower/${id}/second && echo x > b && git add b && git commit -qm x && git switch -q -`,
      () => undefined,
    ],
    ["a commit without a change", () => "git commit -qm x --allow-empty", () => undefined],
  ];
  it.each(rows(KEPT, ([name]) => /hide|no branch/.test(name)))(
    "%s is kept",
    async (_name, command, prepare) => {
      const place = await repository();
      prepare(place.ws);
      const { run } = await perform(place, {
        work: (request) => [bash(command(basename(placeOf(request))))],
      });
      const { worktrees } = await run();
      expect(worktrees).toMatchObject([{ state: "kept" }]);
      expect(existsSync(worktrees[0]?.path ?? "")).toBe(true);
      expect(traces(place.ws).worktrees).toBe(1);
    },
  );

  // Fails when the harness gets to see the whole command: it refuses what is long or has many mounts (0.3.332).
  it.runIf(LONG)(
    "run any command, however long it is and however many other worktrees there are",
    async () => {
      const place = await repository();
      for (let i = 0; i < 60; i += 1)
        mkdirSync(join(place.bench, `worktrees/other-worktree-${i}`), { recursive: true });
      const text = "two 花 ' \" $x\n".repeat(2_000);
      const { run, seen } = await perform(place, {
        work: () => [bash(`cat > long.txt <<'END'\n${text}END\npwd; wc -l <long.txt`)],
      });
      const { worktrees } = await run();
      expect(seen.ofType("toolResult")[0]?.text).toMatch(/\/worktrees\/a\w+\n2000$/);
      expect(readFileSync(join(worktrees[0]?.path ?? "", "long.txt"), "utf8")).toBe(text);
      expect(listed(join(place.ws, "runs/commands"))).toEqual([]);
    },
  );

  it("are kept out of the checkout, and told their own path", async () => {
    const place = await repository();
    const { ws, bench } = place;
    const before = checkoutOf(ws);
    const file = join(ws, "src/a.txt");
    const { run, seen } = await perform(place, {
      stray: (request) => [
        call("Read", { file_path: file }),
        call("Edit", { file_path: file, old_string: "one", new_string: "two" }),
        call("Write", { file_path: join(ws, "new.txt"), content: "x" }),
        bash(`echo x > '${ws.replaceAll("'", `'\\''`)}/new.txt'`),
        bash("git stash"),
        bash("git branch other"),
        bash(`cd "${ws}" && git add -A`),
        call("Write", { file_path: join(bench, "notes/found.md"), content: "found\n" }),
        call("Write", { file_path: join(placeOf(request), "mine.txt"), content: "mine\n" }),
      ],
    });
    const { refusals, worktrees } = await run();
    expect(checkoutOf(ws)).toEqual(before);
    // The harness itself refuses Edit and Write there, before any hook (0.3.332).
    expect(refusals).toBe(4);
    const results = seen.ofType("toolResult").map(({ text }) => text);
    const own = worktrees[0]?.path ?? "";
    for (const refused of results.slice(1, 3)) expect(refused).toContain(`isolated in the worktree ${own}`);
    expect(results[3]).toMatch(/belongs to the workspace that all share/);
    expect(results[3]).toContain(`Yours is ${join(own, "new.txt")}`);
    for (const refused of results.slice(4, 7)) expect(refused).toMatch(/belong to everyone/);
    expect(readFileSync(join(bench, "notes/found.md"), "utf8")).toBe("found\n");
    expect(worktrees).toMatchObject([{ changedFiles: 1, commits: 0 }]);
  });

  it.runIf(LONG)("work in a workspace that is a linked worktree itself", async () => {
    const place = await repository();
    const linked = join(place.base, "linked 树");
    git(place.ws, "worktree", "add", "-q", "-b", "topic", linked);
    appendFileSync(join(linked, "src/a.txt"), "topic\n");
    git(linked, "commit", "-qam", "topic");
    const { run } = await perform(
      { ...place, ws: linked },
      {
        work: () => [bash("cat src/a.txt; echo x > b; git add b; git commit -qm x")],
      },
    );
    const { worktrees } = await run();
    expect(worktrees).toMatchObject([{ base: git(linked, "rev-parse", "topic").trim(), commits: 1 }]);
    expect(worktrees[0]?.path).toContain(join(place.base, ".flower-linked 树/worktrees"));
    expect(git(linked, "status", "--porcelain")).toBe("");
  });

  it.runIf(LONG)(
    "is asked for by the type alone: the model's own wish for isolation makes no worktree in the checkout",
    async () => {
      const place = await repository();
      const { run } = await perform(
        place,
        { plain: () => [bash("pwd; echo x > made.txt")] },
        {},
        { coder: ISOLATED, plain: merger() },
        [[["plain", "plain", { isolation: "worktree" }]]],
      );
      expect((await run()).worktrees).toEqual([]);
      expect(readFileSync(join(place.ws, "made.txt"), "utf8")).toBe("x\n");
      expect(existsSync(join(place.ws, ".claude"))).toBe(false);
      expect(traces(place.ws)).toEqual({ branches: "", worktrees: 0 });
    },
  );

  it("a worktree that cannot be made fails its dispatch alone, with the reason", async () => {
    const place = await repository();
    mkdirSync(join(place.bench, "worktrees"), { recursive: true });
    const { run, told, rehearsal } = await perform(
      place,
      {
        first: () => [bash("echo x > b")],
        second: () => [bash("echo never")],
      },
      {
        onEvent: (event) => {
          // Between the two dispatches the workspace goes to a branch without a commit.
          if (event.type === "toolResult" && event.name === "Agent")
            git(place.ws, "symbolic-ref", "HEAD", "refs/heads/unborn");
        },
      },
      { coder: ISOLATED },
      [[["coder", "first"]], [["coder", "second"]]],
    );
    const { ok, worktrees } = await run();
    expect(ok).toBe(true);
    expect(worktrees).toMatchObject([{ description: "first", state: "kept" }]);
    expect(told[1]).toMatch(/WorktreeCreate hook failed/);
    const why = /no worktree could be made: /;
    expect(JSON.stringify(rehearsal.body(rehearsal.journal.length - 1).messages)).toMatch(why);
  });

  describe("and their branches", () => {
    const agents = { coder: ISOLATED, merger: merger() };

    it("are merged by an agent in the workspace, then removed; the coordinator was told by whom", async () => {
      const place = await repository();
      const { ws } = place;
      let branch = "";
      const { run, told, seen } = await perform(
        place,
        {
          make: () => [bash("echo two > src/b.txt; git add -A; git commit -qm two; echo three > src/c.txt")],
          merge: (request) => {
            const path = /worktree (\S.*?)\): /.exec(told[0] ?? "")?.[1] ?? "";
            branch = /flower\/a\w+\/work/.exec(told[0] ?? "")?.[0] ?? "";
            expect(saidIn(request)).not.toMatch(/worktree of your own/);
            return [
              bash(`pwd; git -C "${path}" add -A && git -C "${path}" commit -qm three`),
              bash(`git merge --no-edit ${branch} && git log --oneline | wc -l && cat src/b.txt src/c.txt`),
              bash(`git worktree remove --force "${path}"`),
              bash(`git branch -D ${branch}`),
            ];
          },
        },
        {},
        agents,
        [[["coder", "make"]], [["merger", "merge"]]],
      );
      const { worktrees, refusals } = await run();
      expect(told[0]).toMatch(/send `merger` to run `git merge flower\/a\w+\/work`/);
      // Fails when the one who merges may throw away what is not merged.
      expect(refusals).toBe(2);
      expect(worktrees).toMatchObject([{ branch, commits: 1, changedFiles: 2, state: "merged" }]);
      expect(readFileSync(join(ws, "src/c.txt"), "utf8")).toBe("three\n");
      expect(git(ws, "status", "--porcelain")).toBe("");
      expect(traces(ws)).toEqual({ branches: "", worktrees: 0 });
      expect(
        seen
          .ofType("system")
          .map(({ message }) => message)
          .join("\n"),
      ).toMatch(/has all that it held/);
    });

    it.runIf(LONG)("are told to the next session while they are not merged", async () => {
      const place = await repository();
      const first = await perform(place, { make: () => [bash("echo two > src/b.txt")] }, {}, agents);
      await first.run();
      await first.runtime.close();
      const second = await perform(place, {}, {}, agents, []);
      const result = await second.run();
      expect(result.worktrees).toEqual([]);
      const body = JSON.stringify(second.rehearsal.body(0).messages);
      expect(body).toMatch(/Work of isolated agents that is not in the workspace yet:/);
      expect(body).toMatch(/flower\/a\w+\/work .*1 file changed, 0 commits/);
    });
  });
});

// Fails when only the words of a command are looked at: what a program does is not in them.
describe.runIf(bubblewrapWorks())("a program that an isolated worker runs", () => {
  it("writes its worktree, its own branch and the workbench, and nothing else of the repository", async () => {
    const place = await repository();
    const { ws, bench, home } = place;
    const before = checkoutOf(ws);
    const script = [
      "import os, subprocess, sys",
      "ws, bench, temp = sys.argv[1:]",
      "def attempt(name, act):",
      "    try: act(); print(name, 'WROTE')",
      "    except OSError as e: print(name, type(e).__name__, e.errno)",
      "def git(*words): return subprocess.run(['git', *words], capture_output=True, text=True)",
      "for path in ['src/a.txt', 'new.txt', '.git/index', '.git/HEAD', '.git/config', '.git/hooks/pre-commit', '.git/refs/heads/main', '.git/refs/heads/new', '.git/packed-refs', '.git/refs/stash', 'runs/x']:",
      "    attempt(path, lambda: open(os.path.join(ws, path), 'a').write('x'))",
      "attempt('another worktree', lambda: open(os.path.join(bench, 'worktrees/b1/x'), 'w'))",
      "attempt('own .git', lambda: open('.git', 'a').write('x'))",
      "for path in ['made.txt', os.path.join(bench, 'artifacts/out.txt'), os.path.join(temp, 'flower-isolation-probe')]:",
      "    attempt('own ' + path.split('/')[-1], lambda: open(path, 'w').write('x'))",
      "os.remove(os.path.join(temp, 'flower-isolation-probe'))",
      "open('src/a.txt', 'a').write('changed')",
      "for words in [['stash'], ['branch', 'stolen'], ['tag', 'v1'], ['update-ref', 'refs/heads/main', 'HEAD~0'], ['-C', ws, 'add', '-A'], ['-C', ws, 'commit', '-am', 'x']]:",
      "    print('git', words[-1], 'FAILED' if git(*words).returncode else 'ran')",
      "print('commit', git('add', '-A').returncode, git('commit', '-qm', 'by a program').returncode, git('gc', '--auto').returncode)",
    ].join("\n");
    mkdirSync(join(bench, "worktrees/b1"), { recursive: true });
    writeFileSync(join(home, "try.py"), script);
    const { run, seen } = await perform(place, {
      work: () => [
        bash(`python3 "${join(home, "try.py")}" "${ws}" "${bench}" "${tmpdir()}"`),
        bash("git log --format=%s -1"),
      ],
    });
    const { worktrees } = await run();
    const [tried = "", log] = seen.ofType("toolResult").map(({ text }) => text);
    const lines = tried.split("\n");
    expect(lines.filter((line) => / WROTE$/.test(line)).map((line) => line.split(" ")[1])).toEqual([
      "made.txt",
      "out.txt",
      "flower-isolation-probe",
    ]);
    expect(lines.filter((line) => / OSError 30$/.test(line))).toHaveLength(13);
    expect(lines.filter((line) => /^git .* ran$/.test(line))).toEqual([]);
    expect(lines.at(-1)).toBe("commit 0 0 0");
    expect(log).toBe("by a program");
    expect(worktrees).toMatchObject([{ commits: 1, changedFiles: 2 }]);
    expect(checkoutOf(ws)).toEqual(before);
  });
});
