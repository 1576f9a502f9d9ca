// What becomes of the results of calls on their way to the model.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, say } from "../../dist/testing/index.js";
import { about, bash, cwdOf, lastResult, main, play, send, sub } from "../kit.mjs";

const fill = (chars) => `head -c ${chars} /dev/zero | tr '\\0' x`;

export const RESULTS = [
  {
    name: "output of Bash over 30,000 characters is put aside in a frame",
    mechanism: "src/context/spill-text.ts (spillStdout), src/runtime/result-size.ts",
    expected: {
      "30,000 characters": "whole",
      "30,001 characters": "framed",
      "the hook gets": 30_000,
      "its file has": 30_001,
      "replaced with the frame's fields": "framed",
      "replaced without them": "SHORT",
    },
    async look(sdk) {
      const shapes = [
        () => undefined,
        () => undefined,
        (response) => ({ ...response, stdout: "SHORT" }),
        ({ persistedOutputPath: _path, persistedOutputSize: _size, ...rest }) => ({
          ...rest,
          stdout: "SHORT",
        }),
      ];
      let kept;
      const sizes = [];
      const { bodies } = await play(sdk, {
        actors: [
          main(bash(fill(30_000)), ...[1, 2, 3].map((i) => bash(`${fill(30_001)} # ${i}`)), say("done")),
        ],
        hooks: {
          PostToolUse: ({ tool_response: response }) => {
            sizes.push(response.stdout.length);
            if (response.persistedOutputPath !== undefined)
              kept ??= readFileSync(response.persistedOutputPath, "utf8").length;
            const output = shapes.shift()(response);
            return (
              output && { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: output } }
            );
          },
        },
      });
      const shown = bodies.slice(1).map((body) => {
        const text = lastResult(body) ?? "";
        return text.startsWith("<persisted-output>") ? "framed" : text.length < 100 ? text : "whole";
      });
      return {
        "30,000 characters": shown[0],
        "30,001 characters": shown[1],
        "the hook gets": sizes[1],
        "its file has": kept,
        "replaced with the frame's fields": shown[2],
        "replaced without them": shown[3],
      };
    },
  },
  {
    name: "Read shows lines whole up to 25,000 tokens, beyond which no page of a line can be had",
    mechanism:
      "src/context/paged-copy.ts, src/runtime/result-size.ts, src/runtime/handoff-policy.ts (UNSPILLED_TOKENS)",
    expected: {
      "a line of 5,000": 5_000,
      "a line of 200,000": 84_974,
      "the same with a limit of 1 line": "exceeds maximum allowed tokens (25000)",
      "257 KB": "File content (257KB) exceeds maximum allowed size (256KB)",
    },
    async look(sdk) {
      const read = (name, more) => (request) =>
        call("Read", { file_path: join(cwdOf(request), name), ...more });
      const { bodies } = await play(sdk, {
        prepare: (cwd) => {
          writeFileSync(join(cwd, "long"), `${"x".repeat(5_000)}\nend\n`);
          writeFileSync(join(cwd, "longer"), `${"ab".repeat(100_000)}\nend\n`);
          writeFileSync(join(cwd, "257k"), "some words of text\n".repeat(13_851));
        },
        actors: [
          main(
            read("long"),
            read("longer"),
            read("longer", { offset: 1, limit: 1 }),
            read("257k"),
            say("done"),
          ),
        ],
      });
      const [long, longer, page, refused] = bodies.slice(1).map(lastResult);
      return {
        "a line of 5,000": about(long, /x+/).length,
        "a line of 200,000": about(longer, /[ab]{9,}/).length,
        "the same with a limit of 1 line": about(page, /exceeds maximum allowed tokens \(\d+\)/),
        "257 KB": about(refused, /File content \([^)]*\) exceeds maximum allowed size \([^)]*\)/),
      };
    },
  },
  {
    name: "an MCP result over 25,000 tokens is put aside, and the hook gets the notice",
    mechanism: "src/context/spill-text.ts (unframe), src/harness/mcp.ts",
    expected: {
      "the hook gets":
        "Error: result (N characters) exceeds maximum allowed tokens. Output has been saved to FILE.",
      "its file has": 150_000,
      "the tool is listed": true,
      "an error's text of 20,000 is cut to": 10_000,
    },
    async look(sdk) {
      let kept;
      let notice;
      const { bodies } = await play(sdk, {
        actors: [main(call("mcp__probe__speak", {}), call("mcp__probe__fail", {}), say("done"))],
        options: {
          mcpServers: {
            probe: sdk.createSdkMcpServer({
              name: "probe",
              alwaysLoad: true,
              tools: [
                sdk.tool("speak", "Speaks.", {}, async () => ({
                  content: [{ type: "text", text: "some text\n".repeat(15_000) }],
                })),
                sdk.tool("fail", "Fails.", {}, async () => ({
                  content: [{ type: "text", text: "x".repeat(20_000) }],
                  isError: true,
                })),
              ],
            }),
          },
        },
        hooks: {
          PostToolUse: ({ tool_response: response }) => {
            const text = typeof response === "string" ? response : (response[0]?.text ?? "");
            const file = /saved to (\S[^\n]*?)\.\n/.exec(text)?.[1];
            kept = file && readFileSync(file, "utf8").length;
            notice = text.split("\n")[0];
          },
        },
      });
      return {
        "the hook gets": notice
          ?.replace(/\([\d,]+ characters[^)]*\)/, "(N characters)")
          .replace(/saved to .*\.$/, "saved to FILE."),
        "its file has": kept,
        "the tool is listed": bodies[0].tools.some(({ name }) => name === "mcp__probe__speak"),
        "an error's text of 20,000 is cut to": lastResult(bodies[2]).replaceAll(/[^x]|\[.*\]/g, "").length,
      };
    },
  },
  {
    name: "a report comes in a frame; the hook gets it without",
    mechanism: "src/context/report-frame.ts, src/runtime/agent-reports.ts (isReport)",
    expected: {
      "the model gets": ["[Subagent hand-back]", "  the report", "  in two lines", "agentId:", "<usage>"],
      "the hook gets": "the report\nin two lines",
    },
    async look(sdk) {
      const { bodies, hooks } = await play(sdk, {
        actors: [main(send(), say("done")), sub(say("the report\nin two lines"))],
        hooks: { PostToolUse: undefined },
      });
      const known = /^(\[Subagent hand-back\]|agentId:|<usage>| {2}\S.*)/;
      return {
        "the model gets": lastResult(bodies[2])
          .split("\n")
          .flatMap((line) => known.exec(line)?.[1] ?? []),
        "the hook gets": hooks.find(({ event }) => event === "PostToolUse")?.tool_response.content[0].text,
      };
    },
  },
  {
    name: "Grep looks into hidden files too",
    mechanism: "src/gate/delegation.ts",
    expected: { "it finds": [".env:1:SECRET=1", "seen:1:SECRET=2"] },
    async look(sdk) {
      const { bodies } = await play(sdk, {
        prepare: (cwd) => {
          writeFileSync(join(cwd, ".env"), "SECRET=1\n");
          writeFileSync(join(cwd, "seen"), "SECRET=2\n");
        },
        actors: [main(call("Grep", { pattern: "SECRET", output_mode: "content" }), say("done"))],
      });
      return { "it finds": lastResult(bodies[1]).split("\n").sort() };
    },
  },
  {
    name: "of Write and Edit the model sees one line",
    mechanism: "src/context/spill-text.ts (ECHOING_TOOLS)",
    expected: { Write: 1, Edit: 1, "the hook gets what was written": true },
    async look(sdk) {
      const lines = "a line\n".repeat(200);
      const at = (request) => join(cwdOf(request), "made");
      const { bodies, hooks } = await play(sdk, {
        spec: { allowedTools: ["Edit", "Write"] },
        actors: [
          main(
            (request) => call("Write", { file_path: at(request), content: `${lines}the end\n` }),
            (request) => call("Edit", { file_path: at(request), old_string: "the end", new_string: lines }),
            say("done"),
          ),
        ],
        hooks: { PostToolUse: undefined },
      });
      const count = (body) => lastResult(body).trim().split("\n").length;
      const after = hooks.find(({ event }) => event === "PostToolUse");
      return {
        Write: count(bodies[1]),
        Edit: count(bodies[2]),
        "the hook gets what was written": after?.tool_response.content?.includes("the end"),
      };
    },
  },
  {
    name: "a command has an empty input, unless it redirects one itself",
    mechanism: "src/gate/rewrites.ts (closeInput)",
    slow: true,
    expected: { cat: "ended", "behind a redirection": "waits" },
    async look(sdk) {
      const { bodies } = await play(sdk, {
        actors: [
          main(
            bash("cat; echo ended", { timeout: 3_000 }),
            bash("cat </dev/null; cat; echo ended", { timeout: 3_000 }),
            say("done"),
          ),
        ],
      });
      const said = (body) => (/^ended$/m.test(lastResult(body)) ? "ended" : "waits");
      return { cat: said(bodies[1]), "behind a redirection": said(bodies[2]) };
    },
  },
];
