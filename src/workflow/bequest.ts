import { resolveCredentials } from "../config/credentials.ts";
import { redactDeep } from "../context/redact.ts";
import { errorText } from "../core/errors.ts";
import { realPath } from "../core/files.ts";
import type { AgentSpec } from "../core/spec.ts";
import {
  bequestBody,
  conclusionsPrompt,
  parseConclusions,
  visibleOnly,
  type Bequest,
  type Conclusions,
} from "../documents/bequest.ts";
import { Brief } from "../documents/brief.ts";
import { listItems } from "../documents/list-items.ts";
import { BEQUEST_STEP, stepDisplayName } from "../documents/names.ts";
import type { ResolvedOptions } from "../runtime/options.ts";
import { MESSAGES_HEAD } from "../runtime/prompts.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { Secrets } from "../runtime/secrets.ts";
import { bequestFacts } from "./bequest-facts.ts";
import { bequestTarget, writeBequest, type LeftAlone } from "./bequest-file.ts";
import { BEQUEST_NOTICES } from "./bequest-notices.ts";
import type { StarterContext, StarterParts } from "./context.ts";
import { fromContext } from "./step.ts";
import type { Workflow, WorkflowHost, WorkflowResult } from "./workflow.ts";

/** Where tools of all kinds look for what is to be known of a project. */
const FILES = ["AGENTS.md", "CLAUDE.md"] as const;
/** A reply, and one more for whoever tries a tool first. */
const MAX_TURNS = 3;

/** The starter workflow's parts, on a `Runtime` that is still open. */
export interface BequestParts extends StarterParts {
  host: WorkflowHost &
    Pick<Runtime, "runId" | "interrupt"> & {
      readonly options: Pick<ResolvedOptions, "runDir" | "env" | "home">;
    };
}

/** The workflow that ran, and how it ended. */
export interface BequestOptions {
  /** The session of its step `work` is asked for its conclusions. */
  flow: Workflow<StarterContext>;
  /** What it came to; undefined = it threw. */
  ended: WorkflowResult | undefined;
}

/**
 * Leaves pointers for the next tool in the workspace's `CLAUDE.md` and `AGENTS.md`: a block of at most 60 lines between
 * flower's own markers, written anew each time. The session that worked is asked once, in a copy of its history and
 * without tools; where it cannot be asked, flower puts the block together from documents and transcripts. Nothing is
 * written as long as there is neither a brief nor a goal. Never throws; events of the host say what came of it.
 * @returns the files that were written, absolute.
 */
export async function leaveBequest(
  parts: BequestParts,
  context: StarterContext,
  options: BequestOptions,
): Promise<string[]> {
  const { host, locale } = parts;
  const notices = BEQUEST_NOTICES[locale];
  const say = (level: "info" | "warning", message: string): void =>
    host.emit(BEQUEST_STEP, { type: "system", level, message });
  try {
    if (context.brief === undefined && context.goal === undefined) {
      say("info", notices.nothing);
      return [];
    }
    const bequest = await collect(parts, context, options);
    // Whole texts, without what could split a secret: once it is cut it would not be recognised any more.
    const redact = redactionFor(parts);
    const clean = redactDeep(bequest, (text) => redact(visibleOnly(text)));
    return writeAll(parts, bequestBody(clean, locale), say);
  } catch (error) {
    say("warning", notices.failed(errorText(error)));
    return [];
  }
}

function redactionFor({ host, workbench: { workspace } }: BequestParts): (text: string) => string {
  const { env, home } = host.options;
  return new Secrets(resolveCredentials({ env, workspace, home }), workspace, env).forDocuments();
}

function writeAll(
  { workbench, locale }: BequestParts,
  body: string,
  say: (level: "info" | "warning", message: string) => void,
): string[] {
  const notices = BEQUEST_NOTICES[locale];
  const written = new Set<string>();
  for (const name of FILES) {
    const path = bequestTarget(realPath(workbench.workspace), name);
    // One of the two may be a link to the other.
    if (path !== undefined && written.has(path)) continue;
    const left: LeftAlone | undefined = path === undefined ? { why: "leadsAway" } : writeBequest(path, body);
    if (left !== undefined)
      say("warning", notices.leftAlone(name, left.why === "failed" ? left.text : notices.reasons[left.why]));
    else if (path !== undefined) written.add(path);
  }
  if (written.size > 0) say("info", notices.written([...written].join(", ")));
  return [...written];
}

