import { expect, it } from "vitest";
import { rewriteTranscript, type RewriteOptions } from "./rewrite-options.ts";
import { randomTranscript } from "./random-transcript.ts";
import { TranscriptParts } from "./transcript-parts.ts";

const options: RewriteOptions = {
  notes: { stale: (command, rounds) => `[stale ${command} ${rounds}]`, interrupted: "[interrupted]" },
  isGlance: (command) => command === "git status",
  keepDenials: 0,
};
const denied = { toolDenialKind: "permission-rule" };

it("an id that several calls have tells nothing of their results: all of them stay", () => {
  const parts = new TranscriptParts();
  const call = (n: number, id: string, command: string, result: string, fields = {}): void => {
    parts.bash(`m${n}`, id, command);
    parts.result(id, result, fields);
  };
  call(0, "call_0", "git status", "clean");
  call(1, "call_1", "rm x", "no", denied);
  for (let n = 2; n < 10; n += 1) call(n, `own_${n}`, "git status", `clean ${n}`);
  call(10, "call_0", "npm test", "3 tests fail");
  call(11, "call_1", "make", "built");
  const { entries, report } = rewriteTranscript(parts.entries, options);
  expect(report).toMatchObject({ expired: 2, denialsPruned: 0 });
  const [first, last] = [entries.slice(0, 4), entries.slice(-4)];
  expect(first).toEqual(parts.entries.slice(0, 4));
  expect(last).toEqual(parts.entries.slice(-4));
});

it("the same command under the same id in another message is another call", () => {
  const parts = new TranscriptParts();
  for (let n = 0; n < 9; n += 1) parts.round("call_0", "git status", `clean ${n}`);
  parts.entries.forEach((entry, n) => {
    if (entry.type === "assistant") (entry["message"] as { id: string }).id = `m${n}`;
  });
  expect(rewriteTranscript(parts.entries, options).entries).toEqual(parts.entries);
});

it("a history of any kind with ids that begin anew in each round changes nothing a second time", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const text = JSON.stringify(randomTranscript(seed, 20));
    // Every other round has the ids of all others of these.
    const mixed = text.replace(/call-\d+-\d*[02468]-(\d)/g, "call_$1");
    const before = JSON.parse(mixed) as ReturnType<typeof randomTranscript>;
    const once = rewriteTranscript(before, options).entries;
    expect(rewriteTranscript(once, options).entries).toEqual(once);
    const ids = [...mixed.matchAll(/"id":"(call_\d)"/g)].map(([, id = ""]) => id);
    const reused = ids.filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id));
    const results = (entries: typeof once): string[] =>
      [...JSON.stringify(entries).matchAll(/"tool_use_id":"(call_\d)"/g)]
        .map(([, id = ""]) => id)
        .filter((id) => reused.includes(id));
    expect(results(once)).toEqual(results(before));
  }
});
