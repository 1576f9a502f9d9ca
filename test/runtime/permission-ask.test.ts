import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HumanChannel, type AskEvent } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { MemorySessionStore } from "../../src/store/memory.ts";
import { call, say, together } from "../../src/testing/index.ts";
import { LONG } from "../support/long.ts";
import { main, messagesText, SPEC, stage, sub } from "../support/stage.ts";
import { tempDir } from "../support/rehearse.ts";

const COORDINATOR = coordinator("work", "", { worker: worker("works", "You work.") });
const bash = (command: string) => call("Bash", { command });
const send = (task: string) => call("Agent", { description: task, prompt: task, subagent_type: "worker" });

/** A person who gives these answers in turn, "" = skips, and what they were asked. */
function person(
  answers: readonly string[],
  quota = -1,
): { options: Partial<RuntimeOptions>; asked: string[] } {
  const left = [...answers];
  const asked: string[] = [];
  const channel: HumanChannel = new HumanChannel({ quota });
  const onEvent = (event: { type: string } | AskEvent): void => {
    if (event.type !== "ask" || !("phase" in event) || event.phase !== "asked") return;
    expect(event).toMatchObject({ permission: true, options: ["once", "for this run", "no"] });
    asked.push(event.question);
    const answer = left.shift() ?? "";
    if (answer === "") channel.skip(event.id);
    else channel.answer(event.id, answer);
  };
  return { options: { permissions: "ask", channel, onEvent }, asked };
}

it("asks on the main thread: once is asked again, for this run is not, no and its words reach the model", async () => {
  const commands = [
    "echo a >> once.txt", // 1
    "echo a >> once.txt", // no
    "git status -s; ls", // not asked
    "echo b >> run.txt", // for this run
    "echo b >> run.txt", // not asked
    "sudo true", // refused by a rule
    "touch skipped.txt", // skipped
    "touch said-no\u202e.txt", // with words
  ];
  const store = new MemorySessionStore();
  const { options, asked } = person(["1", "no", "for this run", "", "no, use the other one"], 0);
  const { workspace, runtime, rehearsal } = await stage([main([...commands.map(bash), say("done")])], {
    ...options,
    store,
  });
  const result = await runtime.run(SPEC, "do it");
  expect(result).toMatchObject({ ok: true, text: "done", refusals: 4 });
  const shown = (command: string): string =>
    `the main thread wants to run this command\ndirectory: ${workspace}\n| ${command}\n(for this run: exactly this command in this directory)`;
  expect(asked).toEqual(
    [
      "echo a >> once.txt",
      "echo a >> once.txt",
      "echo b >> run.txt",
      "touch skipped.txt",
      "touch said-no\\u{202e}.txt",
    ].map(shown),
  );
  expect(await readFile(join(workspace, "once.txt"), "utf8")).toBe("a\n");
  expect(await readFile(join(workspace, "run.txt"), "utf8")).toBe("b\nb\n");
  expect(existsSync(join(workspace, "skipped.txt"))).toBe(false);
  const last = rehearsal.journal.length - 1;
  const text = messagesText(rehearsal, last);
  expect(text).toContain("The person said no. Do not try it in another form.");
  expect(text).toContain("they did not give it");
  expect(text).toContain("The person did not allow this call, and says: use the other one");
  // The harness marks a person's words, and no rewrite drops what is marked.
  const entries = (await store.load({ projectKey: ".", sessionId: result.sessionId ?? "" })) ?? [];
  const marked = entries.filter((entry) => entry["holdsPersonsWords"] === true);
  expect(JSON.stringify(marked)).toContain("use the other one");
  expect(marked).toHaveLength(1);
}, 60_000);

it("asks for two subagents one after the other, and what is allowed for the run for both", async () => {
  const { options, asked } = person(["2"]);
  const { workspace, runtime } = await stage(
    [
      main([together(send("one"), send("two")), say("done")]),
      sub(({ turnCount }) => (turnCount === 0 ? bash("echo x >> both.txt") : say("reported"))),
    ],
    options,
  );
  expect(await runtime.run(COORDINATOR, "do it")).toMatchObject({ ok: true, text: "done" });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^worker wants to run this command\n/);
  expect(await readFile(join(workspace, "both.txt"), "utf8")).toBe("x\nx\n");
}, 60_000);

it("refuses where nobody is there, and says so", async () => {
  const workspace = await tempDir();
  const { runtime, rehearsal } = await stage(
    [main([bash("touch x"), call("Write", { file_path: join(workspace, "y"), content: "" }), say("done")])],
    { workspace, permissions: "ask" },
  );
  expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, refusals: 2 });
  expect(messagesText(rehearsal, 1)).toMatch(/person's permission, and nobody is there to give it/);
  expect(existsSync(join(workspace, "x")) || existsSync(join(workspace, "y"))).toBe(false);
}, 60_000);

it.runIf(LONG)(
  "gives up a question when the run is interrupted",
  async () => {
    const channel = new HumanChannel();
    const asked: string[] = [];
    const { workspace, runtime } = await stage([main([bash("touch one.txt"), say("heard")])], {
      permissions: "ask",
      channel,
      onEvent: (event) => {
        if (event.type !== "ask" || event.phase !== "asked") return;
        asked.push(event.question);
        runtime.interrupt("leave that");
      },
    });
    expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, text: "heard", attempts: 1 });
    expect(asked).toHaveLength(1);
    expect(existsSync(join(workspace, "one.txt"))).toBe(false);
  },
  60_000,
);
