import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/testing/index.ts";
import { flower, type Ran } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";

/** With a home of its own, and a key that nothing knows. */
const flowerAt = async (
  home: string,
  args: readonly string[],
  extra: Record<string, string> = {},
): Promise<Ran> =>
  flower(args, {
    ANTHROPIC_API_KEY: "sk-test-not-a-real-key",
    ...extra,
    HOME: home,
    XDG_CONFIG_HOME: "",
  });

/** One line, and nothing on disk but what was there. */
async function expectRefused(ran: Ran, code: number, message: RegExp, home: string, there: string[]) {
  expect(ran.err).toMatch(/^flower: [^\n]*\n$/);
  expect(ran.err).toMatch(message);
  expect(ran).toMatchObject({ code, out: "" });
  expect((await readdir(home)).sort()).toEqual(there);
}

describe("refused before anything is said or made", () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ["the workspace as run directory", ["x", "-r", "."], {}, /it is the workspace/],
    ["its parent", ["x", "-r", ".."], {}, /holds the workspace/],
    ["git's directory", ["x", "-r", ".git"], {}, /\.git is not for that.*--run-dir/],
    ["a place in it", ["x", "-r", "sub/../.GIT/runs"], {}, /\.GIT is not for that/],
    ["a link to it", ["x", "-r", "link"], {}, /\.git is not for that/],
    ["the workbench", ["x", "-r", "./.flower"], {}, /\.flower is not for that/],
    ["a place in it, of once", ["once", "x", "-r", ".flower/runs"], {}, /\.flower is not for that/],
    ["a bad FLOWER_WINDOW", ["x"], { FLOWER_WINDOW: "abc" }, /FLOWER_WINDOW.*"abc".*unset it/],
    ["the same of once", ["once", "x"], { FLOWER_WINDOW: "0" }, /FLOWER_WINDOW/],
    [
      "run without a workflow",
      ["run"],
      {},
      /missing.*workflow.*flower help run; .*flower "run …".*flower go run/,
    ],
  ])("%s", async (_name, args, extra, message) => {
    const home = await tempDir();
    await mkdir(join(home, ".git"));
    await symlink(".git", join(home, "link"));
    const at = args[0] === "run" ? args : [...args, "-w", home];
    await expectRefused(await flowerAt(home, at, extra), 2, message, home, [".git", "link"]);
  });

  it.each(["runs", "runs/deeper"])("a file in the way of the run directory %s", async (runDir) => {
    const home = await tempDir();
    await writeFile(join(home, "runs"), "mine");
    const ran = await flowerAt(home, ["x", "-w", home, "-r", runDir]);
    await expectRefused(ran, 1, /\/runs is a file -- move it away/, home, ["runs"]);
  });

  it("by the demo, which then makes no sample files either", async () => {
    const home = await tempDir();
    const ran = await flowerAt(home, ["demo", "-w", join(home, "new"), "-r", ".git"]);
    await expectRefused(ran, 2, /\.git is not for that/, home, []);
  });
});

describe("once --resume", () => {
  it("refuses an id that nobody knows in one line, and starts nothing", async () => {
    const home = await tempDir();
    const rehearsal = await rehearse({
      scenario: { name: "once", actors: [{ name: "any", when: () => true, script: () => say("done") }] },
    });
    const once = async (...args: string[]): Promise<Ran> =>
      flowerAt(home, ["once", "go on", "-w", home, ...args], {
        ...rehearsal.env,
        ANTHROPIC_MODEL: "claude-opus-5",
      });
    const unknown = "11111111-2222-4333-8444-555555555555";
    for (const id of [unknown, "the last one"]) {
      const ran = await once("--resume", id);
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toMatch(/^flower: [^\n]*session:[^\n]*manifest\.json[^\n]*\n$/);
      expect(ran.err).toContain(`no session ${id} in ${join(home, "runs")}`);
    }
    expect(rehearsal.journal).toEqual([]);

    // One that is known goes on, also when only the store still knows it.
    const [, known = ""] = /^session: (\S+)$/m.exec((await once()).err) ?? [];
    await writeFile(join(home, "runs/manifest.json"), "[]\n");
    const ran = await once("--resume", known);
    expect(ran, ran.err).toMatchObject({ code: 0, out: "done\n" });
    expect(ran.err).toContain(`session: ${known}`);
    // What nobody could go on in is not offered.
    const at = ["--resume", known, "--fork", "--resume-at", unknown];
    const nowhere = await once(...at);
    expect(nowhere, nowhere.err).toMatchObject({ code: 1 });
    expect(nowhere.err).not.toContain("go on with");
  }, 60_000);
});
