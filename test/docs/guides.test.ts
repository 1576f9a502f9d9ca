import { describe, expect, it } from "vitest";
import { pageText } from "./pages.ts";

/** One guide for each mechanism. */
const GUIDES = [
  "clarify",
  "goal",
  "context-economy",
  "handoff",
  "continuity",
  "resilience",
  "permissions",
  "isolation",
  "interaction",
  "workflows",
];

describe.each(GUIDES)("the guide %s", (name) => {
  const text = pageText(`docs/guides/${name}.md`);

  it.each([
    ["a problem", /^## The problem$/m],
    ["something to start with", /^## The smallest (code|command)$[^#]*^```(ts|js|sh)/m],
    ["what happens, step by step", /^## What really happens$/m],
    ["figures", /^## Figures/m],
    ["when not to use it", /^## When not to use it$/m],
    ["what to turn when something is amiss", /^## Symptom → knob\n\n\| symptom/m],
  ])("has %s", (_what, pattern) => {
    expect(text).toMatch(pattern);
  });
});
