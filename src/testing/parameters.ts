import { isRecord, wrongName, wrongTag } from "./field-checks.ts";

/** What is wrong with the parameters beside `model`, `system` and `messages`, or undefined. */
export function wrongParameter(body: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  const maxTokens = body["max_tokens"];
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && Number(maxTokens) > 0)) {
    return "max_tokens: Input should be a positive integer";
  }
  return (
    wrongShare(body, "temperature") ??
    wrongShare(body, "top_p") ??
    wrongThinking(body["thinking"], maxTokens) ??
    wrongTools(body["tools"]) ??
    wrongChoice(body["tool_choice"], body["tools"])
  );
}

/** Parameters of a request, with those that the harness's beta headers allow (0.3.332). */
const PARAMETERS: ReadonlySet<string> = new Set(
  (
    "model max_tokens messages system tools tool_choice stream metadata stop_sequences temperature top_k top_p thinking " +
    "service_tier container mcp_servers context_management output_config output_format cache_control speed"
  ).split(" "),
);

const THINKING: ReadonlySet<string> = new Set(["enabled", "disabled", "adaptive"]);
const CHOICES: ReadonlySet<string> = new Set(["auto", "any", "tool", "none"]);
const MIN_BUDGET_TOKENS = 1024;

function wrongShare(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || (typeof value === "number" && value >= 0 && value <= 1)) return undefined;
  return `${name}: Input should be a number from 0 to 1`;
}

/**
 * With interleaved thinking the API lets the budget exceed `max_tokens`. That is not imitated: the harness stays
 * below it, also when it shrinks `max_tokens` to fit the window (0.3.332).
 */
function wrongThinking(thinking: unknown, maxTokens: unknown): string | undefined {
  if (thinking === undefined) return undefined;
  const wrong = wrongTag(thinking, "thinking", THINKING);
  if (wrong !== undefined) return wrong;
  const { type, budget_tokens: budget } = thinking as { type: string; budget_tokens?: unknown };
  if (type !== "enabled") return undefined;
  if (!Number.isInteger(budget)) return "thinking.enabled.budget_tokens: Field required";
  if (Number(budget) < MIN_BUDGET_TOKENS) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET_TOKENS}`;
  }
  return maxTokens !== undefined && Number(budget) >= Number(maxTokens)
    ? "`max_tokens` must be greater than `thinking.budget_tokens`"
    : undefined;
}

function wrongTools(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!(Array.isArray(tools) && tools.every(isRecord))) return "tools: Input should be a list of objects";
  for (const [index, { name, type, input_schema: schema }] of tools.entries()) {
    const wrong = wrongName(name, `tools.${index}.custom.name`);
    if (wrong !== undefined) return wrong;
    // Tools that the API runs itself have another type and bring their own schema.
    if ((type === undefined || type === "custom") && !isRecord(schema)) {
      return `tools.${index}.custom.input_schema: Field required`;
    }
  }
  return undefined;
}

function wrongChoice(choice: unknown, tools: unknown): string | undefined {
  if (choice === undefined) return undefined;
  const wrong = wrongTag(choice, "tool_choice", CHOICES);
  if (wrong !== undefined) return wrong;
  const { type, name } = choice as { type: string; name?: unknown };
  const isThere = ((tools ?? []) as Array<{ name: unknown }>).some((tool) => tool.name === name);
  return type === "tool" && !isThere
    ? `tool_choice: Tool '${String(name)}' not found in provided tools`
    : undefined;
}
