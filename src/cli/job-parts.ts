import type { HumanChannel } from "../human/channel.ts";
import type { Notifier } from "../notify/notifier.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { LineInput } from "./input.ts";
import type { Screen } from "./screen.ts";

/** What is open while a job works. */
export interface JobParts {
  runtime: Runtime;
  channel: HumanChannel;
  bench: Workbench;
  screen: Screen;
  lines: LineInput;
  notifier: Notifier;
  /** Takes secrets out. */
  redact: (text: string) => string;
  /** Runs what waits for the request. */
  asking: (ask: () => Promise<string>) => Promise<string>;
}
