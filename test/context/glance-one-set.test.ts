import { expect, it } from "vitest";
import { isGlance } from "../../src/context/glance.ts";
import { blocksOf } from "../../src/context/transcript.ts";
import { rewriteTranscript } from "./rewrite-options.ts";
import { decide, mainCall } from "../gate/policy.ts";
import { ALLOWED } from "./glance-corpus.ts";
import { ENDLESS } from "./glance-endless-corpus.ts";
import { REFUSED } from "./glance-refused-corpus.ts";
import { REFUSED_FORMS } from "./glance-refused-forms-corpus.ts";
import { mutations } from "./glance-mutations.ts";
import { TranscriptParts } from "./transcript-parts.ts";

const COMMANDS = [
  ...ALLOWED,
  ...REFUSED,
  ...REFUSED_FORMS,
  ...ENDLESS,
  ...mutations(7, 1_000).map(({ command }) => command),
];

/** What the gate says of the command itself; where it looks is the business of other rules. */
const mayBeRun = (command: string): boolean => decide(mainCall("Bash", { command })).rule !== "delegate";

/** Numbers of the commands whose results become a note when the session is loaded. */
function expired(commands: readonly string[]): Set<number> {
  const parts = new TranscriptParts();
  commands.forEach((command, n) => {
    parts.round(`t${n}`, command, `result ${n}`);
  });
  // The newest stay whatever they are.
  for (let n = 0; n < 6; n += 1) parts.round(`new${n}`, "ls", "x");
  const notes = { stale: (command: string) => `stale: ${command}`, interrupted: "interrupted" };
  const loaded = rewriteTranscript(parts.entries, { notes, isGlance }).entries;
  const contents = loaded.flatMap(blocksOf).filter(({ type }) => type === "tool_result");
  return new Set(commands.flatMap((_, n) => (contents[n]?.["content"] === `result ${n}` ? [] : [n])));
}

it("what the coordinator may run itself is exactly what expires", () => {
  const stale = expired(COMMANDS);
  const differing = COMMANDS.filter((command, n) => mayBeRun(command) !== stale.has(n));
  expect(differing).toEqual([]);
  expect(stale.size).toBe(ALLOWED.length);
});
