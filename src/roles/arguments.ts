import { z } from "zod";
import { FlowerError } from "../core/errors.ts";
import { wrongPart } from "../core/wrong-part.ts";

const COORDINATOR = z.object({
  name: z.string(),
  instructions: z.string(),
  workers: z.record(z.string(), z.looseObject({ prompt: z.string() })),
});
const WORKER = z.object({ description: z.string(), prompt: z.string() });
const ROLES = { coordinator: COORDINATOR, worker: WORKER };

/**
 * Looks at what JavaScript may leave out, before it ends up as the word "undefined" in a prompt.
 * @throws FlowerError `usage` that names the argument.
 */
export function checkArguments(role: keyof typeof ROLES, given: Readonly<Record<string, unknown>>): void {
  const wrong = wrongPart(ROLES[role], given);
  if (wrong === undefined) return;
  const order = Object.keys(ROLES[role].shape).join(", ");
  throw new FlowerError("usage", `${role} has ${wrong}`, {
    nextStep: `call ${role}(${order}, options)`,
  });
}
