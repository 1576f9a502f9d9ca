import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { confirmEndpoint } from "../config/confirmed-endpoints.ts";
import {
  CREDENTIAL_KEYS,
  resolveCredentials,
  shownCredential,
  type CredentialPlaces,
  type Credentials,
} from "../config/credentials.ts";
import { shownAddress } from "../config/shown-address.ts";
import { believedWindow } from "../config/window.ts";
import { FlowerError } from "../core/errors.ts";
import { stripControl } from "../core/terminal-text.ts";
import { availableContainment, commandSandbox } from "../harness/sandbox.ts";
import { lastContext } from "../runtime/manifest.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { WakeState } from "../workflow/wake.ts";
import { tokensText, windowText } from "./figures.ts";
import { ASK_MODE } from "./permission-texts.ts";
import type { Screen } from "./screen.ts";
import type { Texts } from "./texts.ts";
import { isYes } from "./yes.ts";

/**
 * Finds the credentials and says what is odd about them. At a terminal, an endpoint that the workspace names for
 * somebody else's token is asked about once.
 * @throws FlowerError `credentials` when there are none, with the ways to go on, or when the endpoint is refused.
 */
export async function findCredentials(places: CredentialPlaces, screen: Screen): Promise<Credentials> {
  const credentials = await confirmed(places, screen);
  for (const warning of credentials.warnings) screen.say(`  ! ${stripControl(warning)}`);
  requireCredentials(credentials, screen.texts);
  return credentials;
}

async function confirmed(places: CredentialPlaces, screen: Screen): Promise<Credentials> {
  try {
    return resolveCredentials(places);
  } catch (error) {
    const { workspace, endpoint } = FlowerError.is(error) ? error.data : {};
    if (typeof workspace !== "string" || typeof endpoint !== "string" || !process.stdin.isTTY) throw error;
    if (!(await yes(screen.texts.confirmEndpoint(shownAddress(endpoint))))) throw error;
    confirmEndpoint(places, { workspace, endpoint });
    return resolveCredentials(places);
  }
}

async function yes(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return isYes(await reader.question(`${question} `));
  } finally {
    reader.close();
  }
}

/**
 * Refuses to go on without a key or a token.
 * @throws FlowerError `credentials`, in the person's language.
 */
export function requireCredentials(
  { values }: Pick<Credentials, "values">,
  { noCredentials: { what, todo } }: Pick<Texts, "noCredentials">,
): void {
  if (values.ANTHROPIC_API_KEY !== undefined || values.ANTHROPIC_AUTH_TOKEN !== undefined) return;
  throw new FlowerError("credentials", what, { nextStep: todo });
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
    screen.say(`  ${key} = ${shownCredential(key, value)} (${stripControl(sources[key] ?? "")})`);
  }
  const believed = believedWindow({ env, ...(window === undefined ? {} : { option: window }) });
  const { texts } = screen;
  const source = texts.windowSource[believed.source];
  const why = believed.certain ? source : texts.windowAsked(source);
  screen.say(`  ${texts.window} ${windowText(believed.window)} (${why})`);
}

/** What is enforced, and what is not, said before anything runs. */
export function sayPermissions({ locale, texts, say }: Screen, mode: "auto" | "ask"): void {
  const enforced = commandSandbox().works ? texts.enforced : texts.notEnforced;
  const head = mode === "ask" ? ASK_MODE[locale] : texts.permissions;
  say(`${head}: ${enforced}; ${texts.containedBy(availableContainment())}`);
}

/** What holds for this run: what is enforced, and where isolated workers work. */
export function sayPlaces(
  screen: Screen,
  { permissions, isolate }: { permissions: "auto" | "ask"; isolate: boolean },
  { paths }: Pick<Workbench, "paths">,
): void {
  sayPermissions(screen, permissions);
  if (isolate) screen.say(screen.texts.isolated(join(paths.root, "worktrees")));
}

/** What was found of earlier runs. */
export function sayWake(
  { brief, goal, workSessionId, woke }: WakeState,
  runDir: string,
  { texts, say }: Screen,
): void {
  const context = workSessionId === undefined ? 0 : lastContext(runDir, workSessionId);
  const found = [
    ...(brief === undefined ? [] : [texts.wakeBrief]),
    ...(goal === undefined ? [] : [texts.goal(goal.checks.length)]),
    ...(workSessionId === undefined ? [] : [texts.wakeSession]),
    ...(context === 0 ? [] : [texts.wakeContext(tokensText(context))]),
    texts.wakeCount(woke),
  ];
  say(`${texts.wake}: ${found.join(" · ")}`);
}
