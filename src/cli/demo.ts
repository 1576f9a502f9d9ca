import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chooseLocale } from "../core/locale.ts";
import { startRehearsal } from "../testing/rehearsal.ts";
import { NOTES, REQUEST, SAMPLE } from "../testing/scenarios/converter-material.ts";
import { converterScenario } from "../testing/scenarios/converter.ts";
import { EXIT } from "./exit.ts";
import { finish } from "./finish.ts";
import { runGo } from "./go.ts";
import { preflight } from "./preflight.ts";
import type { DemoOptions } from "./program.ts";
import { textsFor, type Texts } from "./texts.ts";
import { shellWord } from "./shell-word.ts";

/** Small enough that the coordinator hands over once on the way. */
const DEMO_WINDOW_TOKENS = 60_000;
const DEMO_DIR = "flower-demo";

/** `flower demo`: the main job with a scripted model on 127.0.0.1, the real harness, real files. */
export async function demo(options: DemoOptions): Promise<number> {
  const workspace = resolve(options.workspace === "." ? DEMO_DIR : options.workspace);
  const env = withoutAccount(process.env);
  preflight({ ...options, workspace, env });
  prepare(workspace);
  const rehearsal = await startRehearsal({ scenario: converterScenario });
  const woken = existsSync(join(workspace, options.runDir, "lineage.json"));
  try {
    const ended = await runGo(
      woken ? undefined : REQUEST,
      {
        ...options,
        workspace,
        asks: -1,
        rounds: 3,
        goal: true,
        judgeRun: true,
        timeout: 1_800,
        handoff: true,
        new: false,
        clarifyOnly: false,
        bequest: false,
        isolate: false,
        trim: true,
        waitLimits: true,
        permissions: "auto",
        requireSandbox: false,
      },
      {
        env: { ...env, ...rehearsal.env },
        handoff: { enabled: true, window: DEMO_WINDOW_TOKENS },
        answer: (_question, [first = "yes"]) => first,
      },
    );
    // What went wrong before is said first; that steps of the scenario are left follows from it.
    if (ended.error === undefined) rehearsal.assertDone();
    if (ended.exitCode === EXIT.done && !options.json)
      process.stderr.write(`\n${tryItLine(workspace, textsFor(chooseLocale(options.lang, env)))}\n`);
    return finish(ended, options);
  } finally {
    await rehearsal.close({ check: false });
  }
}

/** The demo must neither use nor need the person's account. */
function withoutAccount(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(ANTHROPIC_|CLAUDE_|FLOWER_WINDOW$|FLOWER_ENV$)/.test(name)),
  );
}

/** How to try what was made, as a line for a shell. */
export function tryItLine(workspace: string, { tryIt }: Texts): string {
  return `${tryIt}: cd ${shellWord(workspace)} && node md2html.mjs sample.md && node --test`;
}

function prepare(workspace: string): void {
  mkdirSync(join(workspace, "notes"), { recursive: true });
  const files = { "sample.md": SAMPLE, ...NOTES };
  for (const [name, text] of Object.entries(files)) {
    const path = join(workspace, name);
    if (!existsSync(path)) writeFileSync(path, text);
  }
}
