import type { Locale } from "../core/locale.ts";
import type { Goal } from "../documents/goal.ts";
import type { Verdict } from "../documents/verdict.ts";
import type { HumanChannel } from "../human/channel.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { WorkflowHost } from "./workflow.ts";

/** What flows from step to step of the starter workflow. */
export interface StarterContext {
  /** What the person asked for. */
  request: string;
  /** The frozen brief's text, with whatever the person added. */
  brief?: string;
  goal?: Goal;
  /** Verdicts of this run, in order. */
  verdicts: Verdict[];
}

/** What the starter workflow's steps work with. */
export interface StarterParts {
  host: WorkflowHost;
  workbench: Workbench;
  channel: HumanChannel;
  locale: Locale;
}
