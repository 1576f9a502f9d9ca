export {
  believedWindow,
  defaultWindow,
  type BelievedWindow,
  type WindowFacts,
  type WindowSource,
} from "./config/window.ts";
export { CREDENTIAL_KEYS, maskToken, resolveCredentials, type Credentials } from "./config/credentials.ts";
export { LearnedWindows, type LearnedWindow } from "./config/learned-windows.ts";
export { isGlance } from "./context/glance.ts";
export {
  expire,
  prune,
  trim,
  type ExpirePolicy,
  type PrunePolicy,
  type RewritePlan,
  type TrimPolicy,
} from "./context/policies.ts";
export { rewriteTranscript, type RewriteNotes, type RewriteReport } from "./context/rewrite.ts";
export type { CacheTtl } from "./context/rewrite-when.ts";
export { FlowerError, type FlowerErrorCode } from "./core/errors.ts";
export type { EndLine, EventLine, EventLineListener } from "./core/event-line.ts";
export type { Event, EventListener, EventPayloads, EventType, HandoffLines } from "./core/events.ts";
export type { ToolAddition, ToolCall, ToolHook } from "./core/tool-call.ts";
export type { TokenCounts } from "./core/tokens.ts";
export { chooseLocale, LOCALES, type Locale } from "./core/locale.ts";
export type {
  AgentSpec,
  CompactPolicy,
  Effort,
  McpServer,
  SubagentSpec,
  ToolContext,
  ToolDefinition,
} from "./core/spec.ts";
export { Brief } from "./documents/brief.ts";
export { Goal } from "./documents/goal.ts";
export { factsMarkdown, type HandoffFacts } from "./documents/facts.ts";
export { degraded, DEGRADED, Handoff, HANDOFF_PROMPT, REQUIRED } from "./documents/handoff.ts";
export { checkHandoff } from "./documents/handoff-checks.ts";
export { Verdict } from "./documents/verdict.ts";
export { buildOptions } from "./harness/options.ts";
export { normalize } from "./harness/normalize.ts";
export { HumanChannel, type Ask, type HumanChannelOptions, type Mail } from "./human/channel.ts";
export {
  clarifier,
  coordinator,
  judge,
  merger,
  oracle,
  worker,
  type RoleChannel,
  type RoleOptions,
} from "./roles/roles.ts";
export {
  CLARIFIER_RULES,
  COORDINATOR_RULES,
  ISOLATION_RULES,
  JUDGE_RULES,
  ORACLE_RULES,
  VERDICT_RULES,
  WORKER_RULES,
} from "./roles/rules.ts";
export {
  delegateGuard,
  indexGuard,
  isolateGuard,
  spillGuard,
  whitelistGuard,
  type GuardPlaces,
  type SpillGuardOptions,
} from "./runtime/guards.ts";
export { classify, type Classified, type FailureKind } from "./runtime/classify.ts";
export type {
  Generation,
  HandoffReview,
  RunStepOptions,
  StepResult,
  StepRunner,
  StepStatus,
  WorktreeRow,
} from "./runtime/contract.ts";
export {
  handoffDue,
  handoffLine,
  type HandoffLine,
  type HandoffPolicy,
  type HandoffState,
} from "./runtime/handoff-policy.ts";
export { Lineage } from "./runtime/lineage.ts";
export type { RuntimeOptions } from "./runtime/options.ts";
export { isOverflow } from "./runtime/overflow.ts";
export { endpoint, reachable, type Endpoint, type Resilience } from "./runtime/resilience.ts";
export { statedWindow } from "./runtime/stated-window.ts";
export { learnedWindowsPath } from "./runtime/window-book.ts";
export { Runtime } from "./runtime/runtime.ts";
export { listSessions, type SessionSummary } from "./runtime/sessions.ts";
export * from "./store/index.ts";
export { Workbench, type WorkbenchOptions } from "./workbench/workbench.ts";
export { leaveBequest, type BequestOptions, type BequestParts } from "./workflow/bequest.ts";
export { clarifyStep } from "./workflow/clarify.ts";
export type { StarterContext, StarterParts } from "./workflow/context.ts";
export type { Flow, FlowOutcome, FlowParts, FlowResult } from "./workflow/flow.ts";
export { goalStep } from "./workflow/goal.ts";
export { makeThrowawayCopy, type ThrowawayCopy } from "./workflow/throwaway-copy.ts";
export { withGoal, type GoalLoopOptions } from "./workflow/goal-loop.ts";
export { askOracle, type OracleAnswer, type OracleQuestion } from "./workflow/oracle.ts";
export { recentEvents } from "./workflow/oracle-events.ts";
export { starterFlow, type StarterOptions } from "./workflow/starter.ts";
export { StepAbort, type FromContext, type GateAnswer, type Step } from "./workflow/step.ts";
export { wakeState, type WakeState } from "./workflow/wake.ts";
export {
  Workflow,
  type WorkflowHost,
  type WorkflowOptions,
  type WorkflowResult,
} from "./workflow/workflow.ts";

// What the signatures above name.
export type { CredentialKey, CredentialPlaces } from "./config/credentials.ts";
export type { EventLineHead } from "./core/event-line.ts";
export type { EventBase, EventDraft } from "./core/events.ts";
export type { Conclusion } from "./documents/conclusion.ts";
export type { DegradedParts } from "./documents/handoff.ts";
export type { HandoffProbes } from "./documents/handoff-checks.ts";
export type { SectionName, Sections } from "./documents/sections.ts";
export type { Containment, CopyMount, RoundFailure } from "./harness/contract.ts";
export type { NormalizeContext } from "./harness/normalize.ts";
export type { OptionsContext } from "./harness/options.ts";
export type { Exchange } from "./human/exchange-log.ts";
export type { HandedOut, Receipt } from "./human/inbox.ts";
export type { AskOutcome } from "./human/outcome.ts";
export type { AskContext, AskEvent } from "./human/question-desk.ts";
export type { Fill } from "./runtime/classify.ts";
export type { HandOverFirst } from "./runtime/contract.ts";
export type { LineageEntry } from "./runtime/lineage.ts";
export type { ResolvedOptions } from "./runtime/options.ts";
export type { WorkbenchPaths } from "./workbench/directories.ts";
export type { StoredDocument } from "./workbench/documents.ts";
export type { JudgeOptions } from "./workflow/verdict.ts";
export type { WakeLineage } from "./workflow/wake.ts";
