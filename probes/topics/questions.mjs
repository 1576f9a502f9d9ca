// A tool of flower's own may wait as long as people do.
import { call, say } from "../../dist/testing/index.js";
import { lastResult, main, play, send, sub } from "../kit.mjs";

/** Longer than half an hour, which is the command's own limit for a question. */
const LONG_WAIT_S = 2_100;
const SHORT_WAIT_S = 1;

export const QUESTIONS = [
  {
    name: "a question may wait, in the main thread and in a subagent, and is asked once",
    mechanism: "src/harness/mcp.ts, src/human/tools.ts",
    expected: { answers: ["spaces, always", "spaces, always"], asked: 2 },
    async look(sdk, { long }) {
      let asked = 0;
      const waitMs = 1_000 * (long ? LONG_WAIT_S : SHORT_WAIT_S);
      const ask = call("mcp__probe__ask", {});
      const server = () =>
        sdk.createSdkMcpServer({
          name: "probe",
          alwaysLoad: true,
          timeout: 7 * 24 * 3_600_000,
          tools: [
            sdk.tool("ask", "Asks.", {}, async () => {
              asked += 1;
              await new Promise((resolve) => setTimeout(resolve, waitMs));
              return { content: [{ type: "text", text: "spaces, always" }] };
            }),
          ],
        });
      const tools = ["mcp__probe__ask"];
      const agents = { worker: { description: "Asks.", prompt: "You ask.", tools } };
      const of = async (actors) => {
        const { bodies } = await play(sdk, {
          actors,
          limitMs: waitMs + 60_000,
          options: { agents, mcpServers: { probe: server() } },
        });
        return lastResult(bodies[actors.length]);
      };
      const answers = await Promise.all([
        of([main(ask, say("done"))]),
        of([main(send(), say("done")), sub(ask, say("report"))]),
      ]);
      return { answers, asked };
    },
  },
];
