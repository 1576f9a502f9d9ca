import { createHash } from "node:crypto";
import { join } from "node:path";
import { firstContextOf, lastContextOf } from "../context/request-contexts.ts";
import { shrink, type ShrinkLevel } from "../context/shrink.ts";
import { charsOf } from "../context/spill-text.ts";
import type { AgentSpec } from "../core/spec.ts";
import { createGate } from "../gate/gate.ts";
import type { GatePolicy } from "../gate/policy.ts";
import { harnessEnvironment } from "../harness/environment.ts";
import { availableContainment } from "../harness/sandbox.ts";
import { openSession } from "../harness/session.ts";
import type { Containment, HarnessSession } from "../harness/contract.ts";
import type { SessionStore } from "../store/contract.ts";
import { readingThrough } from "../store/reading-through.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { CommandFiles } from "./command-files.ts";
import { gatePolicy } from "./gate-policy.ts";
import { handoffLine } from "./handoff-policy.ts";
import { isolatedAgents, type Isolation } from "./isolation.ts";
import type { CacheTtl } from "../context/rewrite-when.ts";
import type { MailDesk } from "./mail-desk.ts";
import type { ResolvedOptions } from "./options.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import { projectKeyOf } from "./project-key.ts";
import { resumedHistory, type ResumedSession, type ResumeParts } from "./resumed-history.ts";
import { resolveResilience } from "./resilience.ts";
import type { Secrets } from "./secrets.ts";
import { ShownIndexes } from "./shown-indexes.ts";
import { stepHooks } from "./step-hooks.ts";
import type { LiveSession, Origin } from "./step-context.ts";
import { limitsOf, type Turn } from "./turn.ts";
import type { WindowBook } from "./window-book.ts";
import { workerSandbox, type CallSandbox } from "./worker-sandbox.ts";

/** What all sessions of a runtime share. */
export interface FactoryParts {
  options: ResolvedOptions;
  credentials: Readonly<Record<string, string>>;
  secrets: Secrets;
  /** As it keeps things. */
  store: SessionStore;
  /** How histories are rewritten on their way into a session. */
  resume: ResumeParts;
  workbench: Workbench | undefined;
  isolation: Isolation | undefined;
  containment: Containment | undefined;
  windows: WindowBook;
  permissions: PermissionDesk;
  /** Notes what is made in the temp directory; see `TempRecords`. */
  noteTemp(path: string): () => void;
}

/** The step's part of a session. */
export interface StepPart {
  spec: AgentSpec;
  /** The person's messages are delivered to this session; undefined = not to this one. */
  mail: MailDesk | undefined;
  origin: Origin;
  generation: number;
  before: Turn["before"];
  apartUsd: Turn["apartUsd"];
  worktrees: Turn["worktrees"];
  emit: Turn["emit"];
  onSessionId: Turn["onSessionId"];
}

/** Opens sessions: environment, gate, hooks, window. */
export class SessionFactory {
  readonly #parts: FactoryParts;
  readonly #commandFiles: CommandFiles;
  readonly #shownIndexes: ShownIndexes;
  /** Sessions whose notice was given: a fault may put one into several processes. */
  readonly #noticed = new Set<string>();

  constructor(parts: FactoryParts) {
    this.#parts = parts;
    this.#commandFiles = new CommandFiles(parts.options.runDir, parts.noteTemp);
    this.#commandFiles.clear();
    this.#shownIndexes = new ShownIndexes(parts.options.runDir);
  }

  /** Removes what commands of its sessions have left in the temp directory; the sessions are closed by then. */
  close(): void {
    this.#commandFiles.close();
  }

  /** The model of a spec's main thread; empty = the harness's default. */
  modelOf(spec: AgentSpec): string {
    return spec.model ?? this.#parts.credentials["ANTHROPIC_MODEL"] ?? "";
  }

