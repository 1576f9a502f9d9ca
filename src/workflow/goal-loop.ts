import { appendFileSync } from "node:fs";
import { Goal } from "../documents/goal.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import type { Verdict } from "../documents/verdict.ts";
import { VERDICT_WORDS } from "../documents/wording.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { StepAbort, type GateAnswer, type Step } from "./step.ts";
import { judgeRound, type JudgeOptions } from "./verdict.ts";

/** How often work may be done, each time with a verdict. */
const ROUNDS = 3;

/** Options of {@link withGoal}. */
export interface GoalLoopOptions extends JudgeOptions {
  /** Rounds in all. Default 3. */
  rounds?: number;
}

const CHOICES = ["accept the work as it is", "change the goal", "the judge is wrong"] as const;

/**
 * Puts an independent judge behind a step: achieved ends it, not yet sends the same session into another round with
 * what is missing, unreachable asks the person.
 */
export function withGoal(
  step: Step<StarterContext>,
  parts: StarterParts,
  options: GoalLoopOptions,
): Step<StarterContext> {
  let verdicts = 0;
  const rule = async (context: StarterContext, words?: string): Promise<GateAnswer> => {
    verdicts += 1;
    const ruling = await judgeRound(parts, options, context, `${step.name}·verdict#${verdicts}`, words);
    if ("notJudged" in ruling) throw new StepAbort(`not judged: ${ruling.notJudged}`);
    const { verdict } = ruling;
    context.verdicts.push(verdict);
    announce(parts, `${step.name}·verdict#${verdicts}`, verdict);
    if (verdict.conclusion === "achieved") return true;
    if (verdict.conclusion === "notYet") return { rejected: missingText(verdict) };
    return unreachable(context, verdict);
  };

  const unreachable = async (context: StarterContext, verdict: Verdict): Promise<GateAnswer> => {
    const answer = await askPerson(
      parts,
      `The judge says the goal cannot be reached: ${verdict.reason}`,
      CHOICES,
    );
    if (answer === undefined) throw new StepAbort(`unreachable: ${verdict.reason}`);
    if (answer === CHOICES[0]) return true;
    if (answer === CHOICES[2]) {
      const why = await askPerson(parts, "What does the judge get wrong?", []);
      if (why === undefined) throw new StepAbort(`unreachable: ${verdict.reason}`);
      return rule(context, why);
    }
    const change =
      answer === CHOICES[1] ? await askPerson(parts, "What should the goal say instead?", []) : answer;
    if (change === undefined) throw new StepAbort(`unreachable: ${verdict.reason}`);
    appendToGoal(parts, context, change);
    return { rejected: `The person changed the goal: ${change}\n\n${missingText(verdict)}` };
  };

  return {
    ...step,
    retries: (options.rounds ?? ROUNDS) - 1,
    keepAlive: true,
    gate: async (_result, context) => rule(context),
    onReject: (reason) =>
      `An independent judge looked at the work: ${VERDICT_WORDS.notYet.en}.\n\n${reason}\n\nGo on: have what is missing done, then say again what was made and how it was checked.`,
  };
}

function missingText(verdict: Verdict): string {
  const failed = verdict.failed.map((line) => `- ${line}`).join("\n");
  return [failed === "" ? "" : `Failed:\n${failed}`, verdict.reason]
    .filter((text) => text !== "")
    .join("\n\n");
}

function announce({ host, locale }: StarterParts, step: string, verdict: Verdict): void {
  const word = VERDICT_WORDS[verdict.conclusion][locale];
  const failed = verdict.failed.length === 0 ? "" : `: ${verdict.failed.join("; ")}`;
  host.emit(step, { type: "system", level: "info", message: `${word}${failed}` });
}

async function askPerson(
  { channel }: StarterParts,
  question: string,
  options: readonly string[],
): Promise<string | undefined> {
  const outcome = await channel.ask(question, options);
  return "answer" in outcome ? outcome.answer : undefined;
}

/** The change becomes one more check, in the frozen file and for the judge. */
function appendToGoal({ workbench, locale }: StarterParts, context: StarterContext, change: string): void {
  const goal = new Goal(context.goal?.statement ?? change, [...(context.goal?.checks ?? []), change]);
  context.goal = goal;
  const found = workbench.readDocument(documentFileCandidates("goal"));
  if (found === undefined)
    workbench.freezeDocument(documentFileName("goal", locale), goal.toMarkdown(locale));
  else appendFileSync(found.path, `- ${change.replace(/\s*\n\s*/g, " ")}\n`);
}
