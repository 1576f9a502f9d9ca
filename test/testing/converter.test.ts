import { expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { handoffPrompt } from "../../src/documents/handoff.ts";
import { converterScenario, type RehearsalRequest } from "../../src/testing/index.ts";
import { COORDINATOR_RULES } from "../../src/roles/rules.ts";

// Fails when the play looks for the headings of one language: the document is never written, and the demo ends badly.
it.each(LOCALES)("the demo's coordinator writes its handoff when asked in %s", (locale) => {
  const request = {
    isSubagent: false,
    system: COORDINATOR_RULES,
    lastUserText: handoffPrompt({ used: 1, window: 2, locale }),
    turnCount: 5,
    messages: [],
    toolResults: [],
  } as unknown as RehearsalRequest;
  const actor = converterScenario.actors.find(({ when }) => when(request));
  expect(actor?.name).toBe("coordinator");
  expect(JSON.stringify((actor?.script as (r: RehearsalRequest) => unknown)(request))).toContain(
    "## Doing now",
  );
});
