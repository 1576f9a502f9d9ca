import type { Locale } from "../core/locale.ts";
import { stepDisplayName } from "../documents/names.ts";
import { clockText, costText, durationText, tokensText, windowText } from "./figures.ts";
import { fieldLines } from "./run-view-print.ts";
import type { StatusView } from "./run-view-status.ts";
import { RUN_VIEW_TEXTS } from "./run-view-texts.ts";
import { eventText, stateText } from "./state-texts.ts";
import type { RunView } from "./run-view.ts";
import { STATUS_TEXTS } from "./status-texts.ts";
import { textsFor } from "./texts.ts";

type Field = readonly [label: string, ...lines: string[]];

/** `flower status` as text. Of a run that is over, what it was doing at the end is left out. */
export function statusLines(
  status: StatusView,
  view: RunView,
  { locale, nowMs }: { locale: Locale; nowMs: number },
): string[] {
  const texts = STATUS_TEXTS[locale];
  const isRunning = status.state === "running";
  if (status.state === "fresh") return [texts.states.fresh, ...nextLines(status, locale)];
  return [
    headline(status, locale, nowMs),
    ...fieldLines([
      ...stepField(view, locale, nowMs),
      ...levelField(view, locale),
      ...(isRunning ? doingFields(view, locale, nowMs) : endFields(status, locale)),
      ...lastField(view, locale, nowMs),
      ...costField(status, locale),
    ]),
    ...nextLines(status, locale),
  ];
}

function headline({ state, run, holder }: StatusView, locale: Locale, nowMs: number): string {
  const texts = STATUS_TEXTS[locale];
  return [
    texts.states[state],
    ...(run === null ? [] : [`${texts.run} ${run}`]),
    ...(holder === null
      ? []
      : [
          texts.process(holder.pid, holder.host),
          texts.since(durationText(Math.max(0, nowMs - Date.parse(holder.since)))),
        ]),
  ].join(" · ");
}

function stepField({ step }: RunView, locale: Locale, nowMs: number): Field[] {
  if (step === null) return [];
  const texts = STATUS_TEXTS[locale];
  const place = step.index === null ? "" : ` ${step.index}/${step.total ?? "?"}`;
  const time = durationText(Math.max(0, (step.endedMs ?? nowMs) - step.startedMs));
  const name = stepDisplayName(step.id, locale);
  return [
    [texts.step, `${name}${place}${step.phase === "started" ? ` · ${texts.since(time)}` : ` · ${time}`}`],
  ];
}

function levelField({ level, handoffs }: RunView, locale: Locale): Field[] {
  const [texts, words] = [STATUS_TEXTS[locale], textsFor(locale)];
  const parts = [
    ...(level === null ? [] : [`${tokensText(level.context)}/${windowText(level.window)}`]),
    ...(level === null || level.at === null
      ? []
      : [words.toHandoff(tokensText(Math.max(0, level.at - level.context)))]),
    ...(handoffs === 0 ? [] : [texts.handoffs(handoffs)]),
  ];
  return parts.length === 0 ? [] : [[texts.context, parts.join(" · ")]];
}

function doingFields(view: RunView, locale: Locale, nowMs: number): Field[] {
  const texts = STATUS_TEXTS[locale];
  const { wait } = view;
  const left = (untilMs: number): string => durationText(Math.max(0, untilMs - nowMs));
  return [
    ...view.questions.map(({ question, options, untilMs }): Field => {
      const until = untilMs === null ? undefined : clockText(untilMs, nowMs);
      const choices = options.map((option, i) => `  ${i + 1}) ${option}`);
      return [texts.question, ...question.split("\n"), ...choices, `(${texts.answerThere(until)})`];
    }),
    ...(wait === null
      ? []
      : [
          [
            texts.waiting,
            wait.kind === "limit"
              ? texts.limitUntil(clockText(wait.untilMs, nowMs), left(wait.untilMs))
              : texts.retryUntil(wait.attempt, wait.maxAttempts, left(wait.untilMs)),
            wait.reason,
          ] as const,
        ]),
    ...(view.writesHandoff ? [[texts.now, texts.writesHandoff] as const] : []),
    ...(view.writesHandoff || view.doing === null ? [] : [[texts.now, view.doing] as const]),
    ...(view.agents.length === 0
      ? []
      : [
          [
            texts.agents,
            ...view.agents.map(({ description, startedMs, doing }) =>
              [
                description,
                durationText(Math.max(0, nowMs - startedMs)),
                ...(doing === null ? [] : [doing]),
              ].join(" · "),
            ),
          ] as const,
        ]),
  ];
}

function endFields({ state, reason, verdict }: StatusView, locale: Locale): Field[] {
  const [texts, words] = [STATUS_TEXTS[locale], textsFor(locale)];
  const verdictWords = {
    achieved: words.verdictAchieved,
    notYet: words.verdictNotYet,
    unreachable: words.verdictUnreachable,
  };
  return [
    ...(verdict === null ? [] : [[texts.verdict, verdictWords[verdict]] as const]),
    ...(reason === null ? [] : [[texts.reason, ...reason.split("\n")] as const]),
    ...(state === "stopped" && reason === null && verdict === null
      ? [[texts.verdict, texts.notJudged] as const]
      : []),
  ];
}

function lastField({ lastEvent, step }: RunView, locale: Locale, nowMs: number): Field[] {
  if (lastEvent === null) return [];
  const { type, phase, timeMs, text } = lastEvent;
  // Its name may be of the language that the run was in.
  const name = type === "step" && step !== null ? stepDisplayName(step.id, locale) : text;
  const words = [eventText(type, locale), name, phase === null ? "" : stateText(phase, locale)];
  const ago = RUN_VIEW_TEXTS[locale].ago(durationText(Math.max(0, nowMs - timeMs)));
  return [[STATUS_TEXTS[locale].last, `${ago} · ${words.filter((word) => word !== "").join(": ")}`]];
}

function costField({ cost: { runUsd, totalUsd, isEstimate } }: StatusView, locale: Locale): Field[] {
  const texts = STATUS_TEXTS[locale];
  return [[texts.cost, texts.costs(costText(runUsd, isEstimate), costText(totalUsd, isEstimate))]];
}

function nextLines({ next }: StatusView, locale: Locale): string[] {
  const texts = STATUS_TEXTS[locale];
  return next === null ? [] : [`${texts.next}: ${next}`, `  (${texts.nextWords})`];
}
