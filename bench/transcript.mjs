// Made-up transcripts in the harness's form (0.3.332), the same for the same seed: thinking, text, calls alone and in
// parallel, results of mixed sizes with the harness's copy beside them, refused calls, attachments.
import { createHash } from "node:crypto";
import { signThinking } from "../dist/testing/thinking-record.js";

/** Mulberry32: small and repeatable. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const GLANCES = [
  "git status -s && git log --oneline -10",
  "ls -la src",
  "cat package.json | head -40",
  'grep -rn "export function" src | head -20',
  "git diff --stat HEAD~1",
];
const WORK = ["npm test", "node scripts/build.mjs", "npx tsc --noEmit", "make -j2 all 2>&1 | tail -50"];
const REFUSED = "This call is not allowed here: delegate it with the Agent tool.";

/** Small figures, so that the harness does not take the session for full. */
const USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 10,
  output_tokens: 10,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 10 },
  inference_geo: "",
  iterations: [],
  speed: "standard",
  fallback_credit: null,
};

const DECISIONS = {
  accept: { decision: "accept", source: "hook", reasonType: "hook" },
  reject: { decision: "reject", source: "hook", reasonType: "hook", reasonCode: "hook:PreToolUse" },
};

/**
 * The entries of a session of about `bytes` bytes of JSON lines.
 * @param options `{ bytes, seed, sessionId, cwd }`
 */
export function* transcript({ bytes, seed = 1, sessionId, cwd }) {
  const random = randomFrom(seed);
  let count = 0;
  let parentUuid = null;
  let written = 0;
  const id = (kind) =>
    createHash("sha1")
      .update(`${seed} ${kind} ${(count += 1)}`)
      .digest("hex");
  const uuid = () => id("entry").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
  const chars = (median, spread) => {
    const gauss = Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
    return Math.min(25_000, Math.max(20, Math.round(median * Math.exp(spread * gauss))));
  };
  const text = (length) => {
    const lines = [];
    for (let got = 0; got < length; got += lines.at(-1).length + 1)
      lines.push(
        `  const value${Math.floor(random() * 1e6)} = "some text of a program"; // line ${lines.length}`,
      );
    return lines.join("\n").slice(0, length);
  };
  const pick = (list) => list[Math.floor(random() * list.length)];

  const entry = (type, fields, at = parentUuid) => {
    const made = {
      parentUuid: at,
      isSidechain: false,
      type,
      ...fields,
      uuid: uuid(),
      timestamp: new Date(1_790_000_000_000 + count * 1_000).toISOString(),
      userType: "external",
      entrypoint: "sdk-ts",
      cwd,
      sessionId,
      version: "2.1.332",
      gitBranch: "main",
    };
    parentUuid = made.uuid;
    written += Buffer.byteLength(JSON.stringify(made)) + 1;
    return made;
  };
  const assistant = (messageId, block, stop) =>
    entry("assistant", {
      message: {
        id: messageId,
        type: "message",
        role: "assistant",
        model: "claude-opus-5",
        content: [block],
        stop_reason: stop,
        stop_sequence: null,
        usage: USAGE,
        stop_details: null,
      },
      apiBlockIndex: 0,
      requestId: `req_${messageId.slice(4, 20)}`,
      requestRef: uuid(),
      requestedModel: "claude-opus-5",
      promptCacheRequested: "5m",
      effort: "medium",
      perTurnEffort: "medium",
      madeBy: "model",
    });
  const toolCall = () => {
    const kind = random();
    // Seldom the same twice.
    if (kind < 0.3)
      return {
        name: "Bash",
        input: { command: `${pick(GLANCES)} && ls src/dir${Math.floor(random() * 1e6)}` },
      };
    if (kind < 0.55)
      return { name: "Bash", input: { command: `${pick(WORK)} # ${Math.floor(random() * 1e6)}` } };
    if (kind < 0.85)
      return { name: "Read", input: { file_path: `${cwd}/src/file${Math.floor(random() * 500)}.ts` } };
    return { name: "Write", input: { file_path: `${cwd}/out.ts`, content: text(chars(3_000, 0.8)) } };
  };
  const outcome = ({ name, input }, result) =>
    name === "Bash"
      ? { stdout: result, stderr: "", interrupted: false, isImage: false, noOutputExpected: false }
      : name === "Read"
        ? { type: "text", file: { filePath: input.file_path, content: result, numLines: 1, startLine: 1 } }
        : { type: "create", filePath: input.file_path, structuredPatch: [] };

  yield entry("user", { message: { role: "user", content: [{ type: "text", text: "Build it." }] } });
  while (written < bytes) {
    const messageId = `msg_${id("message").slice(0, 24)}`;
    const thinking = random() < 0.5 ? text(chars(600, 0.8)) : undefined;
    if (thinking !== undefined)
      yield assistant(messageId, { type: "thinking", thinking, signature: signThinking(thinking) }, null);
    if (random() < 0.6) yield assistant(messageId, { type: "text", text: text(chars(400, 0.7)) }, null);
    const calls = Array.from({ length: random() < 0.2 ? 3 : 1 }, () => ({
      ...toolCall(),
      id: `toolu_${id("call").slice(0, 24)}`,
    }));
    const placed = [];
    for (const call of calls) {
      const made = assistant(messageId, { type: "tool_use", ...call }, "tool_use");
      placed.push({ call, at: made.uuid });
      yield made;
    }
    for (const { call, at } of placed) {
      const refused = random() < 0.01;
      const result = refused ? REFUSED : call.name === "Write" ? "File created." : text(chars(1_100, 1));
      yield entry(
        "user",
        {
          message: {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: call.id,
                content: result,
                ...(refused ? { is_error: true } : {}),
              },
            ],
          },
          toolUseResult: refused ? `Error: ${result}` : outcome(call, result),
          promptId: sessionId,
          sourceToolAssistantUUID: at,
          permissionDecision: refused ? DECISIONS.reject : DECISIONS.accept,
          ...(refused ? { toolDenialKind: "permission-rule" } : {}),
        },
        at,
      );
    }
    if (random() < 0.1)
      yield entry("attachment", { attachment: { type: "todo_reminder", content: [], itemCount: 0 } });
  }
  yield assistant(`msg_${id("message").slice(0, 24)}`, { type: "text", text: "That is done." }, "end_turn");
}
