import type { AgentSpec } from "../core/spec.ts";
import type { EventDraft } from "../core/events.ts";
import type { TokenCounts } from "../core/tokens.ts";
import type { RunStepOptions } from "./contract.ts";
import type { HandoffLine } from "./handoff-policy.ts";
import type { StepWorktrees } from "./step-worktrees.ts";

/** Why the main turn was cut at a batch boundary. */
export type CutReason = "handoff" | "interrupt" | "limit" | "floor" | "loop";

/**
 * What the hooks of a live session look at and change. One object a session; a further round of another step in the
 * same process resets the step's part.
 */
export interface Turn {
  line: HandoffLine;
  sessionId: string | undefined;
  /** This round writes the handoff document. */
  writing: boolean;
  /** A person interrupted; set until the turn has ended. */
  interrupted: boolean;
  cut: CutReason | undefined;
  /** Main-thread context of the last look, tokens. */
  context: number;
  /** A session without history: its first request is what the role starts with. */
  fresh: boolean;
  /** Context of a fresh session's first request, tokens. */
  floor: number | undefined;
  /** What the batch under way may add at most, tokens, and its exact context once it was asked for. */
  batch: { calls: number; tokens: number; context?: number };
  /** Batches of the round that writes the document: its tools are refused, and it must not try for ever. */
  writingBatches: number;
  /** Sessions that got the notice before the line; one a generation. */
  noticed: Set<string>;
  /** Which of the step's sessions this is, over all runs, from 1. */
  generation: number;
  /** Subagents whose turn was cut by an interruption. */
  cutAgents: Set<string>;
  /** Bash calls under way: id → epoch ms of their start. */
  running: Map<string, number>;
  /** Calls that the gate refused. */
  refusals: number;
  /** Main-thread batches of this step, against `maxTurns`. */
  batches: number;
  maxTurns: number | undefined;
  maxBudgetUsd: number | undefined;
  /** Cost and tokens of the step before this session; of a kept process, less what it spent on the step before. */
  before: { costUsd: number; tokens: TokenCounts; turns: number };
  /**
   * What counts against the budget besides, US dollars: questions to a retired session, which are booked apart, and what
   * steps beside this one spend of it.
   */
  apartUsd(): number;
  /** Of the step's isolated workers; undefined when there are none. */
  worktrees: StepWorktrees | undefined;
  emit(event: EventDraft): void;
  /** Hears the session id, the moment it is known. */
  onSessionId(sessionId: string): void;
}

/**
 * Limits that flower keeps itself, over all sessions of a step: the harness would count from zero in each new process,
 * keep the first figure in one that is kept, and stop the round that writes a handoff document (0.3.332).
 */
export function limitsOf({ maxTurns, maxBudgetUsd }: AgentSpec): Pick<Turn, "maxTurns" | "maxBudgetUsd"> {
  return { maxTurns, maxBudgetUsd };
}

/** An agent whose limits are what earlier rounds of its step have left of them; 0 = nothing. */
export function boundedBy(spec: AgentSpec, spent: RunStepOptions["spent"]): AgentSpec {
  if (spent === undefined) return spec;
  const { maxTurns, maxBudgetUsd } = spec;
  return {
    ...spec,
    ...(maxTurns === undefined ? {} : { maxTurns: Math.max(0, maxTurns - spent.turns) }),
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd: Math.max(0, maxBudgetUsd - spent.costUsd) }),
  };
}
