import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { questionsFile } from "../../src/cli/questions-file.ts";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { documentFileName, handoffFileName } from "../../src/documents/names.ts";
import { HEADINGS } from "../../src/documents/wording.ts";
import { frozenSuccessorPrompt } from "../../src/runtime/handoff-files.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { wakeState, type WakeLineage } from "../../src/workflow/wake.ts";

const PAIRS = [
  ["zh", "de"],
  ["de", "zh"],
  ["pt", "en"],
  ["en", "pt"],
] as const;

/** Of a directory in which the work has begun. */
const lineageWith = (...words: string[]): WakeLineage => ({
  get: (step) => (step === "work" ? { sessionId: "s" } : undefined),
  woke: 1,
  wake: () => undefined,
  request: "r",
  words,
  say: () => undefined,
  wordsForBrief: words,
  putIntoBrief: () => undefined,
});

describe.each(PAIRS)("a job started in %s and woken in %s", (from, to) => {
  it("finds its documents, whatever their names and headings", async () => {
    const workspace = await mkdtemp(join(tmpdir(), "flower-lang-"));
    onTestFinished(() => rm(workspace, { recursive: true, force: true }));
    const before = Workbench.open({ workspace, locale: from });
    const brief = new Brief({ goal: "a", acceptance: "b", boundaries: "c", unknowns: "d" });
    before.freezeDocument(documentFileName("brief", from), brief.toMarkdown(from));
    before.freezeDocument(documentFileName("goal", from), new Goal("g", ["one", "two"]).toMarkdown(from));
    before.freezeDocument(documentFileName("questions", from), "# 1\n");
    const { doing, next } = HEADINGS.handoff;
    before.freezeDocument(handoffFileName("work", from), `## ${doing[from]}\n\nx\n\n## ${next[from]}\n\ny\n`);
    const files = (await readdir(before.paths.notes)).sort();

    const workbench = Workbench.open({ workspace, locale: to });
    const woken = wakeState({ lineage: lineageWith(), workbench, locale: to });
    expect(woken).toMatchObject({ fresh: false, goal: { statement: "g", checks: ["one", "two"] } });
    expect(Brief.parse(woken.brief ?? "")).toEqual(brief);
    const odd: string[] = [];
    expect(frozenSuccessorPrompt(workbench, "work", (message) => odd.push(message))).toContain("x");
    expect(odd).toEqual([]);
    expect(questionsFile(workbench, to)).toBe(
      join(workbench.paths.notes, documentFileName("questions", from)),
    );

    wakeState({ lineage: lineageWith("and blue"), workbench, locale: to });
    const name = documentFileName("brief", from);
    expect(workbench.readDocument([name])?.text).toContain("and blue");
    expect((await readdir(workbench.paths.notes)).filter((file) => file.endsWith(".md")).sort()).toEqual(
      files.filter((file) => file.endsWith(".md") && file !== documentFileName("goal", from)),
    );
  });
});
