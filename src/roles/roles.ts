import type { AgentSpec, Effort, McpServer, SubagentSpec } from "../core/spec.ts";
import type { Locale } from "../core/locale.ts";
import { HEADINGS, LANGUAGE_NAMES, VERDICT_WORDS } from "../documents/wording.ts";
import { checkArguments } from "./arguments.ts";
import { fill } from "./fill.ts";
import {
  CLARIFIER_RULES,
  COORDINATOR_RULES,
  ISOLATION_RULES,
  JUDGE_RULES,
  LOOKING,
  MERGER_PROMPT,
  MERGING,
  ORACLE_RULES,
  VERDICT_RULES,
  WORKER_RULES,
} from "./rules.ts";

/** What a role needs of a human channel: its tools. */
export interface RoleChannel {
  servers: Readonly<Record<string, McpServer>>;
}

const ASK = "mcp__flower__ask";
const INBOX = "mcp__flower__inbox";
const READING = ["Read", "Glob", "Grep"];

/** An oracle answers a side question, it does no work. */
const ORACLE_TURNS = 12;
const ORACLE_BUDGET_USD = 0.5;

/** Settings that every main-thread role takes. */
export interface RoleOptions {
  model?: string;
  effort?: Effort;
  maxTurns?: number;
  maxBudgetUsd?: number;
}

const settings = ({ model, effort, maxTurns, maxBudgetUsd }: RoleOptions): RoleOptions => ({
  ...(model === undefined ? {} : { model }),
  ...(effort === undefined ? {} : { effort }),
  ...(maxTurns === undefined ? {} : { maxTurns }),
  ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
});

/**
 * The main thread that delegates to workers, reads reports and decides.
 * @param instructions what this run is about, put before the rules; may be empty.
 * @throws FlowerError `usage` for an argument that is missing or of a wrong type.
 */
export function coordinator(
  name: string,
  instructions: string,
  workers: Readonly<Record<string, SubagentSpec>>,
  options: RoleOptions & { channel?: RoleChannel; glance?: boolean } = {},
): AgentSpec {
  checkArguments("coordinator", { name, instructions, workers });
  const { channel, glance = true } = options;
  const rules = fill(COORDINATOR_RULES, { looking: glance ? LOOKING.glance : LOOKING.readOnly });
  return {
    name,
    instructions: [instructions, rules, isolationRules(workers)].filter((text) => text !== "").join("\n\n"),
    allowedTools: [
      "Agent",
      ...READING,
      "TodoWrite",
      ...(glance ? ["Bash"] : []),
      ...(channel === undefined ? [] : [ASK, INBOX]),
    ],
    agents: workers,
    ...(channel === undefined ? {} : { mcpServers: channel.servers }),
    delegateOnly: true,
    glance,
    ...settings(options),
  };
}

/** Empty when no worker is isolated. */
function isolationRules(workers: Readonly<Record<string, SubagentSpec>>): string {
  const named = (isolated: boolean): string =>
    Object.keys(workers)
      .filter((name) => workers[name]?.isolate === isolated)
      .map((name) => `\`${name}\``)
      .join(" or ");
  const isolated = named(true);
  if (isolated === "") return "";
  const takers = named(false);
  const merging = takers === "" ? MERGING.byPerson : fill(MERGING.byAgent, { takers });
  return fill(ISOLATION_RULES, { isolated, merging });
}

/**
 * A subagent that does the work.
 * @param description when to use it; the coordinator reads this.
 * @param prompt what it is; the rules of workers are appended.
 * @throws FlowerError `usage` for an argument that is missing or of a wrong type.
 */
