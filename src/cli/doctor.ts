import { homedir } from "node:os";
import { resolve } from "node:path";
import { errorText, FlowerError } from "../core/errors.ts";
import { chooseLocale, type Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { endpoint, reachable, type Endpoint } from "../runtime/resilience.ts";
import { tryEndpoint } from "../runtime/try-endpoint.ts";
import {
  checkContainment,
  checkCredentials,
  checkDisk,
  checkFiles,
  checkGit,
  checkLock,
  checkReach,
  checkRights,
  checkVersions,
  checkWindow,
} from "./doctor-checks.ts";
import { forgetWindows, gatherFacts, type DoctorFacts } from "./doctor-facts.ts";
import type { DoctorPlaces } from "./doctor-places.ts";
import { DOCTOR_TEXTS } from "./doctor-texts.ts";
import type { DoctorTexts } from "./doctor-texts/contract.ts";
import { EXIT } from "./exit.ts";
import { JSON_VERSION } from "./run-view-print.ts";
import { trialFinding, type Finding } from "./trial-line.ts";
import { TRIAL_TEXTS } from "./trial-texts.ts";

/** Options of `flower doctor`. */
export interface DoctorOptions {
  workspace: string;
  /** Relative to the workspace. */
  runDir: string;
  lang?: string;
  /** Ask the endpoint for one token. */
  request: boolean;
  /** The model whose learned windows are forgotten; true = all. */
  forgetWindow?: string | true;
  json: boolean;
}

/** A finding and the check that it comes from. */
interface Row extends Finding {
  check: string;
}

type Check = (facts: DoctorFacts, texts: DoctorTexts) => Finding[];

/** In this order, by stable names. The endpoint is asked in between. */
const CHECKS: Readonly<Record<string, Check>> = {
  versions: ({ versions }, t) => checkVersions(versions, t),
  credentials: ({ credentials }, t) => checkCredentials(credentials, t),
  window: ({ window }, t) => checkWindow(window, t),
  git: ({ git }, t) => checkGit(git, t),
  disk: ({ disk }, t) => checkDisk(disk, t),
  permissions: ({ rights }, t) => checkRights(rights, t),
  lock: ({ lock }, t) => checkLock(lock, t),
  files: ({ files }, t) => checkFiles(files, t),
  containment: ({ sandbox }, t) => checkContainment(sandbox, t),
};

/** `flower doctor`: looks at everything that a run needs, and says what to do. Exit code 1 when something is wrong. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { env } = process;
  const workspace = resolve(options.workspace);
  const places = {
    env,
    workspace,
    home: env["HOME"] ?? homedir(),
    runDir: resolve(workspace, options.runDir),
  };
  const locale = chooseLocale(options.lang, env);
  const texts = DOCTOR_TEXTS[locale];
  const forgotten = options.forgetWindow === undefined ? [] : forget(places, options.forgetWindow, texts);
  const facts = await gatherFacts(places, locale);
  const asked = await askEndpoint(facts, places, { locale, request: options.request });
  const rows = [
    ...forgotten.map((finding) => ({ check: "forget-window", ...finding })),
    ...Object.entries(CHECKS).flatMap(([check, run]) => [
      ...run(facts, texts).map((finding) => ({ check, ...finding })),
      ...(check === "credentials" ? asked.map((finding) => ({ check: "endpoint", ...finding })) : []),
    ]),
  ].map(shown);
  const isWell = rows.every(({ level }) => level !== "wrong");
  const printed = options.json
    ? JSON.stringify({ v: JSON_VERSION, ok: isWell, checks: rows })
    : doctorLines(rows, texts).join("\n");
  process.stdout.write(`${printed}\n`);
  return isWell ? EXIT.done : EXIT.failed;
}

/** Nothing is sent to an endpoint that is refused, or without a token. */
async function askEndpoint(
  { credentials }: DoctorFacts,
  { env }: DoctorPlaces,
  { locale, request }: { locale: Locale; request: boolean },
): Promise<Finding[]> {
  if (FlowerError.is(credentials)) return [];
  const { values } = credentials;
  const all = { ...env, ...values };
  let target: Endpoint;
  try {
    target = endpoint(all);
  } catch (error) {
    // A proxy's variable holds no address.
    return [{ level: "wrong", text: `HTTPS_PROXY, HTTP_PROXY, ALL_PROXY: ${errorText(error)}` }];
  }
  const isReachable = await reachable(target);
  const reach = checkReach(target, isReachable, DOCTOR_TEXTS[locale]);
  const secrets = [values.ANTHROPIC_API_KEY ?? "", values.ANTHROPIC_AUTH_TOKEN ?? ""];
  if (!isReachable || !request || secrets.every((secret) => secret === "")) return reach;
  return [...reach, trialFinding(await tryEndpoint(all), TRIAL_TEXTS[locale], secrets)];
}

function forget(places: DoctorPlaces, which: string | true, texts: DoctorTexts): Finding[] {
  const rows = forgetWindows(places, which === true ? undefined : which);
  if (rows.length === 0) return [{ level: "note", text: texts.nothingLearned[0] }];
  return rows.map(({ model, endpoint: at }) => ({ level: "ok", text: texts.forgotten(model, at)[0] }));
}

/** On one line each, fit to show. */
function shown(row: Row): Row {
  const line = (text: string): string => stripControl(text).replace(/\s*\n\s*/g, " ");
  return { ...row, text: line(row.text), ...(row.todo === undefined ? {} : { todo: line(row.todo) }) };
}

/** A line for each row, what to do below it, and the sum. */
export function doctorLines(rows: readonly Finding[], texts: DoctorTexts): string[] {
  const width = Math.max(...Object.values(texts.levels).map((word) => word.length));
  const count = (level: Finding["level"]): number => rows.filter((row) => row.level === level).length;
  return [
    ...rows.flatMap(({ level, text, todo }) => [
      `${texts.levels[level].padEnd(width)}  ${text}`,
      ...(todo === undefined ? [] : [`${" ".repeat(width)}  -> ${todo}`]),
    ]),
    "",
    texts.summary(count("wrong"), count("note")),
  ];
}
