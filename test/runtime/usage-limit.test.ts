import { describe, expect, it } from "vitest";
import { usageLimit } from "../../src/runtime/usage-limit.ts";

/** Monday, 2026-08-24, 10:00 in Berlin. */
const nowMs = Date.UTC(2026, 7, 24, 8, 0, 0);
const clock = { nowMs, timeZone: "Europe/Berlin" };
const iso = (text: string): string | undefined => {
  const limit = usageLimit([text], clock);
  return limit?.resetsAtMs === undefined ? undefined : new Date(limit.resetsAtMs).toISOString();
};

describe("usageLimit", () => {
  it.each([
    ["Claude AI usage limit reached|1788625200", "2026-09-05T16:20:00.000Z"],
    ["Claude AI usage limit reached|1788625200000", "2026-09-05T16:20:00.000Z"],
    ["5-hour limit reached ∙ resets 3am", "2026-08-25T01:00:00.000Z"],
    ["5-hour limit reached ∙ resets 11am", "2026-08-24T09:00:00.000Z"],
    ["5-hour limit reached ∙ resets 12pm", "2026-08-24T10:00:00.000Z"],
    ["5-hour limit reached ∙ resets 12:30am", "2026-08-24T22:30:00.000Z"],
    ["You've hit your limit · resets 5:30am (Asia/Calcutta)", "2026-08-25T00:00:00.000Z"],
    ["You've hit your weekly limit · resets Aug 27 at 5pm (America/New_York)", "2026-08-27T21:00:00.000Z"],
    ["Weekly limit reached ∙ resets Oct 9, 3pm", "2026-10-09T13:00:00.000Z"],
    ["Weekly limit reached ∙ resets Jan 3, 3pm", "2027-01-03T14:00:00.000Z"],
    ["Weekly limit reached, resets Wed 14:00", "2026-08-26T12:00:00.000Z"],
    ["weekly limit reached, resets Mon 9am", "2026-08-31T07:00:00.000Z"],
    ["429 session limit reached · resets 10:00 (Europe/Berlin)", "2026-08-24T08:00:00.000Z"],
    ["5-hour limit reached ∙ resets 9:46am", "2026-08-24T07:46:00.000Z"],
    ["5-hour limit reached ∙ resets 9:44am", "2026-08-25T07:44:00.000Z"],
    ["weekly limit reached ∙ resets Mon 9:50am", "2026-08-24T07:50:00.000Z"],
    ["weekly limit reached ∙ resets Dec 3, 2026 at 9am (UTC)", "2026-12-03T09:00:00.000Z"],
    ["weekly limit reached ∙ resets Dec 3 2027, 9am (UTC)", "2027-12-03T09:00:00.000Z"],
    ["usage limit reached, resets in 1h30m", "2026-08-24T09:30:00.000Z"],
    ["usage limit reached, resets in 2 days 3h", "2026-08-26T11:00:00.000Z"],
    ["usage limit exceeded. Try again at 3:00 PM.", "2026-08-24T13:00:00.000Z"],
    ["Daily request limit reached, resets 6pm", "2026-08-24T16:00:00.000Z"],
    [
      "5-hour limit reached ∙ resets 3pm. Add a payment method or see billing for more usage.",
      "2026-08-24T13:00:00.000Z",
    ],
    ["429 已达到 5 小时的使用上限。您的限额将在 2026-08-25 07:41:44 重置。", "2026-08-24T23:41:44.000Z"],
    [
      "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
      "2026-12-01T00:00:00.000Z",
    ],
    ["usage limit exceeded, try again at 2026-08-24T20:00:00+02:00", "2026-08-24T18:00:00.000Z"],
    ["usage limit reached after 5 hours of use; resets 11pm (UTC)", "2026-08-24T23:00:00.000Z"],
    ["100 messages in 5 hours. Usage limit reached, resets 11pm", "2026-08-24T21:00:00.000Z"],
    ["usage limit reached, resets Dec 3rd, 9am (UTC)", "2026-12-03T09:00:00.000Z"],
    ["usage limit reached, resets Thu, Dec 3, 5pm (UTC)", "2026-12-03T17:00:00.000Z"],
    ["usage limit reached, retry after 3600", "2026-08-24T09:00:00.000Z"],
    ["usage limit reached, try again after 2 hours", "2026-08-24T10:00:00.000Z"],
    ["usage limit reached, resets in about 3 hours", "2026-08-24T11:00:00.000Z"],
    ["usage limit reached, resets 17:00 (UTC+8)", "2026-08-24T09:00:00.000Z"],
    ["usage limit reached, resets at midnight", "2026-08-24T22:00:00.000Z"],
    ["Limit reached ∙ resets 11am", "2026-08-24T09:00:00.000Z"],
    ["usage limit exceeded, try again in 2h 5m", "2026-08-24T10:05:00.000Z"],
    ["usage limit exceeded. Try again in 3 days", "2026-08-27T08:00:00.000Z"],
    ["usage limit exceeded, retry after 90 seconds", "2026-08-24T08:01:30.000Z"],
    ["You're out of extra usage · resets 11:59pm (UTC)", "2026-08-24T23:59:00.000Z"],
    ["You've hit your 5-hour limit · resets 3pm", "2026-08-24T13:00:00.000Z"],
    ["5-hour limit reached, resets 5:30 p.m.", "2026-08-24T15:30:00.000Z"],
    ["5-hour limit reached, resets at 5:30 A.M. (UTC)", "2026-08-25T05:30:00.000Z"],
    ["weekly limit reached, resets 17:30 PST", "2026-08-25T00:30:00.000Z"],
    ["monthly limit reached, resets 2026-12-01", "2026-11-30T23:00:00.000Z"],
    ['{"error":"usage limit reached","resets_in_seconds":3600}', "2026-08-24T09:00:00.000Z"],
    ['{"error":"usage limit reached","resets_at":1788625200}', "2026-09-05T16:20:00.000Z"],
    ["usage limit reached (retry-after: 7200)", "2026-08-24T10:00:00.000Z"],
    [
      '{"status":"rejected","resetsAt":1788625200,"rateLimitType":"five_hour","overageStatus":"rejected"}',
      "2026-09-05T16:20:00.000Z",
    ],
  ])("%s → %s", (text, moment) => expect(iso(text)).toBe(moment));

  it.each([
    "Claude AI usage limit reached|invalid",
    "usage limit reached",
    "Usage limit reached, resets soon",
  ])("%s: used up, and nobody says until when", (text) =>
    expect(usageLimit([text], clock)).toEqual({ resetsAtMs: undefined }),
  );

  it.each([
    "High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits",
    "429 Quota exceeded for model / Resource exhausted. Please try again later.",
    "rate increased too quickly",
    "insufficient_quota: You exceeded your current quota, usage limit",
    "Rate limit reached for gpt-4o on tokens per min (TPM)",
    "529 Overloaded",
    "context limit reached: 140000 > 131072",
    "token limit reached: the input is too long",
    '{"status":"allowed","resetsAt":1788625200}',
    "prompt is too long",
    "Concurrency limit reached",
    "429 Request limit reached for this key",
    "503 connection limit reached",
    "You've reached your concurrent request limit",
    "usage limit reached: see billing",
    "Upload limit reached",
    "Spending limit reached",
    "TPM limit reached, try again in 20s",
  ])("%s: none", (text) => expect(usageLimit([text], clock)).toBeUndefined());
});
