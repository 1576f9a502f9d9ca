import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import {
  CREDENTIAL_KEYS,
  maskToken,
  resolveCredentials,
  type CredentialPlaces,
} from "../config/credentials.ts";
import { readDotenv } from "../config/dotenv.ts";
import { editDotenv } from "../config/edit-dotenv.ts";
import { userConfigDir } from "../config/user-files.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { makePrivateDir, writeAtomic } from "../core/files.ts";
import { chooseLocale, type Locale } from "../core/locale.ts";
import { stripControl } from "../core/terminal-text.ts";
import { endpointUrl } from "../runtime/resilience.ts";
import { trialModel, tryEndpoint } from "../runtime/try-endpoint.ts";
import { errorLine, EXIT } from "./exit.ts";
import {
  keepsToken,
  overruled,
  planSetup,
  readBaseUrl,
  readModel,
  readToken,
  SETUP_KEYS,
  type SetupAnswers,
  type SetupValues,
  type TokenKind,
} from "./setup-plan.ts";
import { terminalQuestions, type Questions } from "./setup-questions.ts";
import { SETUP_TEXTS, type SetupTexts } from "./setup-texts.ts";
import { trialFinding, type Finding } from "./trial-line.ts";
import { TRIAL_TEXTS } from "./trial-texts.ts";

/** Options of `flower setup`. */
export interface SetupOptions {
  /** Only looked at for what goes before the person's config file. */
  workspace: string;
  lang?: string;
  /** The token comes through a pipe. */
  tokenStdin: boolean;
  tokenAs?: TokenKind;
  baseUrl?: string;
  model?: string;
  /** Ask nothing, and write also when the endpoint says no. */
  yes: boolean;
  /** Ask the endpoint for one token before writing. */
  test: boolean;
}

const say = (line: string): void => void process.stderr.write(`${stripControl(line)}\n`);

/** `flower setup`: token, address and model into the person's config file, tried before they are written. */
export async function setup(options: SetupOptions): Promise<number> {
  const { env } = process;
  const places = { env, home: env["HOME"] ?? homedir(), workspace: resolve(options.workspace) };
  const locale = chooseLocale(options.lang, env);
  const texts = SETUP_TEXTS[locale];
  const path = join(userConfigDir(places), ".env");
  const before = readIfThere(path);
  const current = pick(readDotenv(before).values);
  const given = await optionsGiven(options);
  const isAsking = process.stdin.isTTY && !options.yes;
  if (!isAsking && Object.keys(given).length === 0)
    throw new FlowerError("usage", "nothing is given, and there is nobody to ask", {
      nextStep: "run flower setup at a terminal, or give --token-stdin, --base-url or --model",
    });
  const questions = isAsking ? terminalQuestions() : undefined;
  try {
    const answers = questions === undefined ? given : await askFor(given, current, questions, texts);
    const values = planSetup(current, answers);
    const after = editDotenv(before, changesTo(values));
    const finding = options.test ? await tried(values, places, locale) : undefined;
    if (finding?.level === "wrong" && !options.yes && (await questions?.yes(texts.writeAnyway)) !== true) {
      say(texts.notWritten(path));
      return EXIT.failed;
    }
    makePrivateDir(dirname(path));
    writeAtomic(path, after);
    process.stdout.write(`${stripControl(texts.written(path))}\n`);
    sayOverruled(values, places, texts);
    return finding?.level === "wrong" ? EXIT.failed : EXIT.done;
  } finally {
    questions?.close();
  }
}

async function optionsGiven({ tokenStdin, tokenAs, baseUrl, model }: SetupOptions): Promise<SetupAnswers> {
  if (tokenStdin && process.stdin.isTTY)
    throw new FlowerError("usage", "--token-stdin reads the token from a pipe, and there is none", {
      nextStep: "pipe it in, or leave the option out and type it unseen",
    });
  return {
    ...(tokenStdin ? { token: readToken(await readAll(process.stdin)) } : {}),
    ...(tokenAs === undefined ? {} : { tokenAs }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(model === undefined ? {} : { model }),
  };
}

async function askFor(
  given: SetupAnswers,
  current: SetupValues,
  questions: Questions,
  texts: SetupTexts,
): Promise<SetupAnswers> {
  const { ANTHROPIC_BASE_URL: urlNow, ANTHROPIC_MODEL: modelNow } = current;
  const baseUrl =
    given.baseUrl ??
    (await questions.ask(texts.askBaseUrl(stripControl(urlNow ?? texts.anthropic)), readBaseUrl));
  const keeps = keepsToken(current, baseUrl === undefined ? urlNow : readBaseUrl(baseUrl));
  const tokenNow = current.ANTHROPIC_AUTH_TOKEN ?? current.ANTHROPIC_API_KEY ?? "";
  const askToken = stripControl(texts.askToken(keeps ? maskToken(tokenNow) : undefined));
  const token = await questions.ask(askToken, readToken, { hidden: true, required: !keeps });
  if (token !== undefined) say(`  ${maskToken(token)}`);
  const model =
    given.model ??
    (await questions.ask(texts.askModel(stripControl(modelNow ?? texts.defaultModel)), readModel));
  return {
    ...given,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(token === undefined ? {} : { token }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Asks the endpoint with the values of the file alone: whatever goes before it here is not there elsewhere. */
async function tried(values: SetupValues, { env }: CredentialPlaces, locale: Locale): Promise<Finding> {
  const others = Object.entries(env).filter(([name]) => !CREDENTIAL_KEYS.some((key) => key === name));
  const trialEnv = { ...Object.fromEntries(others), ...values };
  say(SETUP_TEXTS[locale].trying(endpointUrl(trialEnv).href, trialModel(trialEnv)));
  const secrets = [values.ANTHROPIC_API_KEY ?? "", values.ANTHROPIC_AUTH_TOKEN ?? ""];
  const finding = trialFinding(await tryEndpoint(trialEnv), TRIAL_TEXTS[locale], secrets);
  say(`  ${finding.level === "ok" ? "+" : "!"} ${[finding.text, finding.todo].filter(Boolean).join(" -- ")}`);
  return finding;
}

function sayOverruled(values: SetupValues, places: CredentialPlaces, texts: SetupTexts): void {
  try {
    for (const { key, source } of overruled(values, resolveCredentials(places)))
      say(`  ! ${values[key] === undefined ? texts.alsoSet(key, source) : texts.overruled(key, source)}`);
  } catch (error) {
    // Such as an endpoint that this workspace names: a run here would stop with the same words.
    say(`  ! ${errorLine(error)}`);
  }
}

/** A name without a value is taken out of the file. */
const changesTo = (values: SetupValues): Record<string, string | undefined> =>
  Object.fromEntries(SETUP_KEYS.map((key) => [key, values[key]]));

function pick(values: Readonly<Record<string, string>>): SetupValues {
  return Object.fromEntries(SETUP_KEYS.flatMap((key) => (values[key] ? [[key, values[key]]] : [])));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new FlowerError("workspace", `${path} cannot be read: ${errorText(error)}`, {
      nextStep: "make it a file that can be read, or move it away",
      cause: error,
    });
  }
}
