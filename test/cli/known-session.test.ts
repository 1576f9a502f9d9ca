import { expect, it } from "vitest";
import { callToGoOn } from "../../src/cli/known-session.ts";
import { say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const NEW = "11111111-2222-4333-8444-555555555555";

it("to go on is offered in a session that is stored, or once more in the one it was to come from", async () => {
  const { runtime } = await stage([main(() => say("done"))]);
  const { sessionId: stored = "" } = await runtime.run(SPEC, "do it");
  const places = runtime.options;
  const call = async (id: string | undefined, options: object) => {
    const made = await callToGoOn(id, "it's on", { fork: false, ...options }, places);
    return made === undefined ? undefined : [made.begin, ...made.end].join(" ");
  };
  expect(await call(stored, {})).toBe(`flower once --resume ${stored} "go on"`);
  expect(await call(NEW, {})).toBeUndefined();
  expect(await call(NEW, { resume: stored, fork: true })).toBe(
    `flower once --resume ${stored} --fork 'it'\\''s on'`,
  );
  expect(await call(NEW, { resume: stored, fork: true, resumeAt: NEW })).toBeUndefined();
  expect(await call(NEW, { resume: NEW })).toBeUndefined();
});
