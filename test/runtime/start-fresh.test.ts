import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HumanChannel } from "../../src/human/channel.ts";
import { Lineage } from "../../src/runtime/lineage.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { startFresh, type Leftovers } from "../../src/runtime/start-fresh.ts";
import { collectEvents } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { onCleanup, tempDir } from "../support/rehearse.ts";

class Killed extends Error {}

/** A workspace in which a job has begun, with a message that nobody has read. */
async function begun(): Promise<{
  workspace: string;
  runDir: string;
  open: () => Runtime;
  said: () => string;
}> {
  const workspace = await tempDir();
  const runDir = join(workspace, "runs");
  mkdirSync(runDir);
  const lineage = Lineage.open(runDir, workspace);
  lineage.asked("the old job");
  lineage.set("work", { sessionId: "s" });
  const workbench = Workbench.open({ workspace });
  for (const name of ["brief.md", "goal.md"]) workbench.freezeDocument(name, "old");
  const mail = { v: 1, messages: [{ text: "old", sentAtMs: 1 }] };
  writeFileSync(join(runDir, "inbox.json"), JSON.stringify(mail));
  const seen = collectEvents();
  const env = { HOME: workspace, ANTHROPIC_API_KEY: "k", PATH: process.env["PATH"] };
  return {
    workspace,
    runDir,
    open: () => {
      const channel = new HumanChannel();
      const runtime = new Runtime({ workspace, env, channel, workbench: true, onEvent: seen.listener });
      onCleanup(async () => runtime.close());
      return runtime;
    },
    said: () =>
      seen
        .ofType("system")
        .map(({ message }) => message)
        .join("\n"),
  };
}

const below = (dir: string): string[] => (readdirSync(dir, { recursive: true }) as string[]).sort();

// Fails when what is moved first is all that tells of the wish, or when nothing looks for it.
describe("a start afresh that is killed", () => {
  it.each<[string, (parts: Leftovers) => Partial<Leftovers>]>([
    ["before anything is moved", ({ workbench }) => ({ workbench: dying(workbench, "before") })],
    ["once the notes are moved", ({ workbench }) => ({ workbench: dying(workbench, "after") })],
    ["before the messages are moved", () => ({ archiveMail: die })],
    ["before the lineage is moved", ({ lineage }) => ({ lineage: dying(lineage, "before") })],
  ])("%s is done by the next run", async (_when, deadly) => {
    const { workspace, runDir, open, said } = await begun();
    const parts: Leftovers = {
      runDir,
      lineage: Lineage.open(runDir, workspace),
      workbench: Workbench.open({ workspace }),
      archiveMail: () => undefined,
    };
    expect(() => startFresh({ ...parts, ...deadly(parts) })).toThrow(Killed);
    const runtime = open();
    expect(said()).toMatch(/start afresh was cut off/);
    expect(runtime.lineage).toMatchObject({ request: undefined, woke: 0, archiving: undefined });
    expect(runtime.lineage.get("work")).toBeUndefined();
    const archived = [...below(join(runDir, "archive")), ...below(join(workspace, ".flower/notes/archive"))];
    for (const name of ["brief.md", "goal.md", "lineage.json", "inbox.json"])
      expect(
        archived.filter((path) => path.endsWith(`/${name}`)),
        name,
      ).toHaveLength(1);
    expect(existsSync(join(runDir, "inbox.json"))).toBe(false);
    const [stamp = ""] = readdirSync(join(runDir, "archive"));
    // Whoever puts it back has the job again.
    expect(readFileSync(join(runDir, "archive", stamp, "lineage.json"), "utf8")).not.toContain("archiving");
  });
});

it("leaves nothing to do", async () => {
  const { open, said } = await begun();
  const runtime = open();
  expect(runtime.startFresh()).toHaveLength(2);
  await runtime.close();
  await open().close();
  expect(said()).not.toContain("cut off");
});

// Fails when the lock of a run that never began stays.
it("a run that cannot begin leaves nothing locked", async () => {
  const { workspace, open } = await begun();
  const windows = join(workspace, ".config/flower/windows.json");
  mkdirSync(join(windows, ".."), { recursive: true });
  writeFileSync(windows, '{"v":99}');
  expect(open).toThrow(/newer flower/);
  writeFileSync(windows, "");
  expect(open).not.toThrow();
});

function die(): never {
  throw new Killed();
}

/** The same, whose process is killed as it archives. */
function dying<T extends Workbench | Lineage | undefined>(parts: T, when: "before" | "after"): T {
  const method = parts instanceof Workbench ? "archiveAll" : "startFresh";
  return new Proxy(parts as T & object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (name === method && when === "before") die();
        const result: unknown = value.apply(target, args);
        return name === method ? die() : result;
      };
    },
  });
}
