import { z } from "zod";
import { FlowerError } from "../core/errors.ts";
import { LOCALES } from "../core/locale.ts";
import { FUNCTION, wrongPart } from "../core/wrong-part.ts";
import type { SessionStore } from "../store/contract.ts";
import type { HandoffPolicy } from "./handoff-policy.ts";
import type { RuntimeOptions } from "./options.ts";
import type { Resilience } from "./resilience.ts";

/** One entry a field, so that none is forgotten here. */
type Fields<T> = Record<keyof T, z.ZodType>;

const COUNT = z.int().nonnegative().optional();
const MS = z.number().nonnegative().optional();
const SWITCH = z.boolean().optional();

const HANDOFF = z.strictObject({
  enabled: z.boolean(),
  window: z.number().positive().optional(),
  headroom: z.number().positive().optional(),
  maxGenerations: COUNT,
  predecessorBudgetUsd: z.number().nonnegative().optional(),
} satisfies Fields<HandoffPolicy>);

const RESILIENCE = z.strictObject({
  maxAttempts: z.int().positive().optional(),
  backoffMs: MS,
  maxBackoffMs: MS,
  probeIntervalMs: MS,
  giveUpMs: MS,
  silenceMs: MS,
  waitLimits: SWITCH,
  limitPollMs: MS,
  limitJitterMs: MS,
} satisfies Fields<Resilience>);

/** `true` and `false` stand for an object; checked as one, so that a wrong field of a real one is named. */
const switchOr = (schema: z.ZodType, asObject: (on: boolean) => unknown): z.ZodType =>
  z.preprocess((value) => (typeof value === "boolean" ? asObject(value) : value), schema.optional());

/** May be of a class of somebody's own, and inherit what it has. */
const OBJECT = z.custom((value) => typeof value === "object" && value !== null, "is no object");

const STORE = z.looseObject({
  append: FUNCTION,
  load: FUNCTION,
  listSessions: FUNCTION,
  listSubkeys: FUNCTION,
  delete: FUNCTION,
  close: FUNCTION,
} satisfies Fields<SessionStore>);

const OPTIONS = z.strictObject({
  workspace: z.string().min(1),
  runDir: z.string().min(1).optional(),
  portable: SWITCH,
  workbench: SWITCH,
  isolate: SWITCH,
  spillThreshold: z.number().nonnegative().nullable().optional(),
  spillMainOnly: SWITCH,
  expire: SWITCH,
  trim: SWITCH,
  keepDenials: COUNT,
  cacheTtl: z.enum(["5m", "1h"]).optional(),
  resilience: switchOr(RESILIENCE, () => ({})),
  handoff: switchOr(HANDOFF, (enabled) => ({ enabled })),
  permissions: z.enum(["auto", "ask"]).optional(),
  budgetUsd: z.number().positive().optional(),
  allowPublish: SWITCH,
  store: STORE.optional(),
  locale: z.enum(LOCALES).optional(),
  channel: OBJECT.optional(),
  onEvent: FUNCTION.optional(),
  reviewHandoff: FUNCTION.optional(),
  env: OBJECT.optional(),
  containment: z.enum(["bubblewrap", "supervisor"]).optional(),
  sandbox: z.enum(["auto", "require", "off"]).optional(),
} satisfies Fields<RuntimeOptions>);

/**
 * Refuses options that there are not, and values that they do not take: a word that is none of an option's would switch
 * to the other one in silence, and a misspelt option leaves its default.
 * @throws FlowerError `usage`, naming the option.
 */
export function checkOptions(options: RuntimeOptions): void {
  const wrong = wrongPart(OPTIONS, options);
  if (wrong === undefined) return;
  throw new FlowerError("usage", `the runtime's options have ${wrong}`, {
    nextStep: "see the type RuntimeOptions of flower-agent",
  });
}
