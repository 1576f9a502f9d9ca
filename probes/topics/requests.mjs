// What a request holds: tools, system prompt, headers, marks.
import { call, say } from "../../dist/testing/index.js";
import { about, allow, bash, cwdOf, lastResult, main, play, send, sub, textOf } from "../kit.mjs";

const names = (body) => body.tools.map(({ name }) => name).sort();
const marks = (body) =>
  JSON.stringify(body)
    .match(/"cache_control":\{[^}]*\}/g)
    ?.map((mark) => about(mark, /1h/)) ?? [];

export const REQUESTS = [
  {
    name: "tools are a ceiling for the whole session, and nothing else is offered",
    mechanism: "src/harness/options.ts (ceiling), src/harness/environment.ts",
    expected: {
      "main thread": ["Agent", "Bash", "DeferredToolPlaceholder", "Grep", "Read", "TodoWrite", "Write"],
      "subagent that lists Bash, Read, Edit": ["Bash", "Read"],
      "kinds of agents": ["worker"],
      max_tokens: 64_000,
      "Agent offers isolation": true,
    },
    async look(sdk) {
      const { bodies } = await play(sdk, {
        actors: [main(send(), say("done")), sub(say("report"))],
        options: {
          agents: { worker: { description: "Works.", prompt: "You work.", tools: ["Bash", "Read", "Edit"] } },
        },
      });
      const text = JSON.stringify(bodies[0].messages);
      return {
        "main thread": names(bodies[0]),
        "subagent that lists Bash, Read, Edit": names(bodies[1]),
        "kinds of agents": ["worker", "general-purpose", "Explore", "Plan"].filter((kind) =>
          new RegExp(`\\\\n- ${kind}:`).test(text),
        ),
        max_tokens: bodies[0].max_tokens,
        "Agent offers isolation":
          "isolation" in bodies[0].tools.find((tool) => tool.name === "Agent").input_schema.properties,
      };
    },
  },
  {
    name: "tools and system prompt are equal in all directories and for all prompts",
    mechanism:
      "src/harness/options.ts (excludeDynamicSections), src/harness/environment.ts (ATTRIBUTION_HEADER)",
    expected: {
      "equal with flower's settings": true,
      "equal with the billing line": false,
      "instructions are the end of the system prompt": true,
    },
    async look(sdk) {
      const begin = async (prompt, env = {}) => {
        const { bodies } = await play(sdk, { actors: [main(say("done"))], prompts: [prompt], env });
        return JSON.stringify([bodies[0].tools, bodies[0].system]);
      };
      const billed = { CLAUDE_CODE_ATTRIBUTION_HEADER: undefined };
      const [one, other, billedOne, billedOther] = await Promise.all([
        begin("One."),
        begin("Something else."),
        begin("One.", billed),
        begin("Something else.", billed),
      ]);
      return {
        "equal with flower's settings": one === other,
        "equal with the billing line": billedOne === billedOther,
        "instructions are the end of the system prompt": /You are a probe\.$/.test(
          JSON.parse(one)[1].at(-1).text,
        ),
      };
    },
  },
  {
    name: "a prompt is text, also one that looks like a command",
    mechanism: "src/harness/options.ts (verbatimPrompts)",
    expected: { "/clear": "sent", "@file": "sent", sessions: 1 },
    async look(sdk) {
      const { bodies, messages } = await play(sdk, {
        actors: [main(say("one"), say("two"))],
        prompts: ["/clear", "look at @package.json"],
      });
      const sent = (body, text) =>
        JSON.stringify(body?.messages ?? "").includes(text) ? "sent" : "not sent";
      return {
        "/clear": sent(bodies[0], "/clear"),
        "@file": sent(bodies[1], "look at @package.json"),
        sessions: new Set(messages.map(({ session_id: id }) => id)).size,
      };
    },
  },
  {
    name: "headers name session and subagent",
    mechanism: "src/testing/request-view.ts",
    expected: { session: "that of the messages", subagent: "that of the hooks", "main thread": "absent" },
    async look(sdk) {
      const { journal, messages, hooks } = await play(sdk, {
        actors: [main(send(), say("done")), sub(say("report"))],
        hooks: { SubagentStart: undefined },
      });
      const agent = hooks.find(({ event }) => event === "SubagentStart")?.agent_id;
      return {
        session:
          journal[0].sessionId === messages[0].session_id ? "that of the messages" : journal[0].sessionId,
        subagent: journal[1].agentId === agent ? "that of the hooks" : journal[1].agentId,
        "main thread": journal[0].agentId ?? "absent",
      };
    },
  },
  {
    name: "marks of the cache last an hour where that is asked for, on the main thread only",
    mechanism: "src/harness/environment.ts (CLAUDE_CODE_PROMPT_CACHE_TTL), src/runtime/resumed-history.ts",
    expected: {
      "by default": ["absent", "absent", "absent"],
      "main thread": ["1h", "1h", "1h"],
      subagent: ["absent", "absent", "absent"],
    },
    async look(sdk) {
      const actors = () => [main(send(), say("done")), sub(say("report"))];
      const short = await play(sdk, { actors: actors() });
      const long = await play(sdk, { actors: actors(), env: { CLAUDE_CODE_PROMPT_CACHE_TTL: "1h" } });
      return {
        "by default": marks(short.bodies[0]),
        "main thread": marks(long.bodies[0]),
        subagent: marks(long.bodies[1]),
      };
    },
  },
  {
    name: "a subagent is told to write no report files",
    mechanism: "src/roles/rules.ts, src/workbench/prompt-blocks.ts",
    expected: {
      "its system prompt": "You work.",
      "the harness adds": "Do NOT Write report/summary/findings/analysis .md files",
      "instructions of the main thread": "absent",
    },
    async look(sdk) {
      const { bodies } = await play(sdk, { actors: [main(send(), say("done")), sub(say("report"))] });
      const system = textOf(bodies[1].system);
      return {
        "its system prompt": about(system, /You work\./),
        "the harness adds": about(system, /Do NOT Write report\/[\w/]* \.md files/),
        "instructions of the main thread": about(system, /You are a probe/),
      };
    },
  },
  {
    name: "deny rules beat the hook's allow, also for what a command writes",
    mechanism: "src/harness/options.ts (denyRules)",
    expected: { Write: "denied", "Bash >": "denied", elsewhere: "ran" },
    async look(sdk) {
      const { bodies } = await play(sdk, {
        denyRules: ["Edit(//**/runs/**)"],
        actors: [
          main(
            (request) => call("Write", { file_path: `${cwdOf(request)}/runs/a`, content: "x" }),
            bash("echo x > runs/b"),
            bash("echo x > elsewhere; echo ran"),
            say("done"),
          ),
        ],
        hooks: { PreToolUse: () => allow() },
      });
      const said = (body) => (/denied|permission/i.test(lastResult(body)) ? "denied" : lastResult(body));
      return { Write: said(bodies[1]), "Bash >": said(bodies[2]), elsewhere: said(bodies[3]) };
    },
  },
];
