import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorText } from "../core/errors.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { collectFacts } from "./handoff-facts.ts";
import { freezeHandoff } from "./handoff-files.ts";
import { writeHandoff, type HandoffParts } from "./handoff-round.ts";
import type { Lineage } from "./lineage.ts";
import type { ResolvedOptions, RuntimeOptions } from "./options.ts";
import type { Patience } from "./patience.ts";
import type { Secrets } from "./secrets.ts";
import type { Handover, LiveSession, NoHandover } from "./step-context.ts";

/** What all changes of generation of a runtime share. */
export interface HandoffDeskOptions {
  options: ResolvedOptions;
  workbench: Workbench | undefined;
  lineage: Lineage;
  patience: Patience;
  secrets: Secrets;
  review: RuntimeOptions["reviewHandoff"];
}

/** What one change of generation brings along. */
export type HandoffCase = Pick<
  HandoffParts,
  | "step"
  | "prompt"
  | "reason"
  | "books"
  | "book"
  | "failed"
  | "isOwed"
  | "reopen"
  | "breakIn"
  | "onGeneration"
  | "overflowed"
  | "emit"
> & {
  /** Lineage entry that notes how far it has come; null = none. */
  lineageStep: string | null;
};

/**
 * Tells whether a path is there that a document names: from `~`, absolute, or from one of these places. `INDEX.md`, for
 * one, lists what is in the workbench from there.
 */
export function existsIn(places: readonly string[], home: string): (path: string) => boolean {
  return (path) => places.some((place) => existsSync(resolve(place, path.replace(/^~(?=\/)/, home))));
}

/** Changes generations: joins the round that writes with disk, lineage and waiting. */
export class HandoffDesk {
  readonly #desk: HandoffDeskOptions;

  constructor(desk: HandoffDeskOptions) {
    this.#desk = desk;
  }

  /** Has the session write its document, freezes it, and makes the successor's prompt. */
  async handOver(
    live: LiveSession,
    { lineageStep, ...handoff }: HandoffCase,
  ): Promise<Handover | NoHandover> {
    const { options, workbench, lineage, patience, secrets } = this.#desk;
    const { workspace, env, home, locale } = options;
    return writeHandoff(live, {
      ...handoff,
      locale,
      review: this.#desk.review,
      exists: existsIn([workspace, ...(workbench === undefined ? [] : [workbench.paths.root])], home),
      redactor: () => secrets.forDocuments(),
      facts: async ({ session, turn }, redact) =>
        collectFacts({
          redact,
          env,
          workspace,
          workbench: workbench?.paths,
          // The document is there: a store that has gone meanwhile takes the facts of the transcript along, no more.
          transcript: await session.transcript().catch(() => ({ main: [], subagents: [] })),
          generation: turn.generation,
        }),
      waitForRetry: async (attempt, failure) =>
        patience.beforeRetry(attempt, failure, { emit: handoff.emit, breakIn: handoff.breakIn }),
      waitForLimit: async (attempt, failure) =>
        patience.untilLimitIsOver(attempt, failure, { emit: handoff.emit, breakIn: handoff.breakIn }),
      freeze: (text) =>
        freezeHandoff(workbench, { step: lineageStep ?? handoff.step, locale, text }, (message) =>
          handoff.emit({ type: "system", level: "warning", message }),
        ),
      reread: (path) => readFileSync(path, "utf8"),
      onPhase: (phase) => {
        const { sessionId } = live.session;
        if (lineageStep === null || sessionId === undefined) return;
        const { generation, context } = live.turn;
        try {
          lineage.set(lineageStep, {
            sessionId,
            ...(phase === "put off" ? {} : { handoff: phase }),
            ...(generation > 1 ? { generation } : {}),
            ...(phase === "put off" ? {} : { cut: { reason: handoff.reason, context } }),
          });
        } catch (error) {
          // The document is worth more than the note; the successor's own stops the step.
          handoff.emit({ type: "system", level: "warning", message: errorText(error) });
        }
      },
    });
  }
}
