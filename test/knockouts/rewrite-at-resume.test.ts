import { expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { call, say } from "../../src/testing/index.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { agedStore } from "../support/aged-store.ts";
import { main, messagesText, stage } from "../support/stage.ts";

it("a resumed session has one of its denied calls left", async () => {
  const spec = coordinator("work", "", { worker: worker("works", "You work.") });
  const denied = call("Write", { file_path: "made.txt", content: "x" });
  const store = agedStore(new MemorySessionStore());
  const before = await stage([main([denied, denied, denied, say("one")])], { store });
  const { sessionId = "" } = await before.runtime.run(spec, "do it");
  expect(messagesText(before.rehearsal, 3).match(/"tool_result"/g)).toHaveLength(3);
  await before.runtime.close();
  const { runtime, rehearsal, seen } = await stage([main([say("two")])], {
    store,
    workspace: before.workspace,
  });
  expect(await runtime.run(spec, "go on", { resume: sessionId })).toMatchObject({ text: "two", sessionId });
  expect(messagesText(rehearsal, 0).match(/"tool_result"/g)).toHaveLength(1);
  const said = seen.ofType("system").filter(({ level }) => level === "info");
  expect(said.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^the history was rewritten for this resume: 2 refused calls removed; \d+ characters less$/,
    ),
  ]);
});
