import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Locale } from "../../src/core/locale.ts";
import type { StarterContext } from "../../src/workflow/context.ts";
import { starterFlow, type StarterOptions } from "../../src/workflow/starter.ts";
import { wakeState, type WakeState } from "../../src/workflow/wake.ts";
import type { WorkflowResult } from "../../src/workflow/workflow.ts";
import { BRIEF, FakeHost, GOAL, ruling, starterParts, type Scripted } from "./fake-host.ts";

const ALL: Record<string, Scripted[]> = {
  clarify: [BRIEF],
  goal: [GOAL],
  work: ["made"],
  "work·verdict#1": [ruling("achieved")],
};

interface Started {
  woken: WakeState;
  ended: WorkflowResult;
  host: FakeHost;
  notes(): Promise<string[]>;
  note(name: string): Promise<string>;
}

/** Starts in a directory with these notes and sessions, as the command does. */
async function start(
  setup: {
    words?: string;
    notes?: Record<string, string>;
    sessions?: FakeHost["sessions"];
    handoff?: string;
    locale?: Locale;
    options?: Partial<StarterOptions>;
    script?: Record<string, Scripted[]>;
  } = {},
): Promise<Started> {
  const { words, locale = "en" } = setup;
  const host = new FakeHost(setup.script ?? ALL);
  Object.assign(host.sessions, setup.sessions);
  if (setup.handoff !== undefined) host.handoffs["work"] = setup.handoff;
  const parts = await starterParts(host, { locale });
  const folder = parts.workbench.paths.notes;
  for (const [name, text] of Object.entries(setup.notes ?? {})) await writeFile(join(folder, name), text);
  let woke = 0;
  const lineage = {
    ...host.lineage,
    get woke() {
      return woke;
    },
    wake: () => void (woke += 1),
    request: undefined,
    words: [] as string[],
    say: (said: string) => void lineage.words.push(said),
    get wordsForBrief(): string[] {
      return lineage.words;
    },
    putIntoBrief: () => undefined,
  };
  const woken = wakeState({ lineage, workbench: parts.workbench, locale }, words);
  const flow = starterFlow(parts, {
    runDir: join(parts.workbench.workspace, "runs"),
    mountsOver: true,
    ...(woken.fresh || words === undefined ? {} : { words }),
    ...setup.options,
  });
  const context: StarterContext = {
    request: words ?? "",
    verdicts: [],
    ...(woken.brief === undefined ? {} : { brief: woken.brief }),
    ...(woken.goal === undefined ? {} : { goal: woken.goal }),
  };
  const ended = await flow.run(host, context);
  return {
    woken,
    ended,
    host,
    notes: async () => (await readdir(folder)).sort(),
    note: async (name) => readFile(join(folder, name), "utf8"),
  };
}

describe("a first run", () => {
  it("clarifies, sets a goal, works on both, and is judged", async () => {
    const { host, ended, woken } = await start({ words: "make a converter" });
    expect(woken).toEqual({ fresh: true, woke: 0 });
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(["clarify", "goal", "work", "work·verdict#1"]);
    const { prompt, spec, options } = host.call("work");
    expect(prompt).toContain("no packages");
    expect(prompt).toContain("run the tests, see 0");
    expect(prompt).not.toContain("make a converter");
    expect(spec).toMatchObject({ delegateOnly: true });
    expect(Object.keys(spec.agents ?? {})).toEqual(["worker"]);
    expect(options.position).toEqual({ index: 3, total: 3 });
  });

  it.each([
    ["clarifyOnly", { clarifyOnly: true }, ["clarify"]],
    ["no goal", { goal: false }, ["clarify", "work"]],
  ])("%s", async (_name, options, steps) => {
    const { host, ended } = await start({ words: "make a converter", options });
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(steps);
  });

  it("shows the steps in the language; their ids stay English", async () => {
    const { host } = await start({ words: "做一个", locale: "zh" });
    expect(host.calls.map(({ step, options }) => [step, options.displayName])).toEqual([
      ["clarify", "确认需求"],
      ["goal", "设定目标"],
      ["work", "干活"],
      ["work·verdict#1", "干活·判定#1"],
    ]);
  });
});

