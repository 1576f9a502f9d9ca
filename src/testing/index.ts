export { runningClock, settableClock, type RehearsalClock } from "./clock.ts";
export { collectEvents, type EventCollector } from "./event-collector.ts";
export type { JournalRow } from "./journal.ts";
export type { Refusal, RefusalKind } from "./refusal.ts";
export { startRehearsal, type Rehearsal, type RehearsalOptions } from "./rehearsal.ts";
export type { RehearsalRequest, ToolResultView } from "./request-view.ts";
export {
  apiError,
  call,
  drop,
  hang,
  say,
  think,
  together,
  type Actor,
  type DropReply,
  type ErrorReply,
  type FixedReply,
  type HangReply,
  type MessageReply,
  type Reply,
  type ReplyBlock,
  type Scenario,
  type Usage,
} from "./scenario.ts";
export type { ContentBlock, MessagesBody, WireMessage } from "./wire.ts";
export { converterScenario } from "./scenarios/converter.ts";
export { runStoreConformance, storeConformance, type StoreCheck } from "./store-conformance.ts";
