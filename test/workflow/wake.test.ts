import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Lineage } from "../../src/runtime/lineage.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { clarifyStep } from "../../src/workflow/clarify.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { wakeState, type WakeLineage, type WakeState } from "../../src/workflow/wake.ts";
import { tempDir } from "../support/rehearse.ts";
import { BRIEF, FakeHost, GOAL, starterParts } from "./fake-host.ts";

class Killed extends Error {}

interface Place {
  workbench: Workbench;
  /** A waking in a process of its own; `kill` makes one of its writes the last. */
  wake(
    words?: string,
    kill?: (parts: { lineage: Lineage; workbench: Workbench }) => void,
  ): WakeState | undefined;
  brief(): Promise<string>;
}

/** A workspace whose job is done. */
async function finished(): Promise<Place> {
  const workspace = await tempDir();
  const runDir = join(workspace, "runs");
  await mkdir(runDir);
  Lineage.open(runDir, workspace).set("work", { sessionId: "s" });
  const workbench = Workbench.open({ workspace });
  workbench.freezeDocument("brief.md", BRIEF);
  workbench.freezeDocument("goal.md", GOAL);
  return {
    workbench,
    wake(words, kill) {
      const parts = { lineage: Lineage.open(runDir, workspace), workbench: Workbench.open({ workspace }) };
      kill?.(parts);
      try {
        return wakeState({ ...parts, locale: "en" }, words);
      } catch (error) {
        if (error instanceof Killed) return undefined;
        throw error;
      }
    },
    brief: async () => readFile(join(workbench.paths.notes, "brief.md"), "utf8"),
  };
}

/** Ends the process before or after the n-th call of a method. */
function killAt<T extends object>(object: T, method: keyof T & string, when: "before" | "after"): void {
  const original = (object[method] as (...args: unknown[]) => unknown).bind(object);
  Object.defineProperty(object, method, {
    value: (...args: unknown[]) => {
      if (when === "after") original(...args);
      throw new Killed();
    },
  });
}

const count = (text: string, part: string): number => text.split(part).length - 1;

// Fails when a later waking does not look at what was said at an earlier one.
describe.each<[string, (parts: { lineage: WakeLineage & object; workbench: Workbench }) => void]>([
  ["once the words are noted", ({ lineage }) => killAt(lineage, "say", "after")],
  ["before the goal is put away", ({ workbench }) => killAt(workbench, "archive", "before")],
  ["before the brief is written", ({ workbench }) => killAt(workbench, "freezeDocument", "before")],
  ["once the brief is written", ({ workbench }) => killAt(workbench, "freezeDocument", "after")],
  ["before it is noted that the brief has them", ({ lineage }) => killAt(lineage, "putIntoBrief", "before")],
  ["once all is done", ({ lineage }) => killAt(lineage, "putIntoBrief", "after")],
])("a waking killed %s", (_when, kill) => {
  it.each([undefined, "and large"])("is made up for, each word once (then said: %j)", async (then) => {
    const place = await finished();
    expect(place.wake("make it blue", kill)).toBeUndefined();
    const woken = place.wake(then);
    expect(woken?.goal).toBeUndefined();
    const brief = await place.brief();
    expect(woken?.brief).toBe(brief);
    expect([count(brief, "make it blue"), count(brief, "and large")]).toEqual([
      1,
      then === undefined ? 0 : 1,
    ]);
    expect(woken?.words).toBe(["make it blue", then].filter((each) => each !== undefined).join("\n\n"));
    const archive = join(place.workbench.paths.notes, "archive");
    expect(
      (await readdir(archive, { recursive: true })).filter((name) => name.endsWith("goal.md")),
    ).toHaveLength(1);
  });
});

it("a goal that was derived from the words stays", async () => {
  const place = await finished();
  place.wake("make it blue");
  place.workbench.freezeDocument("goal.md", GOAL);
  expect(place.wake()).toMatchObject({ words: "make it blue", goal: { checks: { length: 2 } } });
  expect(count(await place.brief(), "make it blue")).toBe(1);
});

it("a brief that was made of the words gets them no second time", async () => {
  const host = new FakeHost({ clarify: [BRIEF] });
  const parts = await starterParts(host);
  const { workspace } = parts.workbench;
  const lineage = Lineage.open(workspace, workspace);
  lineage.asked("make it");
  lineage.say("blue");
  Object.assign(host, { lineage });
  await new Workflow([clarifyStep(parts, { words: "blue" })]).run(host, { request: "make it", verdicts: [] });
  const woken = wakeState({
    lineage: Lineage.open(workspace, workspace),
    workbench: parts.workbench,
    locale: "en",
  });
  expect(woken.words).toBe("blue");
  expect(woken.brief).toContain("a converter");
  expect(woken.brief).not.toContain("blue");
});
