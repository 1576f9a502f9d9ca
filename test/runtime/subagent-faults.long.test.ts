import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { apiError, call, say, together, type FixedReply } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { main, messagesText, stage, sub } from "../support/stage.ts";

const spec = coordinator("work", "", { worker: worker("works", "You work.") });
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });

// Fails when DIED is not looked for: in the hook after a success (it had said something), or after a failure.
const BEGINNINGS: [string, FixedReply][] = [
  [
    "after it had said something",
    together(say("the parser is the trouble"), call("Bash", { command: "echo x" })),
  ],
  ["before it had said anything", call("Write", { file_path: "half.txt", content: "half" })],
];
it.each(rows(BEGINNINGS, ([when]) => when.startsWith("after")))(
  "a subagent that died of an API error %s is not taken for done",
  async (_name, first) => {
    const { runtime, rehearsal, workspace } = await stage([
      main([send, say("sent again")]),
      sub((request): FixedReply =>
        request.turnCount > 0 ? apiError(529, "Overloaded") : placed(first, workspace0),
      ),
    ]);
    const workspace0 = workspace;
    expect(await runtime.run(spec, "do it")).toMatchObject({ ok: true, attempts: 1 });
    const last = messagesText(rehearsal, rehearsal.journal.length - 1);
    expect(last).toContain("This subagent did not finish");
    expect(last).toMatch(/the parser is the trouble|Files it wrote: .*half\.txt/);
  },
);

it.runIf(LONG)(
  "a subagent that died of too many requests at a time is sent again with fewer beside it",
  async () => {
    const { runtime, rehearsal } = await stage([
      main([send, say("sent again")]),
      sub(() => apiError(429, "High concurrency usage of this API, please reduce concurrency")),
    ]);
    expect(await runtime.run(spec, "do it")).toMatchObject({ ok: true, attempts: 1 });
    expect(messagesText(rehearsal, rehearsal.journal.length - 1)).toContain("send fewer agents at once");
  },
);

/** The harness wants absolute paths. */
function placed(reply: FixedReply, workspace: string): FixedReply {
  return JSON.parse(
    JSON.stringify(reply).replace('"half.txt"', JSON.stringify(join(workspace, "half.txt"))),
  ) as FixedReply;
}

// Fails when `withReport` is taken out of the hook after a success.
it("a report that says nothing is filled from the subagent's transcript", async () => {
  const { runtime, rehearsal } = await stage([
    main([send, say("done")]),
    sub([
      together(say("found it: the loop ends one line early"), call("Bash", { command: "true" })),
      say("See my previous message."),
    ]),
  ]);
  await runtime.run(spec, "do it");
  const last = messagesText(rehearsal, rehearsal.journal.length - 1);
  expect(last).toContain("[no report]");
  expect(last).toContain("the loop ends one line early");
});

it("the partial work of a subagent that died is named: its commands, and its transcript as a file", async () => {
  const { runtime, rehearsal, workspace } = await stage([
    main([send, say("sent again")]),
    sub((request): FixedReply =>
      request.turnCount > 0 ? apiError(529, "Overloaded") : call("Bash", { command: "echo part > part.txt" }),
    ),
  ]);
  expect(await runtime.run(spec, "do it")).toMatchObject({ ok: true });
  const last = messagesText(rehearsal, rehearsal.journal.length - 1);
  expect(last).toContain("echo part > part.txt");
  const path = /Its transcript: ([^"\\]+\.txt)/.exec(last)?.[1] ?? "";
  expect(path.startsWith(join(workspace, ".flower/spill/"))).toBe(true);
  expect(await readFile(path, "utf8")).toContain("* Bash");
});
