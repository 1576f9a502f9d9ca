// One session of the real harness against a scripted model, opened as flower opens it, and what was seen of it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { harnessEnvironment } from "../dist/harness/environment.js";
import { buildOptions } from "../dist/harness/options.js";
import { call, startRehearsal } from "../dist/testing/index.js";

/** No script takes this long; another version of the SDK may wait for something that never comes. */
const LIMIT_MS = 60_000;
/** An upper guard for what takes a moment on an idle machine. */
const POLL_LIMIT_MS = 40_000;
const KEY = "sk-ant-probe";

const children = new Set();
const dirs = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const dir of dirs) remove(dir);
});

const remove = (dir) => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });

/** A temp directory that goes at the end of the process, or earlier with the function that comes with it. */
export function tempDir() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "flower-probe-")));
  dirs.add(dir);
  return [
    dir,
    () => {
      remove(dir);
      dirs.delete(dir);
    },
  ];
}

/** The scripted main thread. */
export const main = (...script) => ({ name: "main", when: (request) => !request.isSubagent, script });
/** The scripted subagents. */
export const sub = (...script) => ({ name: "sub", when: (request) => request.isSubagent, script });
export const bash = (command, more = {}) => call("Bash", { command, ...more });
/** Sends the worker. */
export const send = (prompt = "Do it.") =>
  call("Agent", { description: "a task", prompt, subagent_type: "worker" });
/** What a hook answers that lets every call through. */
export const allow = (more = {}) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", ...more },
});

/** A session store that keeps all in memory, together with the calls that it got. */
export function memoryStore({ failing = () => false } = {}) {
  const kept = new Map();
  const calls = [];
  const nameOf = ({ sessionId, subpath = "" }) => `${sessionId}/${subpath}`;
  return {
    kept,
    calls,
    append: async (key, entries) => {
      calls.push({ what: "append", key, types: entries.map(({ type }) => type) });
      if (failing(key)) throw new Error("the disk is full");
      kept.set(nameOf(key), [...(kept.get(nameOf(key)) ?? []), ...structuredClone(entries)]);
    },
    load: async (key) => {
      calls.push({ what: "load", key });
      return structuredClone(kept.get(nameOf(key)) ?? null);
    },
    listSubkeys: async ({ sessionId }) => {
      calls.push({ what: "listSubkeys" });
      return [...kept.keys()]
        .filter((name) => name.startsWith(`${sessionId}/`) && !name.endsWith("/"))
        .map((name) => name.slice(sessionId.length + 1));
    },
    /** Entries of the main thread of the only session. */
    main: () => [...kept].find(([name]) => name.endsWith("/"))?.[1] ?? [],
    subagent: () => [...kept].find(([name]) => !name.endsWith("/"))?.[1] ?? [],
  };
}

/**
 * Plays a scenario. `prompts` are pushed one after the other into the same process, each after the result of the one
 * before; a function gets `{ live, results }` first. `hooks` has one function an event, `options` and `env` are put
 * over flower's own, `extra` over the spec.
 */
