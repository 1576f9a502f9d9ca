// What a change of generation costs in time and in tokens: from the decision in the batch hook to the document prompt
// at the endpoint, against an ordinary next request of the same process; and what is sent again uncached.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runtime } from "../dist/index.js";
import { call, say, startRehearsal } from "../dist/testing/index.js";
import { median } from "./median.mjs";

const HANDOFFS = 20;
const DOCUMENT =
  "## Doing now\nx\n\n## Already decided\nx\n\n## Dead ends\nx\n\n## Next step\nrun x\n\n## Scene\nx";

export async function handoff() {
  const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
  let successors = 0;
  const rehearsal = await startRehearsal({
    scenario: {
      name: "handoff",
      actors: [
        {
          name: "main",
          when: () => true,
          script: (request) => {
            if (/under exactly these headings/.test(request.lastUserText)) return say(DOCUMENT);
            if (/^You are taking over/.test(request.lastUserText)) successors += 1;
            if (successors === HANDOFFS) return say("done");
            // Never the same call twice: a session that repeats itself is ended.
            return call("Bash", { command: `head -c 3000 /dev/zero | tr '\\0' x; : ${request.turnCount}` });
          },
        },
      ],
    },
  });
  const decisions = [];
  /** Inside the batch hook, where an ordinary turn goes on and a full one is cut. */
  const boundaries = [];
  const runtime = new Runtime({
    workspace: dir,
    handoff: { enabled: true, window: 60_000, maxGenerations: HANDOFFS },
    spillThreshold: 0,
    env: { ...process.env, ...rehearsal.env, HOME: dir },
    onEvent: (event) => {
      if (event.type === "handoff" && event.phase === "writing") decisions.push(event.timeMs);
      if (event.type === "usage") boundaries.push(event.timeMs);
    },
  });
  const spec = { name: "work", instructions: "", model: "claude-opus-5", allowedTools: ["Bash"] };
  try {
    const result = await runtime.run(spec, "begin");
    if (!result.ok || result.generations.some((generation) => generation.degraded))
      throw new Error(result.error);
    const rows = rehearsal.journal;
    const isDocument = (row) => /under exactly these headings/.test(row.lastUserText);
    const documents = rows.filter(isDocument);
    const sinceBoundary = (timeMs) => timeMs - boundaries.findLast((boundary) => boundary <= timeMs);
    // The end of the cut turn says its usage as well, after the decision.
    for (const decision of decisions)
      boundaries.splice(
        boundaries.findLastIndex((b) => b <= decision),
        1,
      );
    const toDocument = documents.map((row) => sinceBoundary(row.timeMs));
    const toEnd = decisions.map(sinceBoundary);
    const ordinary = rows.filter((row) => row.lastUserText === "").map((row) => sinceBoundary(row.timeMs));
    const [prompt, end, next] = [median(toDocument), median(toEnd), median(ordinary)];
    console.log(
      `decision to document prompt ${prompt} ms (${end} ms of it until the cut turn has ended), ` +
        `to an ordinary request ${next} ms: ratio ${(prompt / next).toFixed(2)}, target 3`,
    );
    const again = documents.map((row) => {
      const before = rows[rows.indexOf(row) - 1];
      return before.inputTokens - row.cacheRead;
    });
    const successorsFirst = rows.filter((row) => /^You are taking over/.test(row.lastUserText));
    console.log(
      `sent again uncached by ${documents.length} document prompts: ${again.reduce((sum, tokens) => sum + Math.max(0, tokens), 0)} tokens; ` +
        `by a successor's first request: ${median(successorsFirst.map((row) => row.inputTokens - row.cacheRead))} tokens, target: that alone`,
    );
  } finally {
    await runtime.close();
    await rehearsal.close({ check: false });
    rmSync(dir, { recursive: true, force: true });
  }
}
