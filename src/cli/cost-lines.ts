import type { Locale } from "../core/locale.ts";
import type { TokenCounts } from "../core/tokens.ts";
import { stepDisplayName } from "../documents/names.ts";
import { COST_TEXTS } from "./cost-texts.ts";
import { costText, tokensText } from "./figures.ts";
import { addCosts, type CostSum, type CostView, type StepCost } from "./run-view-costs.ts";
import { tableLines } from "./run-view-print.ts";
import { stateText } from "./state-texts.ts";

/** Session ids are told apart by this many characters, as git does it. */
const SHORT_ID_CHARS = 8;
/** Columns with figures: turns, tokens, cache share, cost. */
const FIGURES = [2, 3, 4, 5, 6];

/** A sum from event files; US dollars. */
export type CostByEvents = Pick<CostSum, "costUsd" | "isEstimate">;

/** What stands beside the costs in the books. */
export interface CostAddenda {
  /** What the runtime of questions aside cost, when it was ever used. */
  aside?: CostSum | undefined;
  /** In place of books that cannot be read. */
  byEvents?: CostByEvents | undefined;
  locale: Locale;
}

/** `flower cost` as text. */
export function costLines({ runs, total }: CostView, { aside, byEvents, locale }: CostAddenda): string[] {
  const texts = COST_TEXTS[locale];
  if (byEvents !== undefined) {
    const { costUsd, isEstimate } = byEvents;
    return [
      texts.byEvents(costText(costUsd, isEstimate)),
      ...(aside === undefined ? [] : [`${texts.aside}: ${costText(aside.costUsd, aside.isEstimate)}`]),
      ...(isEstimate ? [texts.estimate] : []),
    ];
  }
  if (runs.length === 0) return [texts.none];
  const { step, session, turns, main, subagents, cache, cost } = texts;
  const all = aside === undefined ? total : addCosts(total, aside);
  const rows = [
    [step, session, turns, main, subagents, cache, cost],
    ...runs.flatMap(({ run, steps, sum }) => [
      [`${texts.run} ${run}`],
      ...steps.flatMap((each) => stepRows(each, locale)),
      ...(runs.length > 1 ? [sumRow(`  ${texts.sum}`, sum)] : []),
    ]),
    ...(aside === undefined ? [] : [sumRow(texts.aside, aside)]),
    sumRow(texts.total, all),
  ];
  return [...tableLines(rows, FIGURES), ...(all.isEstimate ? [texts.estimate] : [])];
}

function stepRows(step: StepCost, locale: Locale): string[][] {
  const texts = COST_TEXTS[locale];
  const { isEstimate, generations, predecessorCostUsd } = step;
  const status = step.status === "done" ? "" : ` (${stateText(step.status, locale)})`;
  return [
    [
      `  ${stepDisplayName(step.step, locale)}${status}`,
      shortId(step.sessionId ?? ""),
      String(step.turns),
      inOut(step.tokens.main),
      inOut(step.tokens.subagents),
      share(step.cacheShare),
      costText(step.costUsd, isEstimate),
    ],
    // One that never handed over is the step.
    ...(generations.every(({ handoff }) => handoff === null) ? [] : generations).map((each, i) => {
      const { handoff } = each;
      return [
        `    ${texts.generation(i + 1)}`,
        shortId(each.sessionId),
        "",
        texts.both(inOut(each.tokens)),
        "",
        share(each.cacheShare),
        costText(each.costUsd, isEstimate),
        handoff === null ? "" : texts.handedOver(tokensText(handoff.context), handoff.reason),
        handoff?.degraded === true ? texts.degraded : "",
      ];
    }),
    ...(predecessorCostUsd === 0
      ? []
      : [[`    ${texts.predecessor}`, "", "", "", "", "", costText(predecessorCostUsd, isEstimate)]]),
  ];
}

function sumRow(name: string, { turns, tokens, cacheShare, costUsd, isEstimate }: CostSum): string[] {
  const figures = [inOut(tokens.main), inOut(tokens.subagents), share(cacheShare)];
  return [name, "", String(turns), ...figures, costText(costUsd, isEstimate)];
}

/** The first characters of a session id, enough for `flower log`. */
export function shortId(sessionId: string): string {
  return sessionId.slice(0, SHORT_ID_CHARS);
}

function inOut({ input, cacheRead, cacheWrite, output }: TokenCounts): string {
  const all = input + cacheRead + cacheWrite;
  return all + output === 0 ? "-" : `${tokensText(all)}/${tokensText(output)}`;
}

function share(cacheShare: number | null): string {
  return cacheShare === null ? "-" : `${Math.round(100 * cacheShare)}%`;
}