export function worker(
  description: string,
  prompt: string,
  options: {
    tools?: readonly string[];
    /** Default `inherit`: the coordinator's model. */
    model?: string;
    effort?: Effort;
    maxTurns?: number;
    /**
     * Each of its runs works in a git worktree and on a branch of its own. Needs the runtime's option `isolate`.
     * Default false.
     */
    isolate?: boolean;
    /** May ask the person. Needs the coordinator's channel. Default false. */
    ask?: boolean;
  } = {},
): SubagentSpec {
  checkArguments("worker", { description, prompt });
  const {
    tools = ["Read", "Write", "Edit", "Bash", "Grep", "Glob"],
    model = "inherit",
    isolate = false,
  } = options;
  return {
    description,
    prompt: `${prompt}\n\n${WORKER_RULES}`,
    tools: options.ask === true ? [...tools, ASK] : tools,
    model,
    isolate,
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
  };
}

/** A worker in the workspace itself that merges the branches of isolated ones. */
export function merger(options: Parameters<typeof worker>[2] = {}): SubagentSpec {
  return worker(
    "Brings the branches of isolated agents into the workspace: commits what is left, merges, resolves conflicts, runs the checks there. One at a time.",
    MERGER_PROMPT,
    options,
  );
}

/** The session that only asks and reads, and ends with a brief. */
export function clarifier(options: RoleOptions & { channel?: RoleChannel; locale?: Locale } = {}): AgentSpec {
  const { channel, locale = "en" } = options;
  const { goal, acceptance, boundaries, unknowns } = HEADINGS.brief;
  return {
    name: "clarify",
    instructions: fill(CLARIFIER_RULES, {
      goal: goal[locale],
      acceptance: acceptance[locale],
      boundaries: boundaries[locale],
      unknowns: unknowns[locale],
      language: LANGUAGE_NAMES[locale],
    }),
    allowedTools: [...READING, "WebFetch", "WebSearch", ...(channel === undefined ? [] : [ASK])],
    ...(channel === undefined ? {} : { mcpServers: channel.servers }),
    readOnly: true,
    workbench: false,
    ...settings(options),
  };
}

/** The independent session that sets the goal (`goal`: reads only) or rules on a round (`verdict`). */
export function judge(
  options: RoleOptions & {
    mode: "goal" | "verdict";
    /** Of `verdict`: runs the checks, in a throwaway copy, which `withGoal` makes; see {@link AgentSpec.throwawayCopy}. Default true; false = reads only. */
    run?: boolean;
    locale?: Locale;
  },
): AgentSpec {
  const { mode, run = true, locale = "en" } = options;
  const language = LANGUAGE_NAMES[locale];
  const base = { workbench: false, ...settings(options) };
  if (mode === "goal") {
    const { statement, checks } = HEADINGS.goal;
    return {
      name: "goal",
      instructions: fill(JUDGE_RULES, { statement: statement[locale], checks: checks[locale], language }),
      allowedTools: READING,
      readOnly: true,
      ...base,
    };
  }
  const { conclusion, reason, failed } = HEADINGS.verdict;
  return {
    name: "verdict",
    instructions: fill(VERDICT_RULES, {
      conclusion: conclusion[locale],
      reason: reason[locale],
      failed: failed[locale],
      achieved: VERDICT_WORDS.achieved[locale],
      notYet: VERDICT_WORDS.notYet[locale],
      unreachable: VERDICT_WORDS.unreachable[locale],
      language,
      how: run
        ? "You work in a throwaway copy: run whatever a check needs, write what you like, nothing reaches the original."
        : "You may only read here: a check that has to be run to be known is one that you cannot tell.",
    }),
    allowedTools: run ? [...READING, "Bash"] : READING,
    // Without its copy, for whatever reason, a judge may only read.
    readOnly: true,
    ...(run ? { throwawayCopy: true } : {}),
    ...base,
  };
}

/** Answers a person's side question; nothing it says enters the run. At most 12 turns and 0.50 US dollars by default. */
export function oracle(options: RoleOptions & { locale?: Locale } = {}): AgentSpec {
  return {
    name: "oracle",
    instructions: fill(ORACLE_RULES, { language: LANGUAGE_NAMES[options.locale ?? "en"] }),
    allowedTools: READING,
    readOnly: true,
    workbench: false,
    ...settings({ maxTurns: ORACLE_TURNS, maxBudgetUsd: ORACLE_BUDGET_USD, ...options }),
  };
}
