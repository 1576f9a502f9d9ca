import { Option, type Command } from "commander";
import type { DoctorOptions } from "./doctor.ts";
import type { SetupOptions } from "./setup.ts";

/** The commands that see to it that a run can start. */
export interface SetupCommands {
  setup(options: SetupOptions): Promise<number>;
  doctor(options: DoctorOptions): Promise<number>;
}

/**
 * Adds them to the command line.
 * @param parts `add` makes a subcommand with the options that all have.
 */
export function addSetupCommands(
  commands: SetupCommands,
  { add, onExit }: { add(name: string): Command; onExit(code: number): void },
): void {
  add("setup")
    .description("token, gateway and model into your own config file, tried by one small request")
    .option("--token-stdin", "read the token from standard input", false)
    .addOption(
      new Option(
        "--token-as <kind>",
        "how it is sent (default: auth-token to a gateway, else api-key)",
      ).choices(["api-key", "auth-token"]),
    )
    .option("--base-url <url>", "address of a gateway or local server; - = Anthropic's own")
    .option("--model <name>", "the model; - = the default")
    .option("--no-test", "do not ask the endpoint")
    .option("-y, --yes", "ask nothing, and write even if the endpoint says no", false)
    .action(async (options: SetupOptions) => onExit(await commands.setup(options)));
  add("doctor")
    .description("look at everything that a run needs, and say what to do")
    .option("--no-request", "do not ask the endpoint for a token, only whether it takes connections")
    .option("--forget-window [model]", "forget what overflows told about the window of this model, or of all")
    .option("--json", "print one JSON object", false)
    .action(async (options: DoctorOptions) => onExit(await commands.doctor(options)));
}
