import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { parseWindow } from "../config/window.ts";
import { FlowerError } from "../core/errors.ts";
import { LOCALES } from "../core/locale.ts";
import { DEFAULT_RUN_DIR } from "../runtime/options.ts";
import { addViewCommands, type ViewCommands } from "./run-view-commands.ts";
import { addSetupCommands, type SetupCommands } from "./setup-commands.ts";

/** Options that every command takes. */
export interface CommonOptions {
  workspace: string;
  runDir: string;
  verbose: boolean;
  lang?: string;
}

/** Options of commands that let a model work. */
export interface TrustOptions {
  permissions: "auto" | "ask";
  requireSandbox: boolean;
}

/** How a run is told on standard output. */
export interface LinesOptions {
  /** Every event and the end as one JSON line each. */
  json: boolean;
}

/** Options of `flower demo`. */
export interface DemoOptions extends CommonOptions, LinesOptions {}

/** Options of commands that run a workflow. */
export interface JobOptions extends CommonOptions, TrustOptions, LinesOptions {
  asks: number;
  timeout: number;
  window?: number;
  handoff: boolean;
  /** Seconds to wait for the person before a successor starts; undefined = none. */
  reviewHandoff?: number;
  new: boolean;
  isolate: boolean;
  trim: boolean;
  budget?: number;
  waitLimits: boolean;
  /** Ways to notify, as given; undefined = as configured. */
  notify?: readonly string[];
}

/** Options of `flower go`. */
export interface GoOptions extends JobOptions {
  rounds: number;
  goal: boolean;
  judgeRun: boolean;
  clarifyOnly: boolean;
  bequest: boolean;
}

/** Options of `flower once`. */
export interface OnceOptions extends CommonOptions, TrustOptions, LinesOptions {
  resume?: string;
  fork: boolean;
  resumeAt?: string;
  instructions?: string;
  tools?: string;
  budget?: number;
  window?: number;
}

/** What the command line asks for. */
export interface Commands extends ViewCommands, SetupCommands {
  go(request: string | undefined, options: GoOptions): Promise<number>;
  run(reference: string, request: string | undefined, options: JobOptions): Promise<number>;
  once(prompt: string | undefined, options: OnceOptions): Promise<number>;
  demo(options: DemoOptions): Promise<number>;
}

const REVIEW_SECONDS = "60";

/** The seconds of `--review-handoff` may be left out also in front of a request, which is not a number. */
function withReviewSeconds(argv: readonly string[]): string[] {
  return argv.map((arg, i) =>
    arg === "--review-handoff" && Number.isNaN(Number(argv[i + 1])) ? `${arg}=${REVIEW_SECONDS}` : arg,
  );
}

/** Recognised as the first argument only; a request that begins with such a word follows `go` or is quoted. */
const SUBCOMMANDS: ReadonlySet<string> = new Set([
  "go",
  "run",
  "once",
  "demo",
  "status",
  "cost",
  "show",
  "log",
  "sessions",
  "setup",
  "doctor",
]);

/** `Number` takes a blank for 0. */
const figure = (value: string): number => (value.trim() === "" ? Number.NaN : Number(value));

const whole = (value: string): number => {
  const number = figure(value);
  if (!Number.isInteger(number)) throw new InvalidArgumentError("a whole number is wanted.");
  return number;
};

