import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GLANCE_TABLE } from "../src/context/glance-table.ts";
import { isGlance } from "../src/context/glance.ts";
import { seeded } from "../test/context/random-transcript.ts";

/** Random commands that are tried; about one in five is a glance and is run. */
const TRIES = 10_000;

/** Programs that look, without those that ask other machines or would print what the machine's owner has. */
const PROGRAMS = [...GLANCE_TABLE.keys()].filter(
  (name) => !/^(hostname|ps|pgrep|gh|kubectl|npm|pnpm|yarn)$/.test(name),
);
const SUBCOMMANDS =
  "status log diff show rev-list shortlog blame rev-parse merge-base ls-files ls-tree for-each-ref show-ref name-rev describe count-objects check-ignore cat-file grep branch tag reflog remote config stash worktree version".split(
    " ",
  );
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0");
const LONG =
  "output=o output o list delete all force edit add get unset set file=o reverse check follow pre=./run compress-program=./run ext-diff textconv exec=./run in-place null-data text quiet no-index cached stat name-only contains merged sort=refname format=%H files count json".split(
    " ",
  );
const OPERANDS = [
  "f", "o", "new", "sub", "sub/g", ".", "1", "5", "+1", "HEAD", "main", "HEAD~0", "v9", "show", "expire", "list", "get",
  "a.b", "user.name", "''", "'s/a/b/'", "'s/a/b/w o'", "'w o'", "p", "'1e touch o'", "'{print}'",
  `'BEGIN{print "x" > "o"}'`, `'BEGIN{system("touch o")}'`, ".a", "'*'", "-delete", "-print", "-name", "-type", "-fprint",
  "-exec ./run \\;", "-o", "'a*'", "--", "./run", "-newer f", "-maxdepth 1", "| sort", "| uniq", "| head -2", "&& ls", "; pwd",
]; // prettier-ignore

let dir: string;
/** Where programs may note that they ran for the first time. */
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "flower-glance-home-"));
  dir = mkdtempSync(join(tmpdir(), "flower-glance-runs-"));
  mkdirSync(join(dir, "sub"));
  for (const [name, text] of [
    ["f", "a b\nb c\n"],
    ["sub/g", "g\n"],
    ["a.json", '{"a":1}'],
  ] as const)
    writeFileSync(join(dir, name), text);
  writeFileSync(join(dir, "run"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  symlinkSync("f", join(dir, "link"));
  const git = "git -c user.name=n -c user.email=e@example.org";
  spawnSync(
    "sh",
    ["-c", `git init -q -b main && ${git} add . && ${git} commit -qm x && ${git} tag v1 && git stash list`],
    { cwd: dir },
  );
  writeFileSync(join(dir, "f"), "a b\nb c\nd e\n");
});
afterAll(() => {
  for (const made of [dir, home]) rmSync(made, { recursive: true, force: true });
});

/** Every file with what is in it; git refreshes its own notes of file times whenever it looks. */
function snapshot(): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path }) => !path.endsWith("/.git/index"))
    .map(({ path, isFile }) => (isFile ? `${path} ${readFileSync(path, "latin1")}` : path))
    .sort();
}

it("what is taken for a glance changes nothing when it runs", () => {
  const seed = Date.now();
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const word = (): string => {
    const kind = random();
    if (kind < 0.25) return `-${pick(LETTERS)}${random() < 0.3 ? pick(LETTERS) : ""}`;
    return kind < 0.4 ? `--${pick(LONG)}` : pick(OPERANDS);
  };
  const before = snapshot();
  let ran = 0;
  for (let n = 0; n < TRIES; n += 1) {
    const program = random() < 0.4 ? `git ${pick(SUBCOMMANDS)}` : pick(PROGRAMS);
    const wrapped = random() < 0.05 ? `timeout 1 ${program}` : program;
    const command = [wrapped, ...Array.from({ length: Math.floor(random() * 4) }, word)].join(" ");
    if (!isGlance(command)) continue;
    ran += 1;
    spawnSync("bash", ["-c", command], {
      cwd: dir,
      timeout: 3_000,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" },
    });
    expect(snapshot(), `${command} (seed ${seed})`).toEqual(before);
  }
  expect(ran).toBeGreaterThan(TRIES / 20);
});
