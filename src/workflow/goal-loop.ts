import { basename, join } from "node:path";
import { FlowerError } from "../core/errors.ts";
import type { Locale } from "../core/locale.ts";
import { Goal } from "../documents/goal.ts";
import { documentFileCandidates, documentFileName } from "../documents/names.ts";
import type { Verdict } from "../documents/verdict.ts";
import { HEADINGS, VERDICT_WORDS } from "../documents/wording.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { StepAbort, type GateAnswer, type Step } from "./step.ts";
import { WORKFLOW_TEXTS } from "./texts.ts";
import { changedPaths, hashTree } from "./tree-hash.ts";
import { judgeRound, type JudgeOptions } from "./verdict.ts";

/** How often work may be done, each time with a verdict. */
const ROUNDS = 3;

/** Options of {@link withGoal}. */
export interface GoalLoopOptions extends JudgeOptions {
  /** Rounds in all, at least 1. Default 3. */
  rounds?: number;
}

/**
 * Puts an independent judge behind a step: achieved ends it, not yet sends the same session into another round with
 * what is missing, unreachable asks the person. A gate of the step's own goes first; its `retries` are replaced.
 * @throws FlowerError `usage` when `rounds` is no whole number from 1 on.
 */
export function withGoal(
  step: Step<StarterContext>,
  parts: StarterParts,
  options: GoalLoopOptions,
): Step<StarterContext> {
  const { rounds = ROUNDS } = options;
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new FlowerError("usage", `rounds is ${rounds}`, { nextStep: "give a whole number from 1 on" });
  const texts = WORKFLOW_TEXTS[parts.locale];
  let verdicts = 0;
  const last: LastVerdict = { verdict: undefined, tree: undefined };
  /** What the person said against earlier verdicts: every later judge needs it, or would rule the same again. */
  const objections: string[] = [];

  const rule = async (context: StarterContext, attempt: number): Promise<GateAnswer> => {
    verdicts += 1;
    const stepName = `${step.name}·verdict#${verdicts}`;
    const ruling = await judgeRound(parts, options, context, stepName, objections);
    if ("notJudged" in ruling) {
      const isSpoken = ruling.run?.status === "interrupted" && (await parts.host.hasWords?.()) === true;
      if (isSpoken && attempt < rounds) return { rejected: BROKEN_OFF };
      throw new StepAbort(texts.notJudged(ruling.notJudged), ruling.run);
    }
    const { verdict } = ruling;
    context.verdicts.push(verdict);
    announce(parts, stepName, verdict);
    if (verdict.conclusion === "achieved") return true;
    if (verdict.conclusion === "unreachable") return unreachable(context, verdict, attempt);
    if (await repeats(parts, options, verdict, last))
      return unreachable(
        context,
        verdict,
        attempt,
        texts.circling(missingText(verdict, parts.locale)),
        texts.stayedCircling(missingText(verdict, parts.locale)),
      );
    last.verdict = missingText(verdict);
    if (attempt >= rounds) throw new StepAbort(texts.notYet(rounds, missingText(verdict, parts.locale)));
    return {
      rejected: `An independent judge looked at the work: ${VERDICT_WORDS.notYet.en}.\n\n${missingText(verdict)}\n\n${GO_ON}`,
    };
  };

  const unreachable = async (
    context: StarterContext,
    verdict: Verdict,
    attempt: number,
    question = texts.unreachable(verdict.reason),
    unanswered = texts.stayedUnreachable(verdict.reason),
  ): Promise<GateAnswer> => {
    const [accept, change, wrong] = texts.choices;
    const ask = async (text: string, choices: readonly string[] = []): Promise<string> => {
      const outcome = await parts.channel.ask(text, choices);
      if ("answer" in outcome) return outcome.answer;
      throw new StepAbort(unanswered);
    };
    const answer = await ask(question, texts.choices);
    if (answer === accept) return true;
    if (answer === wrong) {
      objections.push(await ask(texts.whatIsWrong));
      return rule(context, attempt);
    }
    // Words of the person's own instead of an option are what the goal should say.
    const words = answer === change ? await ask(texts.newGoal) : answer;
    appendToGoal(parts, context, words);
    if (attempt >= rounds) throw new StepAbort(texts.changedTooLate(rounds));
    return { rejected: `The person changed the goal: ${words}\n\n${missingText(verdict)}\n\n${GO_ON}` };
  };

  return {
    ...step,
    retries: rounds - 1,
    gate: async (result, context, attempt) => {
      const own = (await step.gate?.(result, context, attempt)) ?? true;
      return own === true ? rule(context, attempt) : own;
    },
  };
}

/** The verdict before, and the workspace as it was judged. */
interface LastVerdict {
  verdict: string | undefined;
  tree: ReadonlyMap<string, string> | undefined;
}

/** Whether a "not yet" says the same as the one before although nothing was changed: a further round would, too. */
async function repeats(
  { workbench }: StarterParts,
  { runDir }: GoalLoopOptions,
  verdict: Verdict,
  last: LastVerdict,
): Promise<boolean> {
  // Looking at the state of a repository writes its index anew.
  const index = join(workbench.workspace, ".git", "index");
  const tree = await hashTree(workbench.workspace, [runDir, workbench.paths.root, index]);
  const before = last.tree;
  last.tree = tree;
  return (
    before !== undefined && last.verdict === missingText(verdict) && changedPaths(before, tree).length === 0
  );
}

const BROKEN_OFF =
  "Your work was being judged, and the person broke that off with the words that follow. It will be judged again when you are done.";

const GO_ON = "Go on: have what is missing done, then say again what was made and how it was checked.";

/** @param locale of whoever reads it. Default: a model. */
function missingText(verdict: Verdict, locale: Locale = "en"): string {
  const failed = verdict.failed.map((line) => `- ${line}`).join("\n");
  return [failed === "" ? "" : `${HEADINGS.verdict.failed[locale]}:\n${failed}`, verdict.reason]
    .filter((text) => text !== "")
    .join("\n\n");
}

function announce({ host, locale }: StarterParts, step: string, verdict: Verdict): void {
  const word = VERDICT_WORDS[verdict.conclusion][locale];
  const failed = verdict.failed.length === 0 ? "" : `: ${verdict.failed.join("; ")}`;
  host.emit(step, { type: "system", level: "info", message: `${word}${failed}` });
}

/** The change becomes one more check, in the frozen file and for the judge. */
function appendToGoal({ workbench, locale }: StarterParts, context: StarterContext, words: string): void {
  const check = words.trim().replace(/\s*\n\s*/g, " ");
  context.goal = new Goal(context.goal?.statement ?? check, [...(context.goal?.checks ?? []), check]);
  const found = workbench.readDocument(documentFileCandidates("goal"));
  // The file may have been edited since it was read: it is added to, not written anew.
  if (found === undefined)
    workbench.freezeDocument(documentFileName("goal", locale), context.goal.toMarkdown(locale));
  else workbench.freezeDocument(basename(found.path), `${found.text.trimEnd()}\n- ${check}\n`);
}