describe("a wake", () => {
  const notes = { "brief.md": BRIEF, "goal.md": GOAL };
  const sessions = { work: { sessionId: "s1" } };

  it("without words: documents are used as they are, the work session goes on with a short prompt", async () => {
    const { host, woken, ended } = await start({ notes, sessions });
    expect(woken).toMatchObject({ fresh: false, woke: 1, workSessionId: "s1", brief: BRIEF });
    expect(woken.goal?.checks).toHaveLength(2);
    expect(ended.ok).toBe(true);
    expect(host.steps).toEqual(["work", "work·verdict#1"]);
    const { prompt, options } = host.call("work");
    expect(options.resume).toBe("s1");
    expect(prompt).toContain("woken");
    expect(prompt).toMatch(/notes\/brief\.md and .*notes\/goal\.md/);
    expect(prompt).not.toContain("no packages");
  });

  it.each(["en", "zh"] as const)(
    "words go to the brief, the work step and a goal derived again, in %s",
    async (locale) => {
      const { host, woken, ended, ...disk } = await start({ notes, sessions, locale, words: "also\ntables" });
      expect(ended.ok).toBe(true);
      expect(woken.goal).toBeUndefined();
      expect(host.steps).toEqual(["goal", "work", "work·verdict#1"]);
      expect(await disk.note("brief.md")).toMatch(/none known[\s\S]*also\n\s*tables/);
      expect(host.call("goal").prompt).toBe(await disk.note("brief.md"));
      expect(host.call("work").options.resume).toBe("s1");
      expect(host.call("work").prompt).toContain("also\ntables");
      expect(host.call("work").prompt).toContain("run it, see HTML");
      // One goal, whatever language the old one had.
      const goal = locale === "zh" ? "目标.md" : "goal.md";
      expect(await disk.notes()).toEqual(["archive", "brief.md", goal].sort());
    },
  );

  it("a goal that could not be derived again is not taken for the new one by the next run", async () => {
    const failed = await start({ notes, sessions, words: "also tables", script: { goal: [{ ok: false }] } });
    expect(failed.ended.stopped?.step).toBe("goal");
    expect(await failed.notes()).toEqual(["archive", "brief.md"]);
  });

  it("words said between two generations reach the successor", async () => {
    const frozen = { work: { sessionId: "s1", handoff: "frozen" as const } };
    const { host } = await start({
      notes,
      sessions: frozen,
      handoff: "You take over.",
      words: "also tables",
    });
    const { prompt, options } = host.call("work");
    expect(options.resume).toBeUndefined();
    expect(prompt).toMatch(/^You take over\.\n\n[\s\S]*also tables/);
  });

  it("between two generations without words the successor gets its document alone", async () => {
    const frozen = { work: { sessionId: "s1", handoff: "frozen" as const } };
    const { host } = await start({ notes, sessions: frozen, handoff: "You take over." });
    expect(host.call("work").prompt).toBe("You take over.");
  });

  it("a brief without a work session starts the work with all of it", async () => {
    const { host } = await start({ notes, words: "also tables" });
    expect(host.steps).toEqual(["goal", "work", "work·verdict#1"]);
    expect(host.call("work").prompt).toMatch(/no packages[\s\S]*also tables/);
    expect(host.call("work").options.resume).toBeUndefined();
  });

  it("a run that ended while it was clarifying goes on there", async () => {
    const { host, woken } = await start({ sessions: { clarify: { sessionId: "c1" } } });
    expect(woken).toEqual({ fresh: false, woke: 1 });
    expect(host.call("clarify").options.resume).toBe("c1");
    expect(host.call("clarify").prompt).toContain("woken");
  });
});
