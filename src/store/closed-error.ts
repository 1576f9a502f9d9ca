import { FlowerError } from "../core/errors.ts";

/** What every call on a closed store throws. */
export function closedError(): FlowerError {
  return new FlowerError("store", "the session store is closed", { nextStep: "open it again" });
}
