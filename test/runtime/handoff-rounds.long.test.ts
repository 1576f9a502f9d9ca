import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { firstContextOf } from "../../src/context/request-contexts.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import { tokensOfResult } from "../../src/runtime/result-size.ts";
import { apiError, say, type FixedReply } from "../../src/testing/index.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { LONG, rows } from "../support/long.ts";
import { DOCUMENT, grow, isDocumentRound, isSuccessor, main, SPEC, stage } from "../support/stage.ts";

const options = { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 };
const step = { name: "work", spec: SPEC, prompt: "build the whole thing" };

// Fails when a round knows its own prompt alone: the successor would read what was missing, and never the task.
it("a degraded document of a further round holds the task", async () => {
  const { runtime, workspace } = await stage(
    [
      main((request): FixedReply => {
        if (isSuccessor(request)) return say("finished");
        if (isDocumentRound(request)) return say("no document");
        return request.turnCount === 0 ? say("first try") : grow;
      }),
    ],
    options,
  );
  const flow = new Workflow([
    { ...step, retries: 1, gate: ({ text }) => text === "finished" || { rejected: "the tests are missing" } },
  ]);
  const { results } = await flow.run(runtime, {});
  expect(results.at(-1)).toMatchObject({ ok: true, generations: [{ degraded: true }] });
  const document = await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
  expect(document).toContain("build the whole thing");
}, 60_000);

/** A run that ends between the frozen document and its successor, and what a later run makes of the file. */
async function afterEdit(text: string) {
  const script = main((request): FixedReply => {
    if (isDocumentRound(request)) return say(DOCUMENT);
    return isSuccessor(request) ? say(`finished: ${request.firstUserText}`) : grow;
  });
  const first = await stage([script], { ...options, reviewHandoff: () => first.runtime.interrupt() });
  await new Workflow([step]).run(first.runtime, {});
  await first.runtime.close();
  await writeFile(join(first.workspace, ".flower/notes/handoff-work.md"), text);
  const second = await stage([script], { ...options, workspace: first.workspace });
  const { results } = await new Workflow([step]).run(second.runtime, {});
  const said = second.seen.ofType("system").map(({ message }) => message);
  return { result: results.at(-1), said, requests: second.rehearsal.journal.length };
}

it("a file that was edited between two runs is passed on, and what it lacks is said", async () => {
  const { result, said, requests } = await afterEdit("just my words");
  expect(result).toMatchObject({ ok: true });
  expect(result?.text).toContain("just my words");
  expect(said.join("\n")).toMatch(/no text under doing and next/);
  expect(requests).toBe(1);
});

// Fails when an empty file is taken for none: the full session would go on, and write at its next boundary only.
it.runIf(LONG)(
  "a file that was emptied between two runs is said, and the session writes again first",
  async () => {
    const { result, said, requests } = await afterEdit("\n");
    expect(result).toMatchObject({ ok: true, retired: [expect.any(String)] });
    // Fails when the frozen phase forgets what was cut.
    expect(result?.generations[0]?.contextAtCut).toBeGreaterThan(5_000);
    expect(said.join("\n")).toMatch(/document is gone or empty: the session writes it again/);
    expect(requests).toBe(2);
  },
);

it("a failed edit is counted with what its error repeats", () => {
  const call = (name: string) => ({ id: "1", name, input: { old_string: "字".repeat(12_000) }, cwd: "/" });
  expect(tokensOfResult(call("Edit"), 4_000)).toBeGreaterThan(16_000);
  expect(tokensOfResult(call("Bash"), 4_000)).toBeLessThan(5_000);
});

it("what a session started with stands in its transcript", () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 20, cache_creation_input_tokens: 100 };
  const reply = (more: object) => ({ type: "assistant", message: { usage }, ...more });
  expect(firstContextOf([{ type: "user" }, reply({ isApiErrorMessage: true }), reply({})])).toBe(123);
  expect(firstContextOf([{ type: "user" }])).toBeUndefined();
});

// Fails when a level that is not known counts as none: a question to this session would seem to cost nothing.
const UNREADABLE = apiError(400, "Request body rejected");

// Or, of a refusal that nobody can read: when the size of a new process's request is not known.
const REFUSALS = [
  ["", apiError(400, "prompt is too long: 208310 tokens > 200000 maximum")],
  [", also when only its size tells", UNREADABLE],
] as const;
it.each(rows(REFUSALS, ([when]) => when !== ""))(
  "a resumed session whose first request does not fit is booked with the context that it had%s",
  async (_when, refusal) => {
    let full = false;
    const { runtime } = await stage(
      [
        main((request): FixedReply => {
          if (isSuccessor(request)) return say("finished");
          if (isDocumentRound(request)) return say(DOCUMENT);
          return full ? refusal : { ...say("a first step"), usage: { input_tokens: 51_000 } };
        }),
      ],
      { handoff: { enabled: true, window: 58_000, headroom: 2_000 }, spillThreshold: 0 },
    );
    const { sessionId = "", context } = await runtime.run(SPEC, "begin");
    full = true;
    const result = await runtime.run(SPEC, "go on", { resume: sessionId });
    expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
    expect(result.generations).toMatchObject([{ reason: "overflow", contextAtCut: context }]);
  },
);

// Fails when what the batch brought in does not count: the refused request is larger than the one before it.
it.runIf(LONG)("a request that crosses the line and is refused without a reason hands over", async () => {
  const { runtime } = await stage(
    [
      main((request): FixedReply => {
        if (isSuccessor(request)) return say("finished");
        if (isDocumentRound(request)) return say(DOCUMENT);
        return request.turnCount === 0 ? { ...grow, usage: { input_tokens: 143_000 } } : UNREADABLE;
      }),
    ],
    { handoff: { enabled: true, window: 200_000 }, spillThreshold: 0 },
  );
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: true, attempts: 1, text: "finished" });
  expect(result.generations).toMatchObject([{ reason: "overflow", degraded: false }]);
});

// Fails when the reason is noted after the review: a process that ends in it would leave a degraded document unexplained.
it("why a document is degraded stands in the books before anybody reviews it", async () => {
  const rows: unknown[] = [];
  const started = await stage(
    [
      main((request): FixedReply => {
        if (isSuccessor(request)) return say("finished");
        return isDocumentRound(request) || request.turnCount > 3 ? say("no document") : grow;
      }),
    ],
    {
      ...options,
      reviewHandoff: () => void rows.push(...readManifest(started.runtime.options.runDir)),
    },
  );
  await started.runtime.run(SPEC, "do it");
  expect(rows).toMatchObject([
    {
      status: "running",
      generations: [{ degraded: true }],
      errors: [expect.stringMatching(/handoff degraded/)],
    },
  ]);
});