export async function play(sdk, setting) {
  const { actors, prompts = ["Begin."], hooks = {}, options = {}, env = {}, spec = {} } = setting;
  const { limitMs = LIMIT_MS } = setting;
  const {
    store = memoryStore(),
    window = 1_000_000,
    rehearsal: rehearsing = {},
    noCompaction = true,
  } = setting;
  const [dir, gone] = setting.dir === undefined ? tempDir() : [setting.dir, () => undefined];
  const configDir = join(dir, "config");
  const cwd = join(dir, "work");
  mkdirSync(cwd, { recursive: true });
  setting.prepare?.(cwd);
  const scenario = { name: "probe", actors, expectRefusals: true };
  const rehearsal = await startRehearsal({ scenario, ...rehearsing });
  const seen = { messages: [], hooks: [], stderr: "", cwd, configDir };
  const results = [];
  const queue = promptQueue();
  let live;

  const hooked = (event, answer) => [
    {
      timeout: 60,
      onFailure: "block",
      hooks: [
        async (input) => {
          seen.hooks.push({ event, ...input });
          return (await answer?.(input, { live, seen })) ?? (event === "PreToolUse" ? allow() : {});
        },
      ],
    },
  ];
  const base = buildOptions(
    {
      name: "probe",
      instructions: "You are a probe.",
      model: "claude-opus-5",
      allowedTools: ["Agent", "Bash", "Grep", "Read", "TodoWrite", "Write"],
      agents: {
        worker: { description: "Works.", prompt: "You work.", tools: ["Bash", "Read"], model: "inherit" },
      },
      ...spec,
    },
    { workspace: cwd, additionalDirectories: [], portable: true, denyRules: setting.denyRules ?? [] },
  );
  const environment = {
    ...harnessEnvironment({
      base: { ...process.env, HOME: dir },
      credentials: rehearsal.env,
      configDir,
      window,
      noCompaction,
      longCache: false,
      extra: {},
    }),
    ANTHROPIC_API_KEY: KEY,
    ...env,
  };
  const names = new Set(["PreToolUse", ...Object.keys(hooks)]);
  const killer = setTimeout(
    () => children.forEach((child) => child.dir === dir && child.kill("SIGKILL")),
    limitMs,
  );
  try {
    live = sdk.query({
      prompt: queue,
      options: {
        ...base,
        env: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
        hooks: Object.fromEntries([...names].map((name) => [name, hooked(name, hooks[name])])),
        sessionStore: store,
        sessionStoreFlush: "eager",
        spawnClaudeCodeProcess: (request) => {
          const child = (setting.spawn ?? start)(request);
          child.dir = dir;
          seen.pid = child.pid;
          seen.harnessEnv = request.env;
          children.add(child);
          child.once("exit", () => children.delete(child));
          child.stderr?.setEncoding("utf8").on("data", (text) => (seen.stderr += text));
          return child;
        },
        ...options,
      },
    });
    const rest = [...prompts];
    const next = async () => {
      const prompt = rest.shift();
      const text = typeof prompt === "function" ? await prompt({ live, results, seen }) : prompt;
      if (text === undefined) queue.close();
      else queue.push(text);
    };
    await next();
    for await (const message of live) {
      seen.messages.push(message);
      await setting.onMessage?.(message, { live, seen });
      if (message.type !== "result") continue;
      results.push(message);
      await next();
    }
  } catch (error) {
    seen.error = error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(killer);
    queue.close();
    seen.bodies = rehearsal.journal.map(({ index, status }) =>
      status === null ? undefined : rehearsal.body(index),
    );
    await rehearsal.close({ check: false });
    gone();
  }
  const { journal } = rehearsal;
  return { ...seen, results, journal, store, refusals: journal.flatMap((row) => row.refusal?.message ?? []) };
}

/** Starts the harness without anything between. */
function start({ command, args, cwd, env }) {
  return spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
}

/** Prompts that are pushed while the session runs. */
function promptQueue() {
  const waiting = [];
  let closed = false;
  let wake = () => undefined;
  return {
    push: (text) => {
      waiting.push({ type: "user", message: { role: "user", content: text }, parent_tool_use_id: null });
      wake();
    },
    close: () => {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        if (closed) return;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
}

/** Results of calls as the request with this index brought them, texts only. */
export function resultsIn(body) {
  return body.messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content, is_error: failed }) => ({
      text: textOf(content),
      ...(failed === true ? { failed } : {}),
    }));
}

/** The text of the last result that a request brought. */
export const lastResult = (body) => resultsIn(body ?? { messages: [] }).at(-1)?.text;

export function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? textOf(block.content)).join("\n");
}

/** What a text says around a place, or "absent". */
export function about(text, pattern) {
  return pattern.exec(text ?? "")?.[0] ?? "absent";
}

/** The directory that the harness names in a request. */
export function cwdOf({ messages }) {
  return about(JSON.stringify(messages), /(?<=working directory: )[^\s\\]+/);
}

/** Polls; false when it did not come true in time. */
export async function until(condition) {
  const end = Date.now() + POLL_LIMIT_MS;
  while (!condition()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** The number that a command wrote into a file; undefined as long as there is none. */
export function numberIn(file) {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}
