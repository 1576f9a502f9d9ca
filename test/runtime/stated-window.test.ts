import { describe, expect, it } from "vitest";
import { isOverflow } from "../../src/runtime/overflow.ts";
import { statedWindow } from "../../src/runtime/stated-window.ts";

/** Text, stated window. */
const OVERFLOWS: ReadonlyArray<readonly [string, number | undefined]> = [
  ["[Anthropic] prompt is too long: 213462 tokens > 200000 maximum", 200_000],
  ["[Anthropic] input length and max_tokens exceed context limit: 199999 + 8192 > 200000", 200_000],
  [
    '[Anthropic 413] 413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    undefined,
  ],
  [
    "[Bedrock] The model returned the following errors: prompt is too long: 286028 tokens > 200000 maximum",
    200_000,
  ],
  [
    "[Vertex/Gemini] The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    1_048_575,
  ],
  ["[OpenAI] Your input exceeds the context window of this model", undefined],
  [
    "[OpenAI] This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. (code context_length_exceeded)",
    128_000,
  ],
  [
    '[LiteLLM/vLLM] ContextWindowExceededError: Hosted_vllmException - {"object":"error","message":"The input (1492905 tokens) is longer than the model\'s context length (1048576 tokens).","type":"BadRequestError","param":null,"code":400}',
    1_048_576,
  ],
  [
    "[vLLM] This model's maximum context length is 40960 tokens. However, you requested 100 output tokens and your prompt contains at least 40861 input tokens.",
    40_960,
  ],
  [
    '[OpenRouter] Provider returned error: {"error":{"message":"This endpoint\'s maximum context length is 65536 tokens.","code":400}}',
    65_536,
  ],
  [
    "[OpenRouter/Poolside] Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
    131_040,
  ],
  [
    '[GLM via hub] {"error":{"message":"Input length 877338 exceeds the maximum allowed input length of 639968 tokens","code":"400"}}',
    639_968,
  ],
  ["[GLM (zh)] error code 1261, message: Prompt 超长", undefined],
  ["[MiniMax] invalid params, context window exceeds limit", undefined],
  ["[xAI] This model's maximum prompt length is 131072 but the request contains 537812 tokens", 131_072],
  ["[Mistral] Prompt contains 66385 tokens, too large for model with 32768 maximum context length", 32_768],
  [
    "[Together] Input token count + max_tokens parameter must be less than the context length of the model being queried.",
    undefined,
  ],
  ["[Ollama] prompt too long; exceeded max context length by 5000 tokens", undefined],
  ["[Ollama] the input length exceeds the context length of 4096", 4_096],
  ["[LM Studio] tokens to keep from the initial prompt is greater than the context length", undefined],
  ["[HF TGI] Input validation error: `inputs` must have less than 4096 tokens. Given: 5000.", 4_096],
  ["[gateway] context length exceeded", undefined],
  // Bytes are no tokens.
  ["[Anthropic] messages: too many total text bytes: 9437185 > 9000000", undefined],
];

const FURTHER: ReadonlyArray<readonly [string, number | undefined]> = [
  ["208310 tokens > 200000 maximum", 200_000],
  [
    '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"},"request_id":"req_71702db924a076e5"}',
    200_000,
  ],
  ["prompt is too long: 208,310 tokens > 200,000 maximum", 200_000],
  ["input token count of 140000 exceeds the limit of 128000", 128_000],
  ["Your request exceeded model token limit: 262144 (requested: 270000)", 262_144],
  ["the request exceeds the available context size (8192 tokens), try increasing it", 8_192],
  [
    "maximum context length is 200000 tokens. However, you requested about 250000 tokens (240000 of text input)",
    200_000,
  ],
  ["attempts: 2, last: 'prompt is too long: 213462 tokens > 200000 maximum'", 200_000],
];

const SILENT = [
  "[Bedrock] ThrottlingException: Too many tokens, please wait before trying again.",
  "[OpenAI] Rate limit reached for gpt-4o on tokens per min (TPM)",
  "[any] 429 body: Request tokens exceed your available quota.",
  "[any] 500 body: internal error computing maximum context length",
  "[SDK RetryError] attempts: [400 prompt is too long..., last: 'fetch failed: other side closed']",
  "[user text] assistant/tool text that merely quotes 'prompt is too long' (stopReason=stop)",
  "[Claude (old, bad)] Claude AI usage limit reached|invalid",
  "[Claude] 5-hour limit reached ∙ resets 3am",
  "[Claude] 5-hour limit reached ∙ resets 12pm / 12:30am",
  '[Claude SDK] {"status":"rejected","resetsAt":1788625200,"rateLimitType":"five_hour","overageStatus":"rejected","isUsingOverage":false}',
  '[GLM] 429 {"error":{"code":"1308","message":"已达到 5 小时的使用上限。您的限额将在 2026-08-25 07:41:44 重置。"}}',
  '[GLM] 429 {"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits"}}',
  "[Vertex] 429 Quota exceeded for model / Resource exhausted. Please try again later. / 429 Unable to submit request because the service is temporarily out of capacity.",
  "[DashScope] rate increased too quickly",
  '[subagent] Agent "X" failed: Agent terminated early due to an API error: API Error: 529 Overloaded. ...',
  "[OpenAI] insufficient_quota: You exceeded your current quota",
  "[gateway] 401 unauthorized: connection error",
  "Rate limit exceeded: 450000 tokens > 400000 per minute",
  "429 maximum context length is 200000 tokens",
  "Request exceeds the limit of 30000 tokens per min",
  "the input length exceeds the context length of 512",
  "Prompt is too long",
  "",
];

describe("what an overflow states", () => {
  it.each(OVERFLOWS)("%s", (text, window) => {
    expect(isOverflow(text)).toBe(true);
    expect(statedWindow(text)).toBe(window);
  });

  it.each(FURTHER)("%s", (text, window) => {
    expect(statedWindow(text)).toBe(window);
  });

  it("is found in whichever of the texts states it", () => {
    const texts = ["Prompt is too long", "400 prompt is too long: 208310 tokens > 200000 maximum"];
    expect(statedWindow(...texts)).toBe(200_000);
    expect(statedWindow()).toBeUndefined();
  });

  it("counts for nothing beside a text that names a limit", () => {
    expect(
      statedWindow("prompt is too long: 208310 tokens > 200000 maximum", "429 slow down"),
    ).toBeUndefined();
  });
});

describe("what states no window", () => {
  it.each(SILENT)("%s", (text) => {
    expect(statedWindow(text)).toBeUndefined();
  });
});
