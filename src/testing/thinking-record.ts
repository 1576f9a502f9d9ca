import { createHash } from "node:crypto";
import { invalid, type Refusal } from "./refusal.ts";
import { turnsOf, type Turn } from "./turns.ts";
import type { ContentBlock, MessagesBody } from "./wire.ts";

/** The signature that goes with a thinking text; follows from the text, so that any rehearsal can check it. */
export function signThinking(thinking: string): string {
  return createHash("sha256").update("rehearsal thinking").update(thinking).digest("base64");
}

/**
 * Remembers which tool calls came after thinking. As long as a tool loop runs, the API wants that thinking back
 * as it was.
 */
export class ThinkingRecord {
  readonly #before = new Map<string, readonly string[]>();

  /** Notes the blocks of a message that went out. */
  note(content: readonly ContentBlock[]): void {
    const signatures = content.filter((b) => b.type === "thinking").map((b) => String(b["signature"]));
    if (signatures.length === 0) return;
    for (const block of content)
      if (block.type === "tool_use") this.#before.set(String(block["id"]), signatures);
  }

  /** Thinking that nobody signed so, or that the running tool loop lacks; or undefined. */
  check(body: MessagesBody): Refusal | undefined {
    if (body.thinking?.type === undefined || body.thinking.type === "disabled") return undefined;
    const turns = turnsOf(body.messages);
    return (
      firstRefusal(turns, changedThinking) ??
      firstRefusal(runningLoop(turns), (turn) => this.#droppedThinking(turn))
    );
  }

  #droppedThinking(turn: Turn): Refusal | undefined {
    const present = new Set(turn.blocks.map(({ block }) => block["signature"]));
    for (const { block, message, index } of turn.blocks) {
      if (block.type !== "tool_use") continue;
      const signatures = this.#before.get(String(block["id"])) ?? [];
      if (signatures.every((signature) => present.has(signature))) continue;
      return invalid(
        "thinking",
        `messages.${message}.content.${index}.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
          `\`tool_use\` (${String(block["id"])}). When \`thinking\` is enabled, the thinking before a tool call ` +
          "must be sent back with the call's result.",
      );
    }
    return undefined;
  }
}

function firstRefusal(
  turns: readonly Turn[],
  check: (turn: Turn) => Refusal | undefined,
): Refusal | undefined {
  for (const turn of turns) {
    const wrong = check(turn);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function changedThinking(turn: Turn): Refusal | undefined {
  const changed = turn.blocks.find(
    ({ block }) =>
      block.type === "thinking" && block["signature"] !== signThinking(String(block["thinking"])),
  );
  return changed === undefined
    ? undefined
    : invalid(
        "thinking",
        `messages.${changed.message}.content.${changed.index}: Invalid \`signature\` in \`thinking\` block`,
      );
}

/** Assistant turns since the last user turn that brought no tool result. */
function runningLoop(turns: readonly Turn[]): Turn[] {
  const start = turns.findLastIndex(
    (turn) => turn.role === "user" && turn.blocks.every(({ block }) => block.type !== "tool_result"),
  );
  return turns.slice(start + 1).filter((turn) => turn.role === "assistant");
}
