import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changedPaths, eachBounded, hashTree } from "../../src/workflow/tree-hash.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const tempDir = tempDirs();

function tree(): string {
  const dir = tempDir();
  mkdirSync(join(dir, "src/deep er"), { recursive: true });
  writeFileSync(join(dir, "src/a.ts"), "one");
  writeFileSync(join(dir, "src/deep er/文件.md"), "二");
  writeFileSync(join(dir, "big"), Buffer.alloc(3_000_000, 7));
  symlinkSync("src/a.ts", join(dir, "link"));
  mkdirSync(join(dir, "runs"));
  writeFileSync(join(dir, "runs/books.json"), "[]");
  return dir;
}

describe("hashTree", () => {
  it.each<[string, (dir: string) => void, string[]]>([
    ["nothing", () => undefined, []],
    ["times", (dir) => utimesSync(join(dir, "src/a.ts"), 1, 1), []],
    ["the same content, written again", (dir) => writeFileSync(join(dir, "src/a.ts"), "one"), []],
    ["other content of the same size", (dir) => writeFileSync(join(dir, "src/a.ts"), "two"), ["src/a.ts"]],
    [
      "a non-Latin name",
      (dir) => appendFileSync(join(dir, "src/deep er/文件.md"), "!"),
      ["src/deep er/文件.md"],
    ],
    [
      "the end of a large file",
      (dir) => writeFileSync(join(dir, "big"), Buffer.alloc(3_000_000, 7).fill(8, 2_999_999)),
      ["big"],
    ],
    ["a mode", (dir) => chmodSync(join(dir, "src/a.ts"), 0o755), ["src/a.ts"]],
    [
      "a link's target",
      (dir) => {
        rmSync(join(dir, "link"));
        symlinkSync("src/b.ts", join(dir, "link"));
      },
      ["link"],
    ],
    [
      "a link made into what it showed",
      (dir) => {
        rmSync(join(dir, "link"));
        writeFileSync(join(dir, "link"), "one");
      },
      ["link"],
    ],
    ["a name", (dir) => renameSync(join(dir, "src/a.ts"), join(dir, "src/b.ts")), ["src/a.ts", "src/b.ts"]],
    ["an empty directory", (dir) => mkdirSync(join(dir, "new")), ["new"]],
    ["what is excluded", (dir) => writeFileSync(join(dir, "runs/more.json"), "[]"), []],
  ])("notices a change of %s as it should", async (_, change, expected) => {
    const dir = tree();
    const exclude = [join(dir, "runs")];
    const before = await hashTree(dir, exclude);
    change(dir);
    expect(changedPaths(before, await hashTree(dir, exclude))).toEqual(expected);
    expect(before.size).toBe(6);
  });

  it("excludes a directory that comes to exist, and by whatever spelling of the root", async () => {
    const dir = tree();
    const link = join(tempDir(), "link");
    symlinkSync(dir, link);
    const exclude = [join(link, "later"), join(link, "runs")];
    const before = await hashTree(link, exclude);
    mkdirSync(join(dir, "later"));
    writeFileSync(join(dir, "runs/x"), "");
    expect(changedPaths(before, await hashTree(dir, exclude))).toEqual([]);
  });

  it("excludes no neighbour of a similar name", async () => {
    const dir = tree();
    writeFileSync(join(dir, "runs-old"), "");
    expect([...(await hashTree(dir, [join(dir, "runs")])).keys()]).toContain("runs-old");
  });

  it.runIf(process.platform === "linux")("keeps names apart that are no text", async () => {
    const dir = tempDir();
    const path = (byte: number) => Buffer.concat([Buffer.from(`${dir}/x`), Buffer.from([byte])]);
    writeFileSync(path(0xe4), "one");
    writeFileSync(path(0xf6), "two");
    const before = await hashTree(dir);
    expect(before.size).toBe(2);
    writeFileSync(path(0xf6), "2nd");
    expect(changedPaths(before, await hashTree(dir))).toEqual(["x\u00f6"]);
  });

  it("passes pipes by without opening them", async () => {
    const dir = tempDir();
    execFileSync("mkfifo", [join(dir, "pipe")]);
    expect([...(await hashTree(dir))]).toEqual([["pipe", expect.stringContaining("special")]]);
  });

  it("bears a deep and a wide tree", async () => {
    const dir = tempDir();
    mkdirSync(join(dir, ...Array<string>(300).fill("d")), { recursive: true });
    for (let n = 0; n < 2000; n += 1) writeFileSync(join(dir, `f${n}`), String(n));
    const hashes = await hashTree(dir);
    expect(hashes.size).toBe(2300);
    expect(new Set(hashes.values()).size).toBe(2001);
  });

  it("throws for a directory that is not there", async () => {
    await expect(hashTree(join(tempDir(), "missing"))).rejects.toThrow("ENOENT");
  });
});

describe("eachBounded", () => {
  async function* numbers(count: number) {
    for (let n = 0; n < count; n += 1) yield n;
  }

  it("does everything, a bounded number at once", async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    await eachBounded(numbers(200), async (n) => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      seen.push(n);
    });
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(most).toBe(16);
  });

  it("ends with the first failure and leaves nothing running", async () => {
    let started = 0;
    let ended = 0;
    const work = eachBounded(numbers(1000), async (n) => {
      started += 1;
      await new Promise(setImmediate);
      ended += 1;
      if (n === 20) throw new Error("the twentieth");
    });
    await expect(work).rejects.toThrow("the twentieth");
    expect(ended).toBe(started);
    expect(started).toBeLessThan(100);
  });
});
