/** Why a question came back without an answer. None of these is an error. */
export type Fallthrough = "timeout" | "quota" | "skipped" | "nobody";

/** What became of a question. */
export type AskOutcome = { answer: string } | { fallthrough: Fallthrough };

const HAPPENED: Readonly<Record<Fallthrough, string>> = {
  timeout: "Nobody answered in time.",
  quota: "No question is left: the number that the person allows is used up.",
  skipped: "The person skipped this question.",
  nobody: "Nobody is there to answer.",
};

/** What the model reads: the answer, or that it has to decide by itself and where to write the assumption. */
export function outcomeText(outcome: AskOutcome, unknownsHeading: string): string {
  if ("answer" in outcome) return outcome.answer;
  return `${HAPPENED[outcome.fallthrough]} Decide yourself, and write the assumption you make into the section “${unknownsHeading}”.`;
}

/**
 * An answer as it is meant: the text of an option, or its number (`2`, `2.`, `2)`, full-width digits too), stands for
 * the option. The text goes first, for options may be numbers themselves. Anything else is taken as it is, trimmed.
 */
export function pickOption(text: string, options: readonly string[]): string {
  const said = text.trim();
  if (options.includes(said)) return said;
  const digits = /^(\d{1,3})[.)]?$/.exec(said.normalize("NFKC"))?.[1];
  return (digits === undefined ? undefined : options[Number(digits) - 1]) ?? said;
}
