import { isOverflow } from "./overflow.ts";

/** A number as error texts write it: `200000`, `200,000`. */
const N = String.raw`\d[\d,]*\d`;

/** Fewer tokens are no window of a model that can work: the number means something else. */
const LEAST_TOKENS = 1_000;

const patterns = (...sources: string[]): RegExp[] => sources.map((source) => new RegExp(source, "i"));

/** Where a text that says "does not fit" names the limit, in tokens. */
const WINDOW = patterns(
  String.raw`${N} tokens? > (${N})`,
  String.raw`context limit: ${N} \+ ${N} > (${N})`,
  // Not "by 5000": that is how far the limit was exceeded.
  String.raw`(?:context (?:length|window|size|limit)|prompt length|allowed input length)(?: is | of |: ?| \()(${N})`,
  String.raw`(${N}) (?:tokens? )?maximum context`,
  String.raw`number of (?:input )?tokens allowed[^\d.]{0,4}(${N})`,
  String.raw`less than (${N}) tokens`,
  String.raw`exceed(?:s|ed)? (?:the |model )*(?:token )?limit(?: of|:) (${N})`,
);

/** Where it names what the request had. */
const USAGE = patterns(
  String.raw`(${N}) tokens? > ${N}`,
  String.raw`context limit: (${N}) \+ ${N} > ${N}`,
  String.raw`token count (?:of )?\(?(${N})`,
  String.raw`input (?:length )?\(?(${N})(?: tokens\))? (?:is longer|exceeds)`,
  String.raw`(?:contains|resulted in) (?:at least )?(${N}) (?:input )?tokens`,
  String.raw`requested(?: about| a total of|:)? (${N})(?: tokens|\))`,
  String.raw`given: (${N})`,
);

/**
 * The window in tokens that an overflow error states, e.g. 200000 in `208310 tokens > 200000 maximum`. Pass error
 * texts only, never what a model or a tool wrote: the harness keeps the numbers in `errorDetails` (0.3.332).
 * @returns undefined when none is stated, below 1,000 tokens, and when a text names a limit (429) or a server's own
 * trouble (5xx).
 */
export function statedWindow(...texts: readonly string[]): number | undefined {
  return stated(WINDOW, texts);
}

/** The tokens that the request had by an overflow error, e.g. 208310 above; undefined as in {@link statedWindow}. */
export function statedUsage(...texts: readonly string[]): number | undefined {
  return stated(USAGE, texts);
}

function stated(wordings: readonly RegExp[], texts: readonly string[]): number | undefined {
  // Beside a text that certainly is an overflow only the veto of another one can say no; gateways word the rest anew.
  if (!isOverflow("prompt is too long", ...texts)) return undefined;
  for (const text of texts)
    for (const wording of wordings) {
      const tokens = Number(wording.exec(text)?.[1]?.replaceAll(",", ""));
      if (tokens >= LEAST_TOKENS) return tokens;
    }
  return undefined;
}
