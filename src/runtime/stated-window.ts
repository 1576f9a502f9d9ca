import { isOverflow } from "./overflow.ts";

/** A number as error texts write it: `200000`, `200,000`. */
const N = String.raw`\d[\d,]*\d`;

/** Fewer tokens are no window of a model that can work: the number means something else. */
const LEAST_TOKENS = 1_000;

/** Where a text that says "does not fit" names the limit, in tokens. */
const WINDOW = [
  String.raw`${N} tokens? > (${N})`,
  String.raw`context limit: ${N} \+ ${N} > (${N})`,
  // Not "by 5000": that is how far the limit was exceeded.
  String.raw`(?:context (?:length|window|size|limit)|prompt length|allowed input length)(?: is | of |: ?| \()(${N})`,
  String.raw`(${N}) (?:tokens? )?maximum context`,
  String.raw`number of (?:input )?tokens allowed[^\d.]{0,4}(${N})`,
  String.raw`less than (${N}) tokens`,
  String.raw`exceed(?:s|ed)? (?:the |model )*(?:token )?limit(?: of|:) (${N})`,
].map((wording) => new RegExp(wording, "i"));

/**
 * The window in tokens that an overflow error states, e.g. 200000 in `208310 tokens > 200000 maximum`. Pass error
 * texts only, never what a model or a tool wrote: the harness keeps the numbers in `errorDetails` (0.3.332).
 * @returns undefined when none is stated, below 1,000 tokens, and when a text names a limit (429) or a server's own
 * trouble (5xx).
 */
export function statedWindow(...texts: readonly string[]): number | undefined {
  // Beside a text that certainly is an overflow only the veto of another one can say no; gateways word the rest anew.
  if (!isOverflow("prompt is too long", ...texts)) return undefined;
  for (const text of texts)
    for (const wording of WINDOW) {
      const tokens = Number(wording.exec(text)?.[1]?.replaceAll(",", ""));
      if (tokens >= LEAST_TOKENS) return tokens;
    }
  return undefined;
}