const count = (value: string): number => {
  const number = figure(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("a whole number from 1 is wanted.");
  return number;
};

const named = (value: string): string => {
  if (value.trim() === "") throw new InvalidArgumentError("a directory is wanted.");
  return value;
};

const positive = (value: string): number => {
  const number = figure(value);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError("a number above 0 is wanted.");
  return number;
};

const tokens = (value: string): number => {
  const window = parseWindow(value);
  if (window === undefined)
    throw new InvalidArgumentError("a number of tokens is wanted, e.g. 200000, 200k or 1m.");
  return window;
};

function common(command: Command): Command {
  return command
    .option("-w, --workspace <dir>", "directory to work in", named, ".")
    .option(
      "-r, --run-dir <dir>",
      "where sessions and books lie, relative to the workspace",
      named,
      DEFAULT_RUN_DIR,
    )
    .option("-v, --verbose", "say more: endpoint, model, window, agents' words", false)
    .addOption(new Option("--lang <language>", "language of documents and texts").choices([...LOCALES]));
}

function lines(command: Command): Command {
  return command.option("--json", "print every event as one JSON line, the end last", false);
}

function limits(command: Command): Command {
  return command
    .option("--window <tokens>", "context window of the model, e.g. 200k", tokens)
    .option("--budget <usd>", "stop the run at this cost", positive);
}

function trust(command: Command): Command {
  return command
    .addOption(
      new Option("--permissions <mode>", "auto: nobody is asked; ask: what changes something waits for you")
        .choices(["auto", "ask"])
        .default("auto"),
    )
    .option("--require-sandbox", "no start unless commands can be put into bubblewrap", false);
}

/** Options of commands that run a workflow. */
function workflow(command: Command): Command {
  return trust(limits(lines(common(command))))
    .option("--asks <n>", "questions that may be asked; negative = any number, 0 = none", whole, -1)
    .option("--timeout <seconds>", "how long a question waits; 0 = nobody is there", whole, 1_800)
    .option("--no-handoff", "let the harness compact instead of handing over")
    .addOption(
      new Option(
        "--review-handoff [seconds]",
        "wait before a successor takes over, so that its document can be read and edited (default 60)",
      )
        .argParser(positive)
        .preset(REVIEW_SECONDS),
    )
    .option("--new", "archive what is there and start fresh", false)
    .option("--isolate", "each worker in a git worktree and on a branch of its own", false)
    .option("--no-wait-limits", "stop at a usage limit instead of waiting until it is over")
    .option("--no-trim", "keep old large results whole at resume")
    .option(
      "--notify <how>",
      "bell, desktop, command:<shell command>, webhook:<url>, ntfy:<url>, slack:<url> or none; may be repeated",
      (way: string, ways: readonly string[] | undefined) => [...(ways ?? []), way],
    );
}

/** The whole command line. */
export function program(commands: Commands, version: string, onExit: (code: number) => void): Command {
  // Settings are handed down to the subcommands made below; options are theirs alone.
  const flower = new Command("flower")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .description(
      "Leave a coding agent alone for hours and come back to work that is right, finished and explainable.",
    )
    .version(version, "-V, --version")
    .helpCommand(true);

  workflow(flower.command("go", { isDefault: true }))
    .description("clarify, set a goal, do the work, judge it (the default)")
    .argument(
      "[request...]",
      "what should be made; asked for on standard input when missing; `-`: read from there",
    )
    .option("--rounds <n>", "rounds of work at most, each with a verdict", count, 3)
    .option("--no-goal", "no goal, no verdict")
    .option("--no-judge-run", "the judge only reads")
    .option("--clarify-only", "stop when the brief is confirmed", false)
    .option("--bequest", "leave pointers for the next tool in CLAUDE.md and AGENTS.md", false)
    .action(async (request: string[], options: GoOptions) => {
      onExit(await commands.go(request.length === 0 ? undefined : request.join(" "), options));
    });

  workflow(flower.command("run"))
    .description("a workflow of your own, from a TypeScript or JavaScript file or a package")
    .argument("<workflow>", "file, file:export, package or package:export; default: the default export")
    .argument("[request...]", "what the workflow is to work on, if it asks for that")
    .action(async (reference: string, request: string[], options: JobOptions) => {
      onExit(await commands.run(reference, request.length === 0 ? undefined : request.join(" "), options));
    });

  trust(limits(lines(common(flower.command("once")))))
    .description("one prompt to one agent, without the workflow")
    .argument("[prompt...]", "taken from standard input when missing")
    .option("--resume <session>", "go on in this session")
    .option("--fork", "with --resume: go on in a copy", false)
    .option(
      "--resume-at <message>",
      "with --resume: go on from this message, the uuid of an assistant entry in flower log --json",
    )
    .option("--instructions <text>", "appended to the system prompt")
    .option("--tools <names>", "comma-separated; default: all")
    .action(async (prompt: string[], options: OnceOptions) => {
      onExit(await commands.once(prompt.length === 0 ? undefined : prompt.join(" "), options));
    });

  lines(common(flower.command("demo")))
    .description("the main job, offline, with a scripted model and a real harness")
    .action(async (options: DemoOptions) => onExit(await commands.demo(options)));

  addViewCommands(commands, { add: (name) => common(flower.command(name)), count, onExit });
  addSetupCommands(commands, { add: (name) => common(flower.command(name)), onExit });

  return flower;
}

/**
 * Parses and runs. A first argument that is no subcommand makes the whole line a request for `go`.
 * @throws FlowerError `usage` for unknown options and bad values.
 */
export async function parseAndRun(command: Command, argv: readonly string[]): Promise<void> {
  try {
    const args = withReviewSeconds(argv);
    await command.parseAsync(isBare(argv) ? args : ["go", ...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) {
      if (error instanceof CommanderError) return;
      throw error;
    }
    const isRequest = argv[0] !== "go" && isBare(argv) && WORDS_LEFT.has(error.code);
    throw new FlowerError("usage", error.message.replace(/^error: /, ""), {
      nextStep: isRequest
        ? `see flower help ${argv[0] ?? ""}; ${quoted(argv[0] ?? "")}`
        : "see flower --help",
    });
  }
}

/** The line begins with a subcommand or asks for help; `help` with other words is somebody's request. */
function isBare([first = "", second]: readonly string[]): boolean {
  if (first === "help") return second === undefined || SUBCOMMANDS.has(second);
  return ["-h", "--help", "-V", "--version"].includes(first) || SUBCOMMANDS.has(first);
}

const quoted = (word: string): string =>
  `a request that begins with this word is quoted as one argument, flower "${word} …", or follows go: flower go ${word} …`;

/** Of words behind a subcommand that it cannot use. */
const WORDS_LEFT: ReadonlySet<string> = new Set([
  "commander.excessArguments",
  "commander.invalidArgument",
  "commander.missingArgument",
]);
