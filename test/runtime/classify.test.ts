import { describe, expect, it } from "vitest";
import type { RoundFailure } from "../../src/harness/contract.ts";
import { classify, overflowedSilently, type FailureKind } from "../../src/runtime/classify.ts";

const ROWS: ReadonlyArray<readonly [string, RoundFailure, FailureKind]> = [
  [
    "prompt too long",
    { message: "Prompt is too long", status: 400, terminalReason: "prompt_too_long" },
    "overflow",
  ],
  ["refused locally", { message: "Prompt is too long", terminalReason: "blocking_limit" }, "overflow"],
  ["too large a request", { message: "Request too large (max 32MB)", status: 413 }, "overflow"],
  [
    "numbers only in the details",
    { message: "API Error: 400", status: 400, details: "prompt is too long: 9 tokens > 8 maximum" },
    "overflow",
  ],
  [
    "wrong key",
    { message: "Invalid API key · Fix external API key", category: "authentication_failed", status: 401 },
    "fatal",
  ],
  ["auth that mentions a connection", { message: "401 unauthorized: connection error" }, "fatal"],
  ["forbidden", { message: "Failed to authenticate. API Error: 403", status: 403 }, "fatal"],
  ["no credit", { message: "Credit balance is too low", category: "billing_error", status: 400 }, "fatal"],
  [
    "quota used up, sent as 429",
    { message: "insufficient_quota: You exceeded your current quota", status: 429 },
    "fatal",
  ],
  ...[429, 403, 400].map((status): readonly [string, RoundFailure, FailureKind] => [
    `quota and billing (${status})`,
    {
      message: "You exceeded your current quota, please check your plan and billing details.",
      status,
    },
    "fatal",
  ]),
  ["no such model", { message: "There's an issue with the selected model (x)", status: 404 }, "fatal"],
  [
    "refused connection",
    {
      message: "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
      category: "server_error",
    },
    "transient",
  ],
  ["overloaded", { message: "API Error: Repeated 529 Overloaded errors", status: 529 }, "transient"],
  [
    "server error about the context",
    { message: "500 internal error computing maximum context length", status: 500 },
    "transient",
  ],
  [
    "rate limit",
    { message: "API Error: Request rejected (429)", category: "rate_limit", status: 429 },
    "transient",
  ],
  [
    "throttled",
    { message: "ThrottlingException: Too many tokens, please wait before trying again." },
    "transient",
  ],
  ["short burst limit", { message: "rate increased too quickly" }, "transient"],
  ...[429, 400, 500].flatMap((status): Array<readonly [string, RoundFailure, FailureKind]> => [
    [
      `quota of the moment (${status})`,
      { message: "Quota exceeded for model / Resource exhausted. Please try again later.", status },
      "transient",
    ],
    [
      `no capacity (${status})`,
      { message: "Unable to submit request because the service is temporarily out of capacity.", status },
      "transient",
    ],
    [
      `concurrency (${status})`,
      {
        message: "High concurrency usage of this API, please reduce concurrency or contact customer service",
        status,
      },
      "transient",
    ],
    [`increase (${status})`, { message: "rate increased too quickly", status }, "transient"],
  ]),
  ...[429, 503].flatMap((status): Array<readonly [string, RoundFailure, FailureKind]> =>
    ["Concurrency", "Request", "connection"].map((what) => [
      `${what} limit (${status})`,
      { message: `${what} limit reached`, status },
      "transient",
    ]),
  ),
  [
    "a limit that comes back and mentions billing",
    {
      message: "5-hour limit reached ∙ resets 3am. More usage: see billing, add a payment method",
      status: 429,
    },
    "limit",
  ],
  ...(
    [
      [
        429,
        "Rate limit reached for gpt-4o. Please try again in 20s. You can increase it by adding a payment method at example.org/account/billing",
        "transient",
      ],
      [
        429,
        "You exceeded your current quota, please check your plan and billing details. Please retry in 20s.",
        "transient",
      ],
      [undefined, "Rate limit reached. Add a payment method to increase it.", "transient"],
      [503, "billing service temporarily unavailable", "transient"],
      [529, "Overloaded (payments backend)", "transient"],
      [500, "payment gateway timeout", "transient"],
      [500, "insufficient_quota", "transient"],
      [408, "timeout of the payment service", "transient"],
      [400, "Your account is not active, please check your billing details", "fatal"],
      [undefined, "insufficient_quota", "fatal"],
      [400, "context window limit reached", "overflow"],
      [422, "Input validation error: `inputs` must have less than 32768 tokens. Given: 33100", "overflow"],
      [424, "Input is too long for requested model", "overflow"],
      [400, "Context length limit reached: 210000 > 200000", "overflow"],
      [400, "prompt is too long: 210000 tokens > 200000 maximum; see usage limits", "overflow"],
      [413, "Upload limit reached", "overflow"],
      [402, "Free tier limit reached. Please upgrade your plan.", "fatal"],
      [402, "usage limit reached", "fatal"],
      [402, "usage limit reached, resets in 2h", "limit"],
      [400, "Image limit reached", "fatal"],
      [400, "You have reached your specified API usage limits.", "limit"],
      [429, "Spending limit reached", "fatal"],
      [429, "Credit limit reached", "fatal"],
      [429, "You've reached your spending limit", "fatal"],
      [429, "RPM limit reached", "transient"],
      [429, "TPM limit reached, try again in 20s", "transient"],
    ] as const
  ).map(([status, message, kind]): readonly [string, RoundFailure, FailureKind] => [
    `${status ?? "no status"}: ${message} → ${kind}`,
    { message, ...(status === undefined ? {} : { status }) },
    kind,
  ]),
  ["a refusal with a known reset", { message: "no", status: 429, resetsAtMs: 1 }, "limit"],
  ["unknown words with a known reset", { message: "zorp", resetsAtMs: 1 }, "limit"],
  ...(
    [
      ["an overflow", { message: "prompt is too long", status: 400 }, "overflow"],
      ["an overload", { message: "Overloaded", status: 529 }, "transient"],
      ["a lost connection", { message: "API Error: Connection error (ECONNRESET)" }, "transient"],
    ] as const
  ).map(([name, failure, kind]): readonly [string, RoundFailure, FailureKind] => [
    `${name} while a reset is known`,
    { ...failure, resetsAtMs: 1 },
    kind,
  ]),
  ["killed harness", { message: "Claude Code process terminated by signal SIGKILL" }, "transient"],
  ["something else", { message: "zorp" }, "unknown"],
];

