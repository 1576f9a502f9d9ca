import { describe, expect, it } from "vitest";
import { keptOptions } from "../../src/cli/kept-options.ts";
import {
  parseAndRun,
  program,
  type Commands,
  type JobOptions,
  type OnceOptions,
} from "../../src/cli/program.ts";

/** Options as the command line gives them. */
async function parsed(...argv: string[]): Promise<JobOptions | OnceOptions> {
  const seen: (JobOptions | OnceOptions)[] = [];
  const commands = {
    go: async (_request: string | undefined, options: JobOptions) => Promise.resolve(seen.push(options)),
    run: async (_reference: string, _request: string | undefined, options: JobOptions) =>
      Promise.resolve(seen.push(options)),
    once: async (_prompt: string | undefined, options: OnceOptions) => Promise.resolve(seen.push(options)),
  } as unknown as Commands;
  await parseAndRun(
    program(commands, "0", () => undefined),
    argv,
  );
  const [options] = seen;
  if (options === undefined) throw new Error("nothing was parsed");
  return options;
}

// Fails when an option is known here by name, and not from the parser.
describe("the command that goes on", () => {
  it.each<["go" | "run" | "once", string]>([
    ["go", ""],
    ["go", "--no-handoff --rounds 7 --no-judge-run --asks 3 --timeout 0 --no-goal"],
    ["go", "--lang de --review-handoff=90 --clarify-only --isolate --no-wait-limits --no-trim"],
    ["go", "--permissions ask --require-sandbox --window 200000 --verbose --json"],
    ["go", "--notify bell --notify none"],
    ["go", "--asks -2"],
    ["run", "--asks 3 --no-handoff"],
    ["once", "--tools 'Read,Bash' --instructions 'be brief' --lang zh --window 200000"],
  ])("of %s keeps %s", async (command, words) => {
    const argv = words
      .split(/ (?=--)/)
      .flatMap((word) => (word === "" ? [] : word.split(/ (.*)/s).slice(0, 2)));
    const plain = argv.map((word) => word.replace(/^'(.*)'$/, "$1"));
    const first = command === "run" ? [command, "flow.ts"] : [command];
    const { words: kept, secret } = keptOptions(command, await parsed(...first, ...plain));
    expect(
      kept
        .join(" ")
        .split(/ (?=--)/)
        .sort(),
    ).toEqual(words.split(/ (?=--)/).sort());
    expect(secret).toEqual([]);
    // It says the same again.
    const again = kept.map((word) => word.replace(/'/g, ""));
    expect(keptOptions(command, await parsed(...first, ...again)).words).toEqual(kept);
  });

  it("keeps every option of go but those that are not for it", async () => {
    const go = program({} as Commands, "", () => undefined).commands.find((each) => each.name() === "go");
    const all: Record<string, unknown> = {};
    for (const option of go?.options ?? [])
      all[option.attributeName()] = option.negate ? false : option.isBoolean() ? true : "bell";
    const { words } = keptOptions("go", all as unknown as JobOptions);
    const missing = (go?.options ?? [])
      .map(({ long }) => long ?? "")
      .filter((name) => !words.some((word) => word === name || word.startsWith(`${name}=`)));
    expect(missing.sort()).toEqual(["--budget", "--new", "--run-dir", "--workspace"]);
  });

  it("prints no address, and names the option", async () => {
    const options = await parsed(
      ...["go", "--notify", "bell", "--notify", "slack:https://hooks.example/T0/KEY"],
      ...["--notify", "command:curl -H 'auth: KEY' example", "--new"],
    );
    const { words, secret } = keptOptions("go", options);
    expect(words).toEqual(["--notify", "bell"]);
    expect(secret).toEqual(["--notify"]);
  });
});
