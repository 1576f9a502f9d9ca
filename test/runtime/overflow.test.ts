import { expect, it } from "vitest";
import { isOverflow } from "../../src/runtime/overflow.ts";

const ROWS: ReadonlyArray<readonly [string, boolean]> = [
  ["[Anthropic] prompt is too long: 213462 tokens > 200000 maximum", true],
  ["[Anthropic] input length and max_tokens exceed context limit: 199999 + 8192 > 200000", true],
  [
    '[Anthropic 413] 413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    true,
  ],
  [
    "[Bedrock] The model returned the following errors: prompt is too long: 286028 tokens > 200000 maximum",
    true,
  ],
  [
    "[Vertex/Gemini] The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    true,
  ],
  ["[OpenAI] Your input exceeds the context window of this model", true],
  [
    "[OpenAI] This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. (code context_length_exceeded)",
    true,
  ],
  [
    '[LiteLLM/vLLM] ContextWindowExceededError: Hosted_vllmException - {"object":"error","message":"The input (1492905 tokens) is longer than the model\'s context length (1048576 tokens).","type":"BadRequestError","param":null,"code":400}',
    true,
  ],
  [
    "[vLLM] This model's maximum context length is 40960 tokens. However, you requested 100 output tokens and your prompt contains at least 40861 input tokens.",
    true,
  ],
  [
    '[OpenRouter] Provider returned error: {"error":{"message":"This endpoint\'s maximum context length is 65536 tokens.","code":400}}',
    true,
  ],
  [
    "[OpenRouter/Poolside] Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
    true,
  ],
  [
    '[GLM via hub] {"error":{"message":"Input length 877338 exceeds the maximum allowed input length of 639968 tokens","code":"400"}}',
    true,
  ],
  ["[GLM (zh)] error code 1261, message: Prompt 超长", true],
  ["[MiniMax] invalid params, context window exceeds limit", true],
  ["[xAI] This model's maximum prompt length is 131072 but the request contains 537812 tokens", true],
  ["[Mistral] Prompt contains 66385 tokens, too large for model with 32768 maximum context length", true],
  [
    "[Together] Input token count + max_tokens parameter must be less than the context length of the model being queried.",
    true,
  ],
  ["[Ollama] prompt too long; exceeded max context length by 5000 tokens", true],
  ["[Ollama] the input length exceeds the context length of 4096", true],
  ["[LM Studio] tokens to keep from the initial prompt is greater than the context length", true],
  ["[HF TGI] Input validation error: `inputs` must have less than 4096 tokens. Given: 5000.", true],
  ["[gateway] context length exceeded", true],
  ["[Anthropic] messages: too many total text bytes: 9437185 > 9000000", true],
  ["[Bedrock] ThrottlingException: Too many tokens, please wait before trying again.", false],
  ["[OpenAI] Rate limit reached for gpt-4o on tokens per min (TPM)", false],
  ["[any] 429 body: Request tokens exceed your available quota.", false],
  ["<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", true],
  ["[any] 500 body: internal error computing maximum context length", false],
  ["[SDK RetryError] attempts: [400 prompt is too long..., last: 'fetch failed: other side closed']", false],
  ["fetch failed", false],
  ["", false],
];

it.each(ROWS)("%s → %s", (text, overflow) => expect(isOverflow(text)).toBe(overflow));

it.each([
  "Context size has been exceeded.",
  "API Error: The model has reached its context window limit.",
  "prompt token count of 131073 exceeds the limit of 131072",
  "ValidationException: input is too long for requested model",
  "Invalid request: Your request exceeded model token limit: 131072",
])("knows also: %s", (text) => expect(isOverflow(text)).toBe(true));

it("takes no figure for a status", () => {
  expect(isOverflow("prompt is too long: 200,429 tokens > 200,000 maximum")).toBe(true);
  expect(isOverflow("prompt is too long: 5 tokens > 4 maximum (request id: req_011CT429aB)")).toBe(true);
  expect(isOverflow("prompt is too long: 429 tokens left to wait, HTTP 429")).toBe(false);
  expect(isOverflow("prompt is too long: 5 tokens > 4 maximum, HTTP429")).toBe(false);
});

it("lets a 429 in another text veto", () => {
  expect(isOverflow("prompt is too long: 5 tokens > 4 maximum", "HTTP 429")).toBe(false);
});
