import { readFileSync } from "node:fs";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { expect, it } from "vitest";
import { isGlance } from "../../src/context/glance.ts";
import { rewriteTranscript } from "./rewrite-options.ts";
import { shrink } from "../../src/context/shrink.ts";
import { blocksOf, type Entry } from "../../src/context/transcript.ts";
import { say } from "../../src/testing/index.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";

const url = new URL("../fixtures/persisted/main.jsonl", import.meta.url);
const persisted = readFileSync(url, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Entry);

const NOTES = { stale: (command: string) => `[stale: ${command}]`, interrupted: "[never produced]" };

const rewritten = (entries: readonly Entry[]): readonly Entry[] =>
  rewriteTranscript(entries, { notes: NOTES, isGlance }).entries;

const isResult = (entry: Entry): boolean => blocksOf(entry).some(({ type }) => type === "tool_result");

/** The session as it was, but for every second result, which a kill kept from being written. */
const halfAnswered = persisted.filter(
  (entry) => !isResult(entry) || persisted.filter(isResult).indexOf(entry) % 2 === 1,
);

it.each<[string, readonly Entry[], string[]]>([
  [
    "a rewritten session",
    rewritten(persisted),
    ["[stale: ls]", "[never produced]", "Go on please.", "All done."],
  ],
  [
    "a session of which every second result was lost",
    rewritten(halfAnswered),
    ["[never produced]", "Go on please.", "All done."],
  ],
  ["a shrunk session", shrink(persisted, 2).entries, ["left out to make room", "Go on please.", "All done."]],
])("the harness sends %s as the API takes it", async (_name, entries, expected) => {
  const rehearsal = await rehearse({
    scenario: { name: "resume", actors: [{ name: "main", when: () => true, script: [say("I am back.")] }] },
  });
  const dir = await tempDir();
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CLAUDE|ANTHROPIC)/.test(name));
  const session = query({
    prompt: "Are you there?",
    options: {
      cwd: dir,
      resume: String(persisted[0]!["sessionId"]),
      settingSources: [],
      tools: ["Agent", "Bash", "Read"],
      systemPrompt: { type: "preset", preset: "claude_code" },
      sessionStore: {
        append: async () => undefined,
        load: async ({ subpath }) => (subpath === undefined ? structuredClone([...entries]) : null),
        listSubkeys: async () => [],
      },
      env: {
        ...Object.fromEntries(inherited),
        ...rehearsal.env,
        CLAUDE_CONFIG_DIR: `${dir}/config`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTO_COMPACT: "1",
      },
    },
  });
  for await (const message of session) if (message.type === "result") expect(message.subtype).toBe("success");

  // The rehearsal refuses what the API refuses: calls without results above all.
  rehearsal.assertDone();
  const { messages } = rehearsal.body(0);
  const sent = JSON.stringify(messages);
  for (const text of expected) expect(sent).toContain(text);
  const calls = entries
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === "tool_use" ? [block["id"]] : []));
  for (const id of calls) expect(sent).toContain(`"tool_use_id":"${String(id)}"`);
});
