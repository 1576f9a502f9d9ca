import { Brief, missingBriefPrompt } from "../documents/brief.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import { HEADINGS } from "../documents/wording.ts";
import { clarifier } from "../roles/roles.ts";
import type { StoredDocument } from "../workbench/documents.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { retireGoal } from "./goal.ts";
import { putAside } from "./put-aside.ts";
import { StepAbort, type Step } from "./step.ts";
import { WORKFLOW_TEXTS } from "./texts.ts";
import { together } from "./together.ts";
import { WOKEN } from "./workflow.ts";

/** A complete brief on disk, in whatever language, also one that a person has edited. */
export function frozenBrief(workbench: Workbench): StoredDocument | undefined {
  const found = workbench.readDocument(documentFileCandidates("brief"));
  return found !== undefined && Brief.parse(found.text).complete() ? found : undefined;
}

/** Where an incomplete brief lies: a person may have begun it, or taken out what they want to be asked about. */
function draft(workbench: Workbench): string | undefined {
  const found = workbench.readDocument(documentFileCandidates("brief"));
  if (found === undefined || Brief.parse(found.text).complete()) return undefined;
  return `A brief that is not complete lies in ${found.path}, maybe edited by the person. Read it, keep what it says, and ask for what is missing.`;
}

/** How often an incomplete brief is asked for again. */
const RETRIES = 1;

/**
 * Asks until the brief has its four sections, then freezes it; whatever else was written is dropped. Skipped when the
 * context or the disk already holds a complete brief, which is then in the context.
 * @param options `words`: what the person says at waking.
 */
export function clarifyStep(
  { host, workbench, channel, locale }: StarterParts,
  { words }: { words?: string | undefined } = {},
): Step<StarterContext> {
  const said = words === undefined ? undefined : `The person says:\n\n${words}`;
  return {
    name: "clarify",
    spec: clarifier({ channel, locale }),
    prompt: ({ request }) =>
      together(request, words === undefined || request.endsWith(words) ? undefined : words, draft(workbench)),
    resumePrompt: () => together(WOKEN, said, draft(workbench)),
    successorPrompt: (handoff) => together(handoff, said, draft(workbench)),
    when: (context) => {
      const brief = context.brief ?? frozenBrief(workbench)?.text;
      if (brief !== undefined) context.brief = brief;
      return brief === undefined;
    },
    retries: RETRIES,
    gate: ({ text }, _context, attempt) => {
      const missing = Brief.parse(text).missing();
      if (missing.length === 0) return true;
      if (attempt <= RETRIES) return { rejected: missingBriefPrompt(missing, locale) };
      // What is said to the model is no reason for the person.
      const headings = missing.map((name) => HEADINGS.brief[name][locale]).join(", ");
      throw new StepAbort(WORKFLOW_TEXTS[locale].noBrief(headings));
    },
    reduce: ({ text }, context) => {
      context.brief = Brief.parse(text).toMarkdown(locale);
      putAside(host, workbench, "clarify", "brief");
      workbench.freezeDocument(documentFileName("brief", locale), context.brief);
      host.lineage.putIntoBrief?.();
      // A goal that is already there came from another brief.
      retireGoal(workbench);
      delete context.goal;
    },
  };
}