it.each(ROWS)("%s", (_name, failure, kind) => expect(classify(failure).kind).toBe(kind));

describe("a size near the window", () => {
  const unreadable = { message: "Request body rejected", status: 400 };
  it.each<[string, Parameters<typeof classify>, string]>([
    ["makes an unknown 400 an overflow", [unreadable, { context: 185_000, window: 200_000 }], "overflow"],
    [
      "also one with words of a rate limit in it",
      [
        { message: "too many tokens: the max is 131072", status: 400 },
        { context: 130_000, window: 131_072 },
      ],
      "overflow",
    ],
    [
      "but a rate limit is one at any size",
      [
        { message: "rate limit: too many tokens per minute", status: 400 },
        { context: 130_000, window: 131_072 },
      ],
      "transient",
    ],
    ...["156,403 tokens", "199,401 tokens", "12,402 more", "200.403"].map(
      (figure): [string, Parameters<typeof classify>, string] => [
        `also with a figure that ends like a status (${figure})`,
        [
          { message: `Request body rejected: the input has ${figure}`, status: 400 },
          { context: 155_000, window: 160_000 },
        ],
        "overflow",
      ],
    ),
    [
      "also from the handoff line on: at its next boundary the session would hand over anyhow",
      [unreadable, { context: 151_000, window: 200_000, at: 150_000 }],
      "overflow",
    ],
    ["below that line it is none", [unreadable, { context: 149_000, window: 200_000, at: 150_000 }], "fatal"],
    [
      "a line at the window's very end takes nothing away",
      [unreadable, { context: 905_000, window: 1_000_000, at: 950_000 }],
      "overflow",
    ],
    ["far from it, it is none", [unreadable, { context: 100_000, window: 200_000 }], "fatal"],
    [
      "413 is one at any size",
      [
        { message: "no", status: 413 },
        { context: 1, window: 200_000 },
      ],
      "overflow",
    ],
    [
      "a wrong key is a wrong key at any size",
      [
        { message: "x", status: 401 },
        { context: 199_000, window: 200_000 },
      ],
      "fatal",
    ],
  ])("%s", (_name, args, kind) => expect(classify(...args).kind).toBe(kind));

  const round = (context: number, lastOutput: number) => ({ context, lastOutput });
  it.each([
    ["a request larger than the window", round(200_001, 500), true],
    ["no output at the window's end", round(198_500, 0), true],
    ["some output at the window's end", round(198_500, 3), false],
    ["no output in the middle of it", round(100_000, 0), false],
  ])("silent: %s → %s", (_name, seen, overflow) => expect(overflowedSilently(seen, 200_000)).toBe(overflow));
});
