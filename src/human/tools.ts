import { z } from "zod";
import type { McpServer, ToolDefinition } from "../core/spec.ts";
import type { Mail } from "./inbox.ts";
import { outcomeText, type AskOutcome } from "./outcome.ts";

/**
 * Patience of the harness with a call, ms: 20 days. The channel ends its own waits; this one must only be longer than
 * any of them, and stay below 2^31 ms, where a timer fires at once.
 */
const TOOL_TIMEOUT_MS = 20 * 24 * 3_600_000;

/** What the tools reach. */
export interface HumanToolParts {
  ask: (question: string, options: readonly string[], signal: AbortSignal) => Promise<AskOutcome>;
  take: () => readonly Mail[];
  unknownsHeading: string;
}

/** The server that offers `ask` and `inbox` (`mcp__flower__ask`, `mcp__flower__inbox` to the model). */
export function humanServer(parts: HumanToolParts): McpServer {
  return { kind: "inProcess", tools: [askTool(parts), inboxTool(parts)], timeoutMs: TOOL_TIMEOUT_MS };
}

const ASK_INPUT = {
  question: z.string().min(1).describe("One question, with what its answer decides"),
  options: z.array(z.string()).optional().describe("Answers to choose from, the recommended one first"),
};

function askTool({ ask, unknownsHeading }: HumanToolParts): ToolDefinition {
  const schema = z.object(ASK_INPUT);
  return {
    name: "ask",
    description:
      "Asks the person one question and waits for the answer. Offer options whenever possible; the person may " +
      "answer something else. When nobody answers, the result says so and you decide yourself.",
    input: ASK_INPUT,
    async handle(input, { signal }) {
      const { question, options = [] } = schema.parse(input);
      return outcomeText(await ask(question, options, signal), unknownsHeading);
    },
  };
}

function inboxTool({ take }: HumanToolParts): ToolDefinition {
  return {
    name: "inbox",
    description: "Reads the messages that the person sent meanwhile and that you have not seen yet.",
    input: {},
    async handle() {
      const mails = take();
      return mails.length === 0 ? "no new messages" : mails.map(({ text }) => text).join("\n\n");
    },
  };
}
