import { homedir } from "node:os";
import { resolve } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { FlowerError } from "../core/errors.ts";
import { realPath } from "../core/files.ts";
import { chooseLocale } from "../core/locale.ts";
import type { AgentSpec } from "../core/spec.ts";
import { stripControl } from "../core/terminal-text.ts";
import { Runtime } from "../runtime/runtime.ts";
import { Secrets } from "../runtime/secrets.ts";
import { Workbench } from "../workbench/workbench.ts";
import { EXIT } from "./exit.ts";
import { finish } from "./finish.ts";
import type { LineInput } from "./input.ts";
import { nextCommand, runFacts, sayNext } from "./job-end.ts";
import { endedBy, endLine, printLine, type Ended, type RunFacts } from "./json-lines.ts";
import { callToGoOn, requireKnownSession } from "./known-session.ts";
import { permissionPerson } from "./permission-person.ts";
import { preflight } from "./preflight.ts";
import type { OnceOptions } from "./program.ts";
import { forTypist, lineScreen } from "./screen.ts";
import { handleSignals } from "./signals.ts";
import { findCredentials, sayConfiguration, sayPermissions } from "./start.ts";
import { openTerminal } from "./terminal/open.ts";

/** `flower once "prompt"`: one agent, one prompt, no workflow. */
export async function once(prompt: string | undefined, options: OnceOptions): Promise<number> {
  return finish(await runOnce(prompt ?? (await pipedPrompt()), options), options);
}

/** All of standard input, unless somebody types there. */
async function pipedPrompt(): Promise<string> {
  return process.stdin.isTTY ? "" : (await wholeText(process.stdin)).trim();
}

async function runOnce(prompt: string, options: OnceOptions): Promise<Ended> {
  if (prompt.trim() === "")
    throw new FlowerError("usage", "the prompt is empty", { nextStep: 'give one: flower once "…"' });
  if (options.resume === undefined && (options.fork || options.resumeAt !== undefined))
    throw new FlowerError("usage", `${options.fork ? "--fork" : "--resume-at"} needs --resume`, {
      nextStep: "name the session with --resume",
    });
  const { env } = process;
  const workspace = resolve(options.workspace);
  preflight({ ...options, workspace, env });
  const locale = chooseLocale(options.lang, env);
  const budget = options.budget === undefined ? {} : { budgetUsd: options.budget };
  const screen = lineScreen({
    ...{ locale, verbose: options.verbose, ...budget },
    ...(options.json ? { shows: forTypist } : {}),
  });
  const credentials = await findCredentials({ env, workspace, home: env["HOME"] ?? homedir() }, screen);
  if (options.verbose) sayConfiguration(credentials, options.window, screen);
  const secrets = new Secrets(credentials, workspace, env);
  const { redact } = secrets;
  const bench = (): Workbench =>
    runtime.workbench ?? Workbench.open({ workspace: realPath(workspace), locale });
  const person =
    options.permissions === "ask" ? permissionPerson(bench, screen, () => secrets.forDocuments()) : undefined;
  let lines: LineInput | undefined;
  const runtime = new Runtime({
    workspace,
    runDir: options.runDir,
    workbench: true,
    ...budget,
    permissions: options.permissions,
    sandbox: options.requireSandbox ? "require" : "auto",
    ...(person === undefined ? {} : { channel: person.channel }),
    locale,
    handoff: { enabled: true, ...(options.window === undefined ? {} : { window: options.window }) },
    onEvent: (event) => {
      if (options.json) printLine(event);
      void screen.listener(event);
      if (event.type === "ask" && event.phase === "asked") lines?.asked();
    },
  });
  const facts = (): RunFacts => runFacts(runtime, screen, bench());
  const signals = handleSignals(runtime, {
    leaving: (exitCode, reason) => {
      if (options.json) printLine(endLine({ exitCode, reason, run: facts() }));
    },
  });
  try {
    if (options.resume !== undefined) await requireKnownSession(options.resume, runtime.options);
    sayPermissions(screen, options.permissions);
    if (person !== undefined)
      lines = await openTerminal({
        ...{ screen, taker: person.taker, env, plain: options.json },
        onInterrupt: () => signals.interrupt(),
      });
    const spec: AgentSpec = {
      name: "once",
      instructions: options.instructions ?? "",
      ...(options.tools === undefined
        ? {}
        : { allowedTools: options.tools.split(",").map((name) => name.trim()) }),
    };
    const result = await runtime.run(spec, prompt, {
      ...(options.resume === undefined ? {} : { resume: options.resume }),
      ...(options.fork ? { fork: true } : {}),
      ...(options.resumeAt === undefined ? {} : { resumeAt: options.resumeAt }),
    });
    const { sessionId } = result;
    const text = redact(result.text);
    if (text !== "" && !options.json) screen.result(stripControl(text));
    screen.say(`${screen.texts.session}: ${sessionId ?? ""}`);
    const said = { text, run: facts(), ...(sessionId === undefined ? {} : { sessionId }) };
    if (result.ok) return { exitCode: EXIT.done, ...said };
    const reason = redact(result.error ?? screen.texts.failedWord);
    screen.say(`flower: ${stripControl(reason)}`);
    const exitCode = result.status === "interrupted" ? EXIT.interrupted : EXIT.failed;
    const call = await callToGoOn(sessionId, prompt, options, runtime.options);
    if (call === undefined) return { exitCode, reason, ...said };
    const next = nextCommand({ by: "once", ...call }, options, runtime);
    sayNext(next, screen);
    return { exitCode, reason, next: next.command, ...said };
  } catch (error) {
    return endedBy(error, facts());
  } finally {
    signals.off();
    lines?.close();
    person?.channel.close();
    await runtime.close();
  }
}
