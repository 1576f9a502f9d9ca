import { expect, it } from "vitest";
import { blocksOf } from "../../src/context/transcript.ts";
import { MemorySessionStore } from "../../src/store/index.ts";
import { call, say, type FixedReply } from "../../src/testing/index.ts";
import { agedStore } from "../support/aged-store.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

const bash = (command: string): FixedReply => call("Bash", { command });
const print = (chars: number): string => `head -c ${chars} /dev/zero | tr '\\0' x; date +%N`;

/** A model that the harness does not know: of others it takes the window to be a million tokens (0.3.332). */
const COMPACTED = { ...SPEC, model: "some-model" };
const NO_HANDOFF = { handoff: { enabled: false, window: 200_000 }, spillThreshold: 0 } as const;

interface Boundary {
  compactMetadata: { preservedMessages: { uuids: string[] } };
}

/** A session that the harness compacted, keeping one message with a refused call and a good one; then two more refusals. */
async function compacted() {
  const workspace = await tempDir();
  const store = new MemorySessionStore();
  const refused = { type: "tool_use", name: "Bash", input: { command: "sudo ls" } } as const;
  const good = { type: "tool_use", name: "Bash", input: { command: print(3000) } } as const;
  const rounds = [
    bash(print(16_000)),
    bash(print(16_000)),
    { kind: "message", content: [refused, good] } as const,
    bash("sudo ls"),
    bash("sudo ls"),
  ];
  let round = 0;
  const script = main(({ lastUserText }) =>
    /create a detailed summary/.test(lastUserText)
      ? say("<summary>so far</summary>")
      : (rounds[round++] ?? say("done")),
  );
  const { runtime } = await stage([script], { store, workspace, ...NO_HANDOFF }, { inputTokensPerByte: 4 });
  const { sessionId = "" } = await runtime.run(COMPACTED, "do it");
  await runtime.close();
  return { entries: (await store.load({ projectKey: ".", sessionId })) ?? [], sessionId, workspace };
}

it("what the harness kept at a compaction stays in context when a refused call and an error of it are pruned", async () => {
  const { entries, sessionId, workspace } = await compacted();
  const boundary = entries.findIndex(({ subtype }) => subtype === "compact_boundary");
  const { preservedMessages } = (entries[boundary] as unknown as Boundary).compactMetadata;
  const { uuids } = preservedMessages;
  expect(uuids).toHaveLength(4);
  // As if the API had failed before the compaction: an error behind the results, kept with them.
  const uuid = "11111111-1111-4111-8111-111111111111";
  const content = [{ type: "text", text: "Error 529" }];
  const message = { id: "e", role: "assistant", model: "<synthetic>", content };
  const error = {
    type: "assistant",
    uuid,
    parentUuid: uuids.at(-1),
    sessionId,
    isApiErrorMessage: true,
    message,
  };
  uuids.push(uuid);
  const store = new MemorySessionStore();
  await store.append({ projectKey: ".", sessionId }, entries.toSpliced(boundary, 0, error));

  const resumed = await stage([main([say("back")])], { store: agedStore(store), workspace, ...NO_HANDOFF });
  await resumed.runtime.run(COMPACTED, "go on", { resume: sessionId });
  const sent = messagesText(resumed.rehearsal, 0);
  expect(sent).toMatch(/so far.*x{3000}.*sudo ls.*go on/s);
  expect(sent.split("sudo ls")).toHaveLength(2);
  expect(sent).not.toContain("Error 529");
});

it("after a step back in the conversation its own newest looks stay, however many the branch had that was left", async () => {
  const workspace = await tempDir();
  const store = new MemorySessionStore();
  const looks = (name: string, count: number): FixedReply[] =>
    Array.from({ length: count }, (_, n) => bash(`echo ${name}${n}`));
  const run = async (script: FixedReply[], more: object = {}): Promise<[string, string]> => {
    const staged = await stage([main(script)], { workspace, store: agedStore(store) });
    const { sessionId = "", ok } = await staged.runtime.run(SPEC, "look", more);
    expect(ok).toBe(true);
    const sent = messagesText(staged.rehearsal, 0);
    await staged.runtime.close();
    return [sessionId, sent];
  };
  const [resume] = await run([...looks("first", 7), say("seen")]);
  const entries = (await store.load({ projectKey: ".", sessionId: resume })) ?? [];
  const resumeAt = entries.findLast((entry) => blocksOf(entry).some(({ text }) => text === "seen"))?.uuid;
  await run([...looks("left", 7), say("left")], { resume });

  const [, sent] = await run([say("three")], { resume, resumeAt });
  expect(sent.match(/`echo first\d` is stale \(\d+ rounds ago\)/g)).toEqual([
    "`echo first0` is stale (7 rounds ago)",
  ]);
  expect(sent).not.toContain("echo left");
  // The branch that was stepped back to is the newest now.
  const [, again] = await run([say("four")], { resume });
  expect(again.match(/is stale/g)).toHaveLength(1);
});
