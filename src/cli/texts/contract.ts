import type { WindowSource } from "../../config/window.ts";
import type { Fallthrough } from "../../human/outcome.ts";

/** All words that the interface says. */
export interface Texts {
  context(used: string, window: string): string;
  toHandoff(left: string): string;
  writingHandoff: string;
  handoffAt(path: string): string;
  handoffNowhere: string;
  degraded: string;
  takesOver(context: string): string;
  doing: string;
  decided: string;
  deadEnds: string;
  next: string;
  done(turns: number): string;
  failed(turns: number): string;
  interrupted(turns: number): string;
  skipped: string;
  refused: string;
  retry(attempt: number, max: number, seconds: number): string;
  limit(until: string, wait: string): string;
  waitLeft(left: string): string;
  asks: string;
  answerHint: string;
  /** Below a permission that is asked for. */
  permissionHint: string;
  answered: string;
  nobody: string;
  error: string;
  warning: string;
  agentStarted(description: string): string;
  agentEnded(phase: string): string;
  unknown(type: string): string;
  verdictAchieved: string;
  verdictNotYet: string;
  verdictUnreachable: string;
  brief: string;
  goal(checks: number): string;
  verdict: string;
  total: string;
  manifest: string;
  events: string;
  documents: string;
  resultIn: string;
  wake: string;
  wakeCount(count: number): string;
  wakeBrief: string;
  wakeSession: string;
  wakeContext(context: string): string;
  permissions: string;
  enforced: string;
  notEnforced: string;
  containedBy(how: string): string;
  isolated(dir: string): string;
  startingAnew: string;
  interruptPrompt: string;
  request: string;
  confirmEndpoint(endpoint: string): string;
  /** Names of commands, variables and files stay as they are. */
  noCredentials: { what: string; todo: string };
  reviewHint: string;
  reviewLeft(seconds: number): string;
  notSeen: string;
  tryIt: string;
  goOn: string;
  /** Of options that the command to go on with should have as well. */
  notPrinted(options: string): string;
  notExcluded: string;
  stopped(step: string, reason: string): string;
  session: string;
  failedWord: string;
  window: string;
  /** Behind where a window's figure comes from: it is not certain yet. */
  windowAsked(how: string): string;
  windowSource: Readonly<Record<WindowSource, string>>;
  /** Why a question has no answer. */
  unanswered: Readonly<Record<Fallthrough, string>>;
  agentPhase: Readonly<Record<"failed" | "stopped", string>>;
  /** A subagent whose type is not known. */
  agent: string;
}
