import { Brief, missingBriefPrompt } from "../documents/brief.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import { clarifier } from "../roles/roles.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import type { Step } from "./step.ts";

/** A complete brief on disk, in whatever language, also one that a person has edited. */
export function frozenBrief(workbench: Workbench): { path: string; text: string } | undefined {
  const found = workbench.readDocument(documentFileCandidates("brief"));
  return found !== undefined && Brief.parse(found.text).complete() ? found : undefined;
}

/**
 * Asks until the brief has its four sections, then freezes it; whatever else was written is dropped. Skipped when the
 * context already holds a brief.
 */
export function clarifyStep(parts: StarterParts): Step<StarterContext> {
  const { workbench, channel, locale } = parts;
  return {
    name: "clarify",
    spec: clarifier({ channel, locale }),
    prompt: ({ request }) => request,
    when: ({ brief }) => brief === undefined,
    retries: 1,
    gate: ({ text }) => {
      const brief = Brief.parse(text);
      return brief.complete() ? true : { rejected: missingBriefPrompt(brief.missing(), locale) };
    },
    reduce: ({ text }, context) => {
      context.brief = Brief.parse(text).toMarkdown(locale);
      workbench.freezeDocument(documentFileName("brief", locale), context.brief);
    },
  };
}