async function collect(
  parts: BequestParts,
  context: StarterContext,
  options: BequestOptions,
): Promise<Bequest> {
  const { host, workbench } = parts;
  const { runDir, env } = host.options;
  const { ended } = options;
  const results = ended?.results ?? [];
  const worked = host.lineage.get("work")?.sessionId;
  const ids = [...results.flatMap(({ retired, sessionId }) => [...retired, sessionId]), worked];
  const sessionIds = [...new Set(ids.filter((id) => id !== undefined))];
  const said = await askSession(parts, context, options);
  const found = await bequestFacts({ workbench, runDir, env, sessionIds });
  const brief = Brief.parse(context.brief ?? "");
  return {
    run: host.runId,
    ...(ended?.ok === true ? {} : { stopped: stoppedAt(ended, parts) }),
    mechanical: said === undefined,
    about: said?.about ?? (brief.goal || (context.goal?.statement ?? context.request)),
    generated: said?.generated ?? "",
    deadEnds: said?.deadEnds || found.deadEnds,
    checks: context.goal?.checks ?? listItems(brief.acceptance),
    verdict: context.verdicts.at(-1),
    scripts: found.scripts,
    written: found.written,
    places: found.places,
  };
}

function stoppedAt(
  ended: WorkflowResult | undefined,
  { locale }: BequestParts,
): NonNullable<Bequest["stopped"]> {
  const { step, reason } = ended?.stopped ?? { step: "", reason: BEQUEST_NOTICES[locale].threw };
  return { step: step === "" ? "flower" : stepDisplayName(step, locale), reason };
}

/** Its part, or undefined when it cannot or need not be asked: the rest is known without it. */
async function askSession(
  { host, channel, locale }: BequestParts,
  context: StarterContext,
  { flow, ended }: BequestOptions,
): Promise<Conclusions | undefined> {
  const step = flow.steps.find(({ name }) => name === "work");
  const resume = host.lineage.get("work")?.sessionId;
  const last = ended?.results.at(-1);
  const worked = ended?.results.findLast(({ sessionId }) => sessionId !== undefined && sessionId === resume);
  // Not after a fault, which would only come again; nor when a person waits, or has ended it.
  if (step === undefined || resume === undefined || worked?.ok !== true || last?.ok !== true)
    return undefined;
  if (channel.undelivered.length > 0) return undefined;
  const prompt = conclusionsPrompt(locale);
  const heard: string[] = [];
  const result = await host.run(withoutTools(fromContext(step.spec, context)), prompt, {
    ...{ resume, fork: true, stepName: BEQUEST_STEP, lineageStep: null },
    displayName: stepDisplayName(BEQUEST_STEP, locale),
    onEvent: (event) => {
      // The work is done: nobody has to wait until an endpoint or an allowance comes back.
      if (event.type === "retry") host.interrupt(undefined, { atOnce: true });
      if (event.type === "prompt" && event.agentId === undefined) heard.push(event.text.replace(prompt, ""));
    },
  });
  // It could not act on what a person said meanwhile: that is for the next run.
  for (const words of heard.map((text) => text.replace(MESSAGES_HEAD, "").trim()))
    if (words !== "") channel.send(words);
  return result.ok ? parseConclusions(result.text) : undefined;
}

const NO_TOOLS = "The run is over: no tools any more. Answer from what you know.";

/** The same tools and rules as before, for the cache's sake; each call is refused, and no successor takes over. */
function withoutTools(spec: AgentSpec): AgentSpec {
  return {
    ...spec,
    hooks: [{ beforeTool: () => NO_TOOLS }],
    compact: { mode: "noSummary" },
    maxTurns: MAX_TURNS,
  };
}
