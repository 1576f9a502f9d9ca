import { statusCode } from "./status-code.ts";

/**
 * Words that flower itself says to a session. English in every locale: they are rules, and the model answers in the
 * language of the documents. None of them carries error details: what failed outside is not the session's business.
 */

/** After a transient fault, in the resumed session. */
export const RESUME_AFTER_FAULT =
  "The connection was lost and is back. Work that was under way may be half done: look at what is on disk, then go on from where you stopped.";

/** After an interruption with words; the words follow. */
export const AFTER_INTERRUPT = "The person interrupted you and says:";

/** In front of messages that reached flower while nobody could read them. */
export const MESSAGES_HEAD = "Messages from the person, sent while you were working:";

/** Reason of a cut; the model reads it. */
export const CUT = {
  handoff: "The context is nearly full. You will now be asked for a handoff document.",
  interrupt: "The person interrupted. Their words follow.",
  limit: "The limit of this step is used up.",
  loop: "The same calls brought the same results again and again. Stop here.",
  floor: "The context is already above the line at which a session hands over.",
} as const;

/** Once, to a thread that repeats itself. */
export const LOOP_NOTICE =
  "You have made the same calls several times, with the same results each time. Making them again will not change that. Do something else, or hand back what you have and say what is in the way.";

/** Reason of a refused call while the document is written. */
export const WRITING_NO_TOOLS =
  "This round only writes the handoff document, from what you already know. No tools: answer with the document.";

/** Reason of a call whose result might not leave room for the handoff document. */
export const HELD_BACK =
  "Held back: the context is nearly full, and the results of this batch's other calls may fill it up to what the handoff document needs. If you are asked for that document next, name this call under its next step, so that the session after you makes it; otherwise make it again.";

/** Reason of a refused call after an interruption. */
export const INTERRUPTED_NO_TOOLS =
  "The person interrupted the run. Do not start anything new: hand back what you have, and say what is unfinished.";

/** Behind the reason of a call that the person did not allow. */
export const DO_WITHOUT =
  "Do not try it in another form. Do without it, or go on with what is allowed, and say in your report what was left undone.";

/** In front of a person's own words about a call that they did not allow. */
export const PERSON_SAYS_NO = "The person did not allow this call, and says:";

/** Put over the report of a subagent that was cut, which the harness frames as a final one (0.3.332). */
export const CUT_REPORT =
  "[interrupted, not a final report] This subagent was stopped before it was done. What it had said last follows; its files are on disk. Check them, and send it again if the work is still wanted.";

/** Added to what the harness says of a subagent that an API error ended: easily read as "it failed at its task". */
const DIED_REPORT =
  "This subagent did not finish: an error of the API ended it, which says nothing about its task. What it had done is on disk. Check that, and send it again with what is left.";

/** Endpoints' words for too many requests at a time. */
const CROWDED = new RegExp(
  `concurren|rate.?limit|too many requests|increased too quickly|${statusCode("429")}`,
  "i",
);

const CROWDED_REPORT = "The endpoint refused it for too many requests at a time: send fewer agents at once.";

/** What stands over or under the harness's words for such a subagent, with what the API's error asks for. */
export function diedReport(error: string): string {
  return CROWDED.test(error) ? `${DIED_REPORT} ${CROWDED_REPORT}` : DIED_REPORT;
}

/** Put over what is known of a subagent whose final text reports nothing. */
export const EMPTY_REPORT =
  "[no report] The subagent ended without one. What follows is taken from its transcript; check the disk, and ask again if it is not enough.";
