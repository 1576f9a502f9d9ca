import { CREDENTIAL_KEYS, maskToken, type Credentials } from "../config/credentials.ts";
import { believedWindow } from "../config/window.ts";
import { FlowerError } from "../core/errors.ts";
import { availableContainment } from "../harness/sandbox.ts";
import { windowText } from "./figures.ts";
import type { Screen } from "./screen.ts";

/**
 * Refuses to start without credentials, with the ways to go on.
 * @throws FlowerError `credentials`.
 */
export function requireCredentials({ values }: Credentials): void {
  if (values.ANTHROPIC_API_KEY !== undefined || values.ANTHROPIC_AUTH_TOKEN !== undefined) return;
  throw new FlowerError("credentials", "no credentials found", {
    nextStep:
      "set ANTHROPIC_API_KEY (environment, .env of the workspace, or ~/.config/flower/.env); or set ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN to a gateway or local model that speaks the Messages API; or try it offline with: flower demo",
  });
}

/** With `-v`: endpoint, model, masked token and the believed window, each with its source. */
export function sayConfiguration(
  { values, sources }: Credentials,
  window: number | undefined,
  screen: Screen,
): void {
  const env = { ...process.env, ...values };
  for (const key of CREDENTIAL_KEYS) {
    const value = values[key];
    if (value === undefined) continue;
    const shown = /KEY|TOKEN/.test(key) ? maskToken(value) : value;
    screen.say(`  ${key} = ${shown} (${sources[key] ?? ""})`);
  }
  const believed = believedWindow({ env, ...(window === undefined ? {} : { option: window }) });
  screen.say(
    `  window ${windowText(believed.window)} (${believed.source}${believed.certain ? "" : ", the harness is asked"})`,
  );
}

/** What is enforced, and what is not, said before anything runs. */
export function sayPermissions(screen: Screen): void {
  const { texts } = screen;
  screen.say(`${texts.permissions}: ${texts.notEnforced}; ${texts.containedBy(availableContainment())}`);
}
