import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

it("a key that a tool prints does not reach the model", async () => {
  // In two parts, so that the call itself does not hold it.
  const { runtime, rehearsal } = await stage([
    main([call("Bash", { command: "printf 'key=%s-%s.\\n' sk-ant rehearsal" }), say("done")]),
  ]);
  expect(rehearsal.env["ANTHROPIC_API_KEY"]).toBe("sk-ant-rehearsal");
  await runtime.run(SPEC, "do it");
  expect(messagesText(rehearsal, 1)).toContain("key=[secret removed].");
  expect(messagesText(rehearsal, 1)).not.toContain("sk-ant-rehearsal");
});

it("a key that the model says does not reach the events", async () => {
  const { runtime } = await stage([main([say("it is sk-ant-rehearsal.")])]);
  await runtime.run(SPEC, "do it");
  const events = await readFile(runtime.eventsPath, "utf8");
  expect(events).toContain("it is [secret removed].");
  expect(events).not.toContain("sk-ant-rehearsal");
});

it("a command does not see the auth token that the harness goes by", async () => {
  const { runtime, rehearsal } = await stage(
    [main([call("Bash", { command: 'echo "token=${ANTHROPIC_AUTH_TOKEN:-none}."' }), say("done")])],
    {},
    {},
    { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "a-token-of-the-gateway" },
  );
  const result = await runtime.run(SPEC, "do it");
  expect(result.ok).toBe(true);
  expect(messagesText(rehearsal, 1)).toContain("token=none.");
});
