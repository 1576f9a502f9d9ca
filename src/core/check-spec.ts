import { z } from "zod";
import { FlowerError } from "./errors.ts";
import type { AgentSpec, Effort, McpServer, SubagentSpec, ToolDefinition } from "./spec.ts";
import { FUNCTION, wrongPart } from "./wrong-part.ts";

/** One entry a field, so that none is forgotten here. */
type Fields<T> = Record<keyof T, z.ZodType>;

const TEXTS = z.array(z.string());
const TEXT_VALUES = z.record(z.string(), z.string());
const EFFORT = z.enum(["low", "medium", "high", "xhigh", "max"] satisfies Effort[]);
const TURNS = z.int().positive();

const SUBAGENT = z.strictObject({
  description: z.string().min(1),
  prompt: z.string(),
  tools: TEXTS,
  model: z.string().min(1),
  effort: EFFORT.optional(),
  maxTurns: TURNS.optional(),
  isolate: z.boolean(),
} satisfies Fields<SubagentSpec>);

/** May be of a class of somebody's own. */
const TOOL = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  input: z.record(z.string(), z.unknown()),
  handle: FUNCTION,
} satisfies Fields<ToolDefinition>);

type Server<Kind> = Extract<McpServer, { kind: Kind }>;
const SERVER = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("inProcess"),
    tools: z.array(TOOL),
    timeoutMs: z.number().positive().optional(),
  } satisfies Fields<Server<"inProcess">>),
  z.strictObject({
    kind: z.literal("stdio"),
    command: z.string().min(1),
    args: TEXTS.optional(),
    env: TEXT_VALUES.optional(),
  } satisfies Fields<Server<"stdio">>),
  z.strictObject({
    kind: z.literal("http"),
    url: z.url(),
    headers: TEXT_VALUES.optional(),
  } satisfies Fields<Server<"http">>),
]);

const SPEC = z.strictObject({
  name: z.string().min(1),
  instructions: z.string(),
  allowedTools: TEXTS.optional(),
  model: z.string().min(1).optional(),
  effort: EFFORT.optional(),
  maxTurns: TURNS.optional(),
  maxBudgetUsd: z.number().positive().optional(),
  agents: z.record(z.string(), SUBAGENT).optional(),
  mcpServers: z.record(z.string(), SERVER).optional(),
  plugins: TEXTS.optional(),
  compact: z
    .strictObject({
      mode: z.enum(["auto", "noSummary", "off"]),
      window: z.number().positive().optional(),
    } satisfies Fields<NonNullable<AgentSpec["compact"]>>)
    .optional(),
  env: TEXT_VALUES.optional(),
  glance: z.boolean().optional(),
  workbench: z.boolean().optional(),
  delegateOnly: z.boolean().optional(),
  permissionMode: z.enum(["auto", "ask"]).optional(),
  hooks: z
    .array(z.looseObject({ beforeTool: FUNCTION.optional(), afterTool: FUNCTION.optional() }))
    .optional(),
  readOnly: z.boolean().optional(),
  throwawayCopy: z.boolean().optional(),
} satisfies Fields<AgentSpec>);

/**
 * Refuses what is no agent. The harness takes no offence at most of it: it would start with all tools, without limits,
 * or without the server that was misspelt.
 * @param of whose agent it is, e.g. `step "work"`; default: the agent's name.
 * @throws FlowerError `usage`, naming the field.
 */
export function checkSpec(spec: AgentSpec, of?: string): void {
  const part = wrongPart(SPEC, spec);
  if (part === undefined) return;
  const name = z.object({ name: z.string() }).safeParse(spec).data?.name;
  const agent = name === undefined ? "the agent" : `the agent ${JSON.stringify(name)}`;
  const isPromise = (spec as unknown) instanceof Promise;
  throw new FlowerError("usage", `${agent}${of === undefined ? "" : ` of ${of}`} has ${part}`, {
    nextStep: isPromise
      ? "let `spec` return the agent itself, and load what takes time in `when`"
      : "see the type AgentSpec of flower-agent",
  });
}
