import { homedir } from "node:os";
import { resolve } from "node:path";
import { FlowerError } from "../core/errors.ts";
import { chooseLocale } from "../core/locale.ts";
import type { AgentSpec } from "../core/spec.ts";
import { stripControl } from "../core/terminal-text.ts";
import { Runtime } from "../runtime/runtime.ts";
import { EXIT } from "./exit.ts";
import type { LineInput } from "./input.ts";
import { requireKnownSession } from "./known-session.ts";
import { permissionPerson } from "./permission-person.ts";
import { preflight } from "./preflight.ts";
import type { OnceOptions } from "./program.ts";
import { lineScreen } from "./screen.ts";
import { handleSignals } from "./signals.ts";
import { findCredentials, sayConfiguration, sayPermissions } from "./start.ts";
import { openTerminal } from "./terminal/open.ts";

/** `flower once "prompt"`: one agent, one prompt, no workflow. */
export async function once(prompt: string | undefined, options: OnceOptions): Promise<number> {
  if (prompt === undefined || prompt.trim() === "")
    throw new FlowerError("usage", "the prompt is empty", { nextStep: 'give one: flower once "…"' });
  if (options.resume === undefined && (options.fork || options.resumeAt !== undefined))
    throw new FlowerError("usage", `${options.fork ? "--fork" : "--resume-at"} needs --resume`, {
      nextStep: "name the session with --resume",
    });
  const { env } = process;
  const workspace = resolve(options.workspace);
  preflight({ ...options, workspace, env });
  const locale = chooseLocale(options.lang, env);
  const screen = lineScreen({ locale, verbose: options.verbose });
  const credentials = await findCredentials({ env, workspace, home: env["HOME"] ?? homedir() }, screen);
  if (options.verbose) sayConfiguration(credentials, options.window, screen);
  const person = options.permissions === "ask" ? permissionPerson(workspace, screen) : undefined;
  let lines: LineInput | undefined;
  const runtime = new Runtime({
    workspace,
    runDir: options.runDir,
    workbench: true,
    permissions: options.permissions,
    sandbox: options.requireSandbox ? "require" : "auto",
    ...(person === undefined ? {} : { channel: person.channel }),
    locale,
    handoff: { enabled: true, ...(options.window === undefined ? {} : { window: options.window }) },
    onEvent: (event) => {
      void screen.listener(event);
      if (event.type === "ask" && event.phase === "asked") lines?.asked();
    },
  });
  const signals = handleSignals(runtime);
  try {
    if (options.resume !== undefined) await requireKnownSession(options.resume, runtime.options);
    sayPermissions(screen, options.permissions);
    if (person !== undefined)
      lines = await openTerminal({
        screen,
        taker: person.taker,
        onInterrupt: () => signals.interrupt(),
        env,
      });
    const spec: AgentSpec = {
      name: "once",
      instructions: options.instructions ?? "",
      ...(options.tools === undefined
        ? {}
        : { allowedTools: options.tools.split(",").map((name) => name.trim()) }),
      ...(options.budget === undefined ? {} : { maxBudgetUsd: options.budget }),
    };
    const result = await runtime.run(spec, prompt, {
      ...(options.resume === undefined ? {} : { resume: options.resume }),
      ...(options.fork ? { fork: true } : {}),
      ...(options.resumeAt === undefined ? {} : { resumeAt: options.resumeAt }),
    });
    if (result.text !== "") process.stdout.write(`${stripControl(result.text)}\n`);
    screen.say(`${screen.texts.session}: ${result.sessionId ?? ""}`);
    if (!result.ok) screen.say(`flower: ${result.error ?? screen.texts.failedWord}`);
    return result.ok ? EXIT.done : result.status === "interrupted" ? EXIT.interrupted : EXIT.failed;
  } finally {
    signals.off();
    lines?.close();
    person?.channel.close();
    await runtime.close();
  }
}
