import { invalid, type Refusal } from "./refusal.ts";
import { turnsOf, type Turn } from "./turns.ts";
import type { WireMessage } from "./wire.ts";

/** What is wrong between tool calls and their results, or undefined. */
export function toolPairing(messages: readonly WireMessage[]): Refusal | undefined {
  const seen = new Set<string>();
  let open: ReadonlySet<string> = new Set();
  for (const turn of turnsOf(messages)) {
    if (turn.role === "user") {
      const wrong = checkAnswers(turn, open);
      if (wrong !== undefined) return wrong;
      open = new Set();
    } else {
      const ids = idsOf(turn, "tool_use", "id");
      for (const id of ids) {
        if (seen.has(id))
          return invalid("pairing", `messages: \`tool_use\` ids must be unique, found ${id} twice`);
        seen.add(id);
      }
      open = new Set(ids);
    }
  }
  return open.size === 0 ? undefined : unanswered([...open]);
}

/** Results answer the turn before, each once, and nothing stands before them. */
function checkAnswers(turn: Turn, open: ReadonlySet<string>): Refusal | undefined {
  const answered = new Set<string>();
  for (const { block, message, index } of turn.blocks) {
    if (block.type !== "tool_result") continue;
    const id = String(block["tool_use_id"]);
    if (!open.has(id)) {
      return invalid(
        "pairing",
        `messages.${message}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      );
    }
    if (answered.has(id)) {
      return invalid("pairing", `each tool_use must have a single result. Found multiple results for ${id}`);
    }
    answered.add(id);
  }
  const atStart = turn.blocks.slice(0, answered.size).filter(({ block }) => block.type === "tool_result");
  if (answered.size === open.size && atStart.length === answered.size) return undefined;
  const inPlace = new Set(atStart.map(({ block }) => block["tool_use_id"]));
  return unanswered([...open].filter((id) => !inPlace.has(id)));
}

function unanswered(ids: readonly string[]): Refusal {
  return invalid(
    "pairing",
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. ` +
      "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  );
}

function idsOf(turn: Turn, type: string, field: string): string[] {
  return turn.blocks.filter(({ block }) => block.type === type).map(({ block }) => String(block[field]));
}
