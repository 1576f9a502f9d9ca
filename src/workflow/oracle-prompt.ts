/** A question and what was answered. */
export interface QuestionAndAnswer {
  question: string;
  answer: string;
}

/** What an oracle's prompt is made of. */
export interface OraclePromptParts {
  /** As the person typed it. */
  question: string;
  /** What happened last, oldest first. */
  events: readonly string[];
  /** Where to look, by what is there; undefined = not there yet. */
  places: Readonly<Record<string, string | undefined>>;
  /** Asked before, oldest first. */
  earlier: readonly QuestionAndAnswer[];
  /** When the question is asked, epoch ms. */
  nowMs: number;
}

/** Characters of an earlier answer that go along: a short answer has fewer. */
const EARLIER_CHARS = 2_000;

/** The prompt of a side question. The question stands last, so that nothing that the run said comes after it. */
export function oraclePrompt({ question, events, places, earlier, nowMs }: OraclePromptParts): string {
  return [
    "A person who watches the run asks you a side question. It stands at the end.",
    events.length === 0
      ? "The run has not said anything yet."
      : `What the run did last, oldest first, times in UTC; it is ${new Date(nowMs).toISOString().slice(0, 19)} now:\n\n${events.join("\n")}`,
    `Where to look:\n\n${Object.entries(places)
      .map(([what, path]) => `- ${what}: ${path ?? "not there yet"}`)
      .join("\n")}`,
    ...(earlier.length === 0
      ? []
      : [
          `Asked and answered before:\n\n${earlier
            .map((pair) => `Question: ${pair.question}\nAnswer: ${pair.answer.slice(0, EARLIER_CHARS)}`)
            .join("\n\n")}`,
        ]),
    `The question:\n\n${question}`,
  ].join("\n\n");
}
