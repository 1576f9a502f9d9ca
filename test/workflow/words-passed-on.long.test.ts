import { expect, it } from "vitest";
import { judge } from "../../src/roles/roles.ts";
import { say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

const WORDS = "use tabs";

/** Interrupts the step that is asked for `who`, as its reply is under way, and has another one follow. */
async function followed(wordsFor: "next" | "both") {
  const at = await stage([
    main((request) => {
      if (!request.lastUserText.startsWith("rule")) return say("heard");
      at.runtime.interrupt(WORDS);
      return { ...say("ruled"), delayMs: 300 };
    }),
  ]);
  const ruled = await at.runtime.run(judge({ mode: "goal", locale: "en" }), "rule", {
    stepName: "rule",
    lineageStep: null,
    wordsFor,
  });
  const waits = await at.runtime.hasWords();
  const worked = await at.runtime.run(SPEC, "work on");
  const told = at.rehearsal.journal.filter(({ lastUserText }) => lastUserText.includes(WORDS));
  return { ruled, waits, worked, told: told.map(({ lastUserText }) => lastUserText.split("\n")[0]) };
}

// Fails when words go to whichever session is at work: a judge would rule by them, and the work never hear them.
it("a step whose words are for the next ends at once, and the next hears them", async () => {
  const { ruled, waits, worked, told } = await followed("next");
  expect(ruled).toMatchObject({ ok: false, status: "interrupted" });
  expect(waits).toBe(true);
  expect(worked).toMatchObject({ ok: true, text: "heard" });
  expect(told).toEqual(["work on"]);
});

it("a step whose words are for both goes on with them, and the next hears them too", async () => {
  const { ruled, worked, told } = await followed("both");
  expect(ruled).toMatchObject({ ok: true, attempts: 1 });
  expect(worked).toMatchObject({ ok: true, text: "heard" });
  expect(told).toHaveLength(2);
  expect(told.at(-1)).toBe("work on");
});