  #mayHandOff(spec: AgentSpec): boolean {
    return this.#parts.options.handoff.enabled && spec.compact === undefined;
  }

  /** Starts a process for a step; the window is known when this resolves. */
  async open(part: StepPart): Promise<LiveSession> {
    const { options, credentials, workbench, windows } = this.#parts;
    const { spec, origin } = part;
    const mayHandOff = this.#mayHandOff(spec);
    const policyOfStep = { ...options.handoff, enabled: mayHandOff };
    const model = this.modelOf(spec);
    const believed = windows.believed(model);
    // A figure that no model has: the harness repeats it only for a model that it does not know (0.3.332).
    const told = believed.certain ? believed.window : believed.window + 1;
    const projectKey = projectKeyOf(options.workspace, options.runDir);
    const configDir = options.portable ? harnessDir(options.runDir, projectKey) : undefined;

    const turn: Turn = {
      line: handoffLine(policyOfStep, believed.window),
      sessionId: origin.fork === true ? undefined : origin.resume,
      writing: false,
      interrupted: false,
      cut: undefined,
      context: 0,
      fresh: origin.resume === undefined,
      floor: undefined,
      batch: { calls: 0, tokens: 0 },
      writingBatches: 0,
      noticed: this.#noticed,
      generation: part.generation,
      cutAgents: new Set(),
      running: new Map(),
      refusals: 0,
      batches: 0,
      ...limitsOf(spec),
      before: part.before,
      apartUsd: part.apartUsd,
      worktrees: part.worktrees,
      emit: part.emit,
      onSessionId: part.onSessionId,
    };

    const drawLine = (): void => {
      turn.line = handoffLine(policyOfStep, windows.believed(model).window);
    };

    const policy = this.#policy(spec, origin);
    const session: HarnessSession = openSession({
      spec,
      workspace: options.workspace,
      additionalDirectories: [
        ...(workbench === undefined ? [] : [workbench.paths.root]),
        // Usually inside of the workbench.
        ...(policy.worktrees ?? []),
      ],
      env: harnessEnvironment({
        base: options.env,
        credentials,
        configDir,
        window: told,
        noCompaction: mayHandOff || spec.compact?.mode === "noSummary" || spec.compact?.mode === "off",
        longCache: this.#keepsLong(spec),
        extra: spec.env ?? {},
      }),
      ...(credentials["ANTHROPIC_API_KEY"] === undefined ? {} : { apiKey: credentials["ANTHROPIC_API_KEY"] }),
      redact: this.#parts.secrets.redact,
      ...this.#storesFor(origin, spec),
      projectKey,
      denyRules: [`Edit(/${options.runDir}/**)`],
      portable: options.portable,
      silenceMs: resolveResilience(options.resilience).silenceMs,
      hooks: stepHooks({
        turn,
        gate: createGate(policy),
        ownHooks: spec.hooks ?? [],
        permissions: this.#parts.permissions,
        isolatedAgents: policy.isolatedAgents ?? [],
        workbench,
        readOnlyWorkbench: origin.copyMount !== undefined,
        sandbox: this.#sandbox(spec, policy),
        commandFiles: this.#commandFiles,
        showIndex: spec.workbench ?? workbench !== undefined,
        knownIndex: this.#knownIndex(origin),
        shownIndexes: this.#shownIndexes,
        mail: part.mail,
        secrets: this.#parts.secrets,
        spillThreshold: options.spillThreshold,
        spillMainOnly: options.spillMainOnly,
        level: async () => session.level(),
        subagent: async (toolUseId) => session.subagent(toolUseId),
        agentIdOf: (toolUseId) => session.agentIdOf(toolUseId),
        accepted: (tokens) => {
          windows.accepted(model, tokens);
          drawLine();
        },
        startedWith: ({ tokens, windowTokens }) => {
          windows.startedWith(model, tokens, windowTokens);
          drawLine();
        },
        spentUsd: async () => session.spentUsd(),
        spentTokens: () => session.spentTokens,
      }),
      onTemp: (path) => this.#parts.noteTemp(path),
      onEvent: (event) => {
        // The round that writes the document sends no text to the interface.
        if (!turn.writing || event.type === "error") turn.emit(event);
      },
      onSessionId: (sessionId) => {
        turn.sessionId = sessionId;
        turn.onSessionId(sessionId);
      },
      ...(origin.resume === undefined ? {} : { resume: origin.resume }),
      ...(origin.fork === undefined ? {} : { fork: origin.fork }),
      ...(origin.resumeAt === undefined ? {} : { resumeAt: origin.resumeAt }),
      ...(origin.copyMount === undefined ? {} : { copyMount: origin.copyMount }),
      ...(this.#parts.containment === undefined ? {} : { containment: this.#parts.containment }),
    });

    if (believed.certain) return { session, turn };
    const answer = await windowOf(session);
    if (answer === undefined) return { session, turn };
    const known = answer === told ? undefined : answer;
    turn.line = handoffLine(policyOfStep, windows.settle(model, known).window);
    if (known !== undefined) return { session, turn };
    // The harness goes by what it was told, and that must be flower's own figure: a process of its own for it, once.
    await session.close();
    return this.open(part);
  }

  /** Whether a session can be resumed: the person's own harness may have it where its files are used. */
  async holds(sessionId: string): Promise<boolean> {
    const { options, store } = this.#parts;
    if (!options.portable) return true;
    try {
      const sessions = await store.listSessions(projectKeyOf(options.workspace, options.runDir));
      return sessions.some((session) => session.sessionId === sessionId);
    } catch {
      // What is wrong with the store is said when the session is loaded.
      return true;
    }
  }

  /** How much of a session's context is left when its history is shrunk, 0 to 1; undefined when the store does not hold it. */
  async shrunkShare(sessionId: string, level: ShrinkLevel): Promise<number | undefined> {
    const { options, store } = this.#parts;
    const projectKey = projectKeyOf(options.workspace, options.runDir);
    const whole = await store.load({ projectKey, sessionId });
    if (whole === null) return undefined;
    const { charsSaved } = shrink(whole, level);
    const left = 1 - charsSaved / Math.max(1, charsOf(whole.map((entry) => entry["message"])));
    // What it started with, its system prompt and tools, stays.
    const floor = firstContextOf(whole) ?? 0;
    const grown = Math.max(1, lastContextOf(whole) ?? 1);
    return Math.min(1, (floor + Math.max(0, grown - floor) * left) / grown);
  }

  /** The whole history is taken over as it is. */
  #knownIndex({ resume, resumeAt, shrink: level }: Origin): string | undefined {
    const isWhole = resumeAt === undefined && level === undefined;
    return resume !== undefined && isWhole ? this.#shownIndexes.of(resume) : undefined;
  }

  #storesFor(
    { shrink: level, unkept, resumeAt }: Origin,
    spec: AgentSpec,
  ): { store: SessionStore; originals: SessionStore } {
    const { store, resume, workbench, credentials } = this.#parts;
    const ttl: CacheTtl = this.#keepsLong(spec) ? "1h" : "5m";
    const servedBy = {
      model: this.modelOf(spec),
      endpoint: shortHash(credentials["ANTHROPIC_BASE_URL"] ?? ""),
    };
    const originals = unkept === true ? readingThrough(store) : store;
    const shrinking: Pick<ResumedSession, "shrink"> =
      level === undefined
        ? {}
        : {
            shrink: (entries) =>
              shrink(entries, level, { spill: (text) => workbench?.spillPointer(text) }).entries,
          };
    const session = { ttl, servedBy, ...(resumeAt === undefined ? {} : { resumeAt }), ...shrinking };
    return { store: resumedHistory(originals, resume, session), originals };
  }

  /** Between two requests of a coordinator its workers do their part, often for more than five minutes. */
  #keepsLong({ delegateOnly }: AgentSpec): boolean {
    const { options, credentials } = this.#parts;
    if (delegateOnly !== true) return false;
    return (options.cacheTtl ?? endpointTtl(credentials["ANTHROPIC_BASE_URL"])) === "1h";
  }

  #sandbox(spec: AgentSpec, policy: GatePolicy): CallSandbox | undefined {
    const { options } = this.#parts;
    const program = options.sandboxProgram;
    if (program === undefined) return undefined;
    return workerSandbox({ program, policy, env: { ...options.env, ...spec.env } });
  }

  #policy(spec: AgentSpec, origin: Origin): GatePolicy {
    const { options, workbench } = this.#parts;
    const copy = origin.copyMount?.copy;
    // Under bubblewrap the copy stands at the workspace's own path; elsewhere the session works in the copy itself.
    const containment = this.#parts.containment ?? availableContainment();
    return gatePolicy(
      {
        workspace: copy !== undefined && containment === "supervisor" ? copy : options.workspace,
        runDir: options.runDir,
        home: options.home,
        workbench,
        credentialFiles: options.env["FLOWER_ENV"] === undefined ? [] : [options.env["FLOWER_ENV"]],
      },
      {
        delegateOnly: spec.delegateOnly ?? false,
        readOnly: spec.readOnly ?? false,
        glance: spec.glance ?? false,
        ...(spec.allowedTools === undefined ? {} : { mainAllowed: spec.allowedTools }),
        throwaway: spec.throwawayCopy === true && origin.copyMount !== undefined,
        mode: spec.permissionMode === "ask" ? "ask" : options.permissions,
        allowPublish: options.allowPublish,
        ...(this.#parts.isolation === undefined
          ? {}
          : { worktrees: [this.#parts.isolation.dir], isolatedAgents: isolatedAgents(spec) }),
      },
    );
  }
}

/** The harness looks for sessions there as well when the store has none (0.3.332), so workspaces are kept apart. */
function harnessDir(runDir: string, projectKey: string): string {
  const dir = join(runDir, "harness");
  return projectKey === "." ? dir : join(dir, shortHash(projectKey));
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Anthropic's own endpoint keeps prompts for an hour when asked; others may refuse the request. */
function endpointTtl(endpoint: string | undefined): CacheTtl {
  return endpoint === undefined || /^https:\/\/([\w-]+\.)*anthropic\.com(\/|$)/.test(endpoint) ? "1h" : "5m";
}

/** What the harness takes for the window, tokens; undefined when it cannot be asked. */
async function windowOf(session: HarnessSession): Promise<number | undefined> {
  try {
    return (await session.level()).windowTokens;
  } catch {
    // A process that failed to start: the round says why.
    return undefined;
  }
}
