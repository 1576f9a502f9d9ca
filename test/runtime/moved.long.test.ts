import { cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { say } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

// Fails when the store is asked by the harness's own name for the directory (`projectKey` in sdkStore).
it("a directory that was moved finds its sessions again, because they came along", async () => {
  const parent = await tempDir();
  const [before, after] = [join(parent, "here"), join(parent, "dort 那里")];
  await mkdir(before);
  const first = await stage([main(() => say("one"))], { workspace: before });
  const { sessionId = "" } = await first.runtime.run(SPEC, "begin");
  await first.runtime.close();
  await rename(before, after);
  // The harness would look through its own directory as well (0.3.332).
  await rm(join(after, "runs/harness"), { recursive: true });

  const again = await stage([main(() => say("two"))], { workspace: after });
  expect(again.runtime.lineage.get("work")).toEqual({ sessionId });
  expect(again.seen.ofType("system").map((event) => event.message)).toContainEqual(
    expect.stringContaining("its sessions came along"),
  );
  expect(await again.runtime.run(SPEC, "go on", { resume: sessionId })).toMatchObject({
    text: "two",
    sessionId,
  });
  expect(messagesText(again.rehearsal, 0)).toContain("begin");
});

// Fails when a path that differs is taken for a move: two directories would go on with the same work.
it("a copy of a directory starts fresh, and says whose it is; the original goes on", async () => {
  const parent = await tempDir();
  const [original, copy] = [join(parent, "original"), join(parent, "copy")];
  await mkdir(original);
  const first = await stage([main(() => say("one"))], { workspace: original });
  const { sessionId = "" } = await first.runtime.run(SPEC, "begin");
  await first.runtime.close();
  // libsql lets go of these when it is collected, so they may vanish under the copy (0.5.29); the log is folded in.
  await cp(original, copy, { recursive: true, filter: (path) => !/-(?:wal|shm)$/.test(path) });

  const there = await stage([main(() => say("two"))], { workspace: copy });
  expect(there.runtime.lineage.get("work")).toBeUndefined();
  expect(there.seen.ofType("system").map((event) => event.message)).toContainEqual(
    expect.stringContaining(`a copy of ${original}`),
  );
  await there.runtime.close();
  const here = await stage([main(() => say("two"))], { workspace: original });
  expect(here.runtime.lineage.get("work")).toEqual({ sessionId });
});

/** A first run of a workspace that answers with the given text; its session. */
async function firstRun(workspace: string, text: string, runDir?: string): Promise<string> {
  await mkdir(workspace, { recursive: true });
  const options = { workspace, ...(runDir === undefined ? {} : { runDir }) };
  const { runtime } = await stage([main(() => say(text))], options);
  const { sessionId = "" } = await runtime.run(SPEC, "begin");
  await runtime.close();
  return sessionId;
}

/** The session that a later run of a workspace would go on with; it must be in its store. */
async function nextSession(workspace: string, runDir?: string): Promise<string | undefined> {
  const options = { workspace, ...(runDir === undefined ? {} : { runDir }) };
  const { runtime } = await stage([main(() => say("again"))], options);
  const { sessionId } = runtime.lineage.get("work") ?? {};
  if (sessionId !== undefined)
    expect(await runtime.run(SPEC, "go on", { resume: sessionId })).toMatchObject({
      text: "again",
      sessionId,
    });
  await runtime.close();
  return sessionId;
}

it.runIf(LONG)(
  "a directory that was moved is no copy of another one that stands at its place now",
  async () => {
    const parent = await tempDir();
    const [here, aside] = [join(parent, "project"), join(parent, "project-old")];
    const before = await firstRun(here, "one");
    await rename(here, aside);
    const after = await firstRun(here, "two");
    expect(await nextSession(aside)).toBe(before);
    expect(await nextSession(here)).toBe(after);
  },
);

it.runIf(LONG)("two directories that were swapped go on with their own sessions", async () => {
  const parent = await tempDir();
  const [one, two, free] = [join(parent, "p"), join(parent, "q"), join(parent, "t")];
  const [first, second] = [await firstRun(one, "one"), await firstRun(two, "two")];
  await rename(one, free);
  await rename(two, one);
  await rename(free, two);
  expect(await nextSession(one)).toBe(second);
  expect(await nextSession(two)).toBe(first);
});

it.runIf(LONG)("a workspace that was moved together with a run directory beside it goes on", async () => {
  const parent = await tempDir();
  const [before, after] = [join(parent, "m1"), join(parent, "m2")];
  const session = await firstRun(join(before, "ws"), "one", join(before, "books"));
  await rename(before, after);
  expect(await nextSession(join(after, "ws"), join(after, "books"))).toBe(session);
});

// Fails when it is asked only whether the old place holds the lineage: the old path leads here.
it.runIf(LONG)("a workspace that was moved and is linked to from its old place goes on", async () => {
  const parent = await tempDir();
  const [before, after] = [join(parent, "ws"), join(parent, "big")];
  const session = await firstRun(before, "one");
  await rename(before, after);
  await symlink(after, before);
  expect(await nextSession(before)).toBe(session);
});

it.runIf(LONG)(
  "a workspace is not taken for the copy of one that has the same run directory outside",
  async () => {
    const parent = await tempDir();
    const [before, after, books] = [join(parent, "ws"), join(parent, "ws2"), join(parent, "runs")];
    await firstRun(before, "one", books);
    await rename(before, after);
    const { runtime, seen } = await stage([], { workspace: after, runDir: books });
    expect(runtime.lineage.get("work")).toBeUndefined();
    expect(seen.ofType("system").map(({ message }) => message)).toEqual([
      expect.stringMatching(/belonged to another workspace .*ws\); starting fresh/),
    ]);
  },
);

it("directories of similar names never see each other's sessions in a shared run directory", async () => {
  const parent = await tempDir();
  const runDir = join(parent, "shared");
  const names = ["a-b", "a_b", "a.b", "a b", "甲乙", "丙丁"];
  for (const name of names) await mkdir(join(parent, name));
  const [first, ...others] = names.map((name) => join(parent, name));
  const one = await stage([main(() => say("one"))], { workspace: first ?? "", runDir });
  const { sessionId = "" } = await one.runtime.run(SPEC, "begin");
  await one.runtime.close();
  for (const workspace of others) {
    const { runtime } = await stage([main(() => say("must not be asked"))], { workspace, runDir });
    expect(runtime.lineage.get("work")).toBeUndefined();
    const result = await runtime.run(SPEC, "go on", { resume: sessionId });
    expect(result).toMatchObject({ ok: false });
    expect(result.error).toMatch(/not in the store/);
    await runtime.close();
  }
}, 60_000);
