// What the session store gets, and what a resume makes of it.
import { existsSync } from "node:fs";
import { apiError, say } from "../../dist/testing/index.js";
import { about, bash, lastResult, main, memoryStore, play, send, sub, tempDir, textOf } from "../kit.mjs";

const UUID = "11111111-2222-4333-8444-555555555555";

/** A session with one command and one subagent, to be resumed. */
async function first(sdk, script = main(bash("echo one"), send(), say("done"))) {
  const store = memoryStore();
  const [dir, gone] = tempDir();
  const seen = await play(sdk, {
    store,
    dir,
    actors: [script, sub(bash("echo two"), say("report"))],
    options: { sessionId: UUID },
  });
  return { store, dir, seen, gone };
}

const resume = (sdk, { store, dir }, more = {}) =>
  play(sdk, {
    store,
    dir,
    actors: [main(say("again"))],
    prompts: ["Go on."],
    ...more,
    options: { resume: UUID, ...more.options },
  });

const keysOf = (store, what) => [
  ...new Set(
    store.calls
      .filter((call) => call.what === what)
      .map(
        ({ key: { sessionId, subpath = "main" } }) =>
          `${sessionId} ${subpath.replace(/agent-\w+/, "agent-<id>")}`,
      ),
  ),
];

export const STORE = [
  {
    name: "the store gets the main thread and each subagent under keys of their own",
    mechanism: "src/store/contract.ts, src/harness/store-adapter.ts, src/context/transcript.ts",
    expected: {
      keys: [`${UUID} main`, `${UUID} subagents/agent-<id>`],
      "the project is the directory with one character for many": true,
      "links of the chain": ["assistant", "attachment", "user"],
      "each has an id and a parent": true,
      "the last entry": "cost-state",
    },
    async look(sdk) {
      const { store, seen, gone } = await first(sdk);
      gone();
      const entries = store.main();
      const links = entries.filter(({ uuid }) => uuid !== undefined);
      return {
        keys: keysOf(store, "append"),
        "the project is the directory with one character for many":
          store.calls[0].key.projectKey === seen.cwd.replace(/[^A-Za-z0-9]/g, "-"),
        "links of the chain": [...new Set(links.map(({ type }) => type))].sort(),
        "each has an id and a parent": links.every(({ parentUuid }) => parentUuid !== undefined),
        "the last entry": entries.at(-1)?.type,
      };
    },
  },
  {
    name: "a resume loads from the store, pins the system prompt, works in a copy and removes it",
    mechanism: "src/harness/session.ts, src/harness/spawn.ts (resumeCopy), src/core/temp-names.ts",
    expected: {
      loaded: [`${UUID} main`, `${UUID} subagents/agent-<id>`],
      "the session": UUID,
      "messages come back": true,
      "changed instructions": "ignored",
      CLAUDE_CONFIG_DIR: "claude-resume-<uuid>",
      "it is there after the end": false,
    },
    async look(sdk) {
      const session = await first(sdk);
      session.store.calls.length = 0;
      const { messages, bodies, harnessEnv } = await resume(sdk, session, {
        spec: { instructions: "CHANGED" },
      });
      const copy = harnessEnv.CLAUDE_CONFIG_DIR;
      for (let i = 0; i < 50 && existsSync(copy); i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      session.gone();
      return {
        loaded: keysOf(session.store, "load"),
        "the session": messages.at(-1)?.session_id,
        "messages come back": JSON.stringify(bodies[0]?.messages).includes("echo one"),
        "changed instructions": textOf(bodies[0]?.system).includes("CHANGED") ? "taken" : "ignored",
        CLAUDE_CONFIG_DIR: copy
          .split("/")
          .at(-1)
          .replace(/[0-9a-f-]{36}$/, "<uuid>"),
        "it is there after the end": existsSync(copy),
      };
    },
  },
  {
    name: "a history that load() made smaller is sent as it is",
    mechanism: "src/context/shrink.ts, src/store/rewriting.ts",
    expected: { "the result": "SHRUNK", "what was there": false },
    async look(sdk) {
      const session = await first(sdk, main(bash("echo some-long-output"), say("done")));
      const { load } = session.store;
      session.store.load = async (key) =>
        (await load(key))?.map((entry) => {
          const [block] = Array.isArray(entry.message?.content) ? entry.message.content : [];
          if (block?.type === "tool_result") block.content = "SHRUNK";
          return entry;
        });
      const { bodies } = await resume(sdk, session);
      session.gone();
      return {
        "the result": lastResult(bodies[0]),
        "what was there": JSON.stringify(bodies[0].messages).includes('"some-long-output'),
      };
    },
  },
  {
    name: "a call without a result is answered at the resume",
    mechanism: "src/context/prune.ts (isInterrupted), src/context/rewrite-repair.ts",
    expected: { "the result": "[Tool call interrupted", "its mark in the store": "interrupted" },
    async look(sdk) {
      const session = await first(sdk, main(bash("echo one"), say("done")));
      const name = [...session.store.kept.keys()][0];
      const entries = session.store.kept.get(name);
      const at = entries.findIndex((entry) => entry.toolUseResult !== undefined);
      session.store.kept.set(name, entries.slice(0, at));
      const { bodies, store } = await resume(sdk, session);
      session.gone();
      return {
        "the result": about(lastResult(bodies[0]), /^\[Tool call interrupted/),
        "its mark in the store":
          store.main().find(({ toolDenialKind }) => toolDenialKind)?.toolDenialKind ?? "absent",
      };
    },
  },
  {
    name: "a session that the store does not hold is no session",
    mechanism: "src/runtime/classify.ts (NO_SUCH_SESSION), src/cli/known-session.ts",
    expected: { "the words": `No conversation found with session ID: ${UUID}`, requests: 0 },
    async look(sdk) {
      const [dir, gone] = tempDir();
      const { error, results, bodies } = await resume(sdk, { store: memoryStore(), dir });
      gone();
      const said = `${error} ${JSON.stringify(results)}`;
      return {
        "the words": about(said, /No conversation found with session ID: [0-9a-f-]+/),
        requests: bodies.length,
      };
    },
  },
  {
    name: "a fork has an id of its own and leaves its source alone",
    mechanism: "src/harness/session.ts (fork)",
    expected: { "the session": "a new one", "entries of the source": "unchanged", "its history": "echo one" },
    async look(sdk) {
      const session = await first(sdk);
      const before = session.store.kept.get(`${UUID}/`).length;
      const { messages, bodies } = await resume(sdk, session, {
        options: { forkSession: true, sessionId: UUID.replace("1", "2") },
      });
      session.gone();
      const id = messages.at(-1)?.session_id;
      return {
        "the session": id === UUID.replace("1", "2") ? "a new one" : id,
        "entries of the source": session.store.kept.get(`${UUID}/`).length === before ? "unchanged" : "more",
        "its history": about(JSON.stringify(bodies[0].messages), /echo one/),
      };
    },
  },
  {
    name: "a batch that cannot be kept is tried three times, then dropped, and the run goes on",
    mechanism: "src/harness/store-adapter.ts (APPEND_TRIES), src/harness/session.ts (isLostWrite)",
    slow: true,
    expected: { tries: 3, "the notice": "mirror_error", "the turn": "done" },
    async look(sdk) {
      const store = memoryStore({ failing: () => true });
      const { messages, results } = await play(sdk, { store, actors: [main(say("done"))] });
      const lost = messages.filter(({ subtype }) => subtype === "mirror_error").length;
      return {
        tries: store.calls.filter(({ what }) => what === "append").length / lost,
        "the notice": messages.find(({ subtype }) => /mirror_error|session_writes_lost/.test(subtype))
          ?.subtype,
        "the turn": results[0]?.result,
      };
    },
  },
  {
    name: "an API error is a message of a model of its own; its body is in the store only",
    mechanism:
      "src/harness/session.ts (onEntries), src/runtime/stated-window.ts, src/context/prune.ts (isApiError)",
    expected: {
      "the message": {
        model: "<synthetic>",
        text: "Prompt is too long",
        error: "invalid_request",
        status: 400,
      },
      "the stored entry": {
        isApiErrorMessage: true,
        details: "prompt is too long: 208310 tokens > 200000 maximum",
      },
      "the numbers are in messages": false,
      "after a resume the error is sent": false,
    },
    async look(sdk) {
      const session = await first(
        sdk,
        main(apiError(400, "prompt is too long: 208310 tokens > 200000 maximum")),
      );
      const { messages, store } = session.seen;
      const said = messages.find(({ type }) => type === "assistant");
      const stored = store.main().find(({ isApiErrorMessage: is }) => is === true);
      const { bodies } = await resume(sdk, session);
      session.gone();
      return {
        "the message": {
          model: said?.message.model,
          text: textOf(said?.message.content),
          error: said?.error,
          status: said?.api_error_status,
        },
        "the stored entry": {
          isApiErrorMessage: stored?.isApiErrorMessage,
          details: about(stored?.errorDetails, /prompt is too long: \d+ tokens > \d+ maximum/),
        },
        "the numbers are in messages": JSON.stringify(messages).includes("208310"),
        "after a resume the error is sent": JSON.stringify(bodies[0].messages).includes("Prompt is too long"),
      };
    },
  },
];
