import { Argument, type Command } from "commander";
import type { LogOptions } from "./log.ts";
import type { ViewOptions } from "./run-view-place.ts";
import { SHOWN, type Shown } from "./show-find.ts";

/** The commands that read a run directory. */
export interface ViewCommands {
  status(options: ViewOptions): Promise<number>;
  cost(options: ViewOptions): Promise<number>;
  show(document: Shown | undefined, options: ViewOptions): Promise<number>;
  log(session: string | undefined, options: LogOptions): Promise<number>;
  sessions(options: ViewOptions): Promise<number>;
}

/**
 * Adds them to the command line.
 * @param parts `add` makes a subcommand with the options that all have, `count` reads a whole number from 1.
 */
export function addViewCommands(
  commands: ViewCommands,
  {
    add,
    count,
    onExit,
  }: { add(name: string): Command; count(value: string): number; onExit(code: number): void },
): void {
  const view = (name: string, description: string): Command =>
    add(name).description(description).option("--json", "print one JSON object", false);

  view("status", "what the run here is doing, or how the last one ended").action(
    async (options: ViewOptions) => onExit(await commands.status(options)),
  );
  view("cost", "what each step and generation cost").action(async (options: ViewOptions) =>
    onExit(await commands.cost(options)),
  );
  view("show", "a document of the run; without a name: which there are")
    .addArgument(new Argument("[document]").choices(SHOWN))
    .action(async (document: Shown | undefined, options: ViewOptions) =>
      onExit(await commands.show(document, options)),
    );
  view("log", "a session's transcript to read; without an id: that of the last work session")
    .argument("[session]", "its id or what that begins with")
    .option("--agent <id>", "a subagent's instead of the main thread's")
    .option("--tail <n>", "only the last so many words and calls", count)
    .action(async (session: string | undefined, options: LogOptions) =>
      onExit(await commands.log(session, options)),
    );
  view("sessions", "all sessions with step, time, size, context and cost").action(
    async (options: ViewOptions) => onExit(await commands.sessions(options)),
  );
}
