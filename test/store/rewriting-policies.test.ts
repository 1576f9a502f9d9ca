import { describe, expect, it } from "vitest";
import { expire, MemorySessionStore, prune, rewriteReport, rewriting, trim } from "../../src/index.ts";
import type { RewriteReport } from "../../src/index.ts";
import type { TranscriptEntry } from "../../src/store/contract.ts";
import { callIds, contentFor, TranscriptParts } from "../context/transcript-parts.ts";

const KEY = { projectKey: "project", sessionId: "session" };

/** A history in which there is something to do for every policy. */
function history(): TranscriptEntry[] {
  const parts = new TranscriptParts();
  parts.prompt("Do it.");
  for (let n = 0; n < 3; n += 1) {
    parts.bash(`md${n}`, `denied${n}`, "rm x");
    parts.denied(`denied${n}`);
  }
  for (let n = 0; n < 8; n += 1) parts.round(`glance${n}`, "git status -s", `state ${n}`);
  parts.round("wide", "git diff", "+".repeat(3_000));
  for (let n = 0; n < 21; n += 1) parts.round(`large${n}`, "npm test", "x".repeat(2_000 + n));
  parts.says("error", { type: "text", text: "API Error: 500" }, { isApiErrorMessage: true });
  parts.prompt("Go on.", { parentUuid: "never-written" });
  parts.bash("open", "open", "make");
  return parts.entries;
}

async function loaded(...args: Parameters<typeof rewriting> extends [unknown, ...infer Rest] ? Rest : never) {
  const inner = new MemorySessionStore();
  await inner.append(KEY, history());
  const entries = (await rewriting(inner, ...args).load(KEY)) ?? [];
  expect(await inner.load(KEY)).toEqual(history());
  return entries;
}

describe("rewriting with policies", () => {
  it("does the same in whatever order they are listed", async () => {
    const all = [expire(), trim(), prune()];
    const entries = await loaded(all);
    expect(await loaded([...all].reverse())).toEqual(entries);
    expect(contentFor(entries, "glance0")).toMatch(/`git status -s` is stale \(\d+ rounds ago\)/);
    expect(contentFor(entries, "glance3")).toBe("state 3");
    expect(contentFor(entries, "wide")).toMatch(/^\[3000 characters, 1 lines left out/);
    expect(contentFor(entries, "large0")).toMatch(/^\[2000 characters/);
    expect(contentFor(entries, "large1")).toHaveLength(2_001);
    expect(callIds(entries)).not.toContain("denied1");
    expect(callIds(entries)).toContain("denied2");
    expect(contentFor(entries, "open")).toMatch(/interrupted here last time/);
    expect(JSON.stringify(entries)).not.toContain("API Error");
  });

  it("leaves out what is not listed, but always mends", async () => {
    const entries = await loaded([expire()]);
    // Without trim any size expires.
    expect(contentFor(entries, "wide")).toHaveLength(3_000);
    expect(contentFor(await loaded([expire({ keep: 0 })]), "wide")).toMatch(/stale/);
    expect(contentFor(entries, "large0")).toHaveLength(2_000);
    expect(callIds(entries)).toContain("denied0");
    expect(contentFor(entries, "open")).toMatch(/interrupted/);
  });

  it("takes figures, glance commands, places and languages of one's own", async () => {
    const entries = await loaded(
      [
        expire({ keep: 0, isGlance: (command) => command === "make" }),
        trim({ keep: 1, minChars: 2_019, spill: (text) => `[${text.length} are in a file]` }),
        prune({ keep: 0 }),
      ],
      { locale: "zh" },
    );
    expect(contentFor(entries, "glance0")).toBe("state 0");
    expect(contentFor(entries, "wide")).toBe("[3000 are in a file]");
    expect(contentFor(entries, "large18")).toHaveLength(2_018);
    expect(contentFor(entries, "large19")).toBe("[2019 are in a file]");
    expect(contentFor(entries, "large20")).toHaveLength(2_020);
    expect(callIds(entries).filter((id) => String(id).startsWith("denied"))).toEqual([]);
    expect(contentFor(entries, "open")).toBe("[上一轮在此处被中断,该工具结果未产生]");
  });

  it("lets functions of one's own act last", async () => {
    const seen: number[] = [];
    const count = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
      seen.push(entries.length);
      return entries;
    };
    await loaded([count, prune({ keep: 0 })]);
    // Three denied calls and an error went, a result was made.
    expect(seen).toEqual([history().length - 7 + 1]);
  });

  it("reports what it did, to whoever listens or asks", async () => {
    const heard: unknown[] = [];
    const plans = [expire(), trim(), prune()];
    await loaded(plans, { onReport: (report, key) => heard.push([report, key]) });
    const report: RewriteReport = rewriteReport(history(), plans);
    expect(heard).toEqual([[report, KEY]]);
    expect(report).toMatchObject({
      expired: 3,
      trimmed: 2,
      denialsPruned: 2,
      residuePruned: 1,
      bridged: 1,
      repaired: 1,
    });
    expect(report.charsSaved).toBeGreaterThan(4_000);
    expect(rewriteReport([], plans)).toMatchObject({ expired: 0, charsSaved: 0 });
  });
});
