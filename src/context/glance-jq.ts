import { MAX_GROWTH } from "./glance-growth.ts";
import { jqTokens } from "./glance-jq-tokens.ts";
import { allow, refuse, sortWords, type GlanceRule } from "./glance-rule.ts";

const JQ = {
  short: "r c e s S n a j C M R",
  long:
    "raw-output compact-output exit-status slurp sort-keys null-input ascii-output join-output color-output " +
    "monochrome-output raw-input tab indent= arg== argjson==",
};

/* Between `$` and a name jq 1.6 lets blanks and comments stand. Behind a single dot a word names a field. */
const JQ_UNSAFE = /^[^$]*\$[^]*\bENV\b|(?<!(?<!\.)\.)\b(env|import|include)\b/;

/** Words of a filter that always come to an end, and neither run nor read anything. */
const JQ_WORDS = new Set(
  (
    "and or not if then elif else end as try catch empty error null true false " +
    "length utf8bytelength keys keys_unsorted values has in inside contains map map_values path paths leaf_paths del " +
    "getpath delpaths to_entries from_entries with_entries select recurse recurse_down add any all flatten " +
    "range floor sqrt ceil round fabs abs log log2 log10 significand tostring tonumber toarray type objects arrays strings numbers booleans " +
    "nulls iterables scalars sort sort_by group_by min max min_by max_by unique unique_by reverse index indices rindex " +
    "startswith endswith ltrimstr rtrimstr trim ltrim rtrim explode implode split splits join ascii ascii_downcase " +
    "ascii_upcase first last nth limit skip isempty isvalid isnan isnormal isinfinite nan test match capture scan sub " +
    "gsub todate fromdate now date dateadd datesub strftime strptime strflocaltime mktime gmtime localtime " +
    "fromdateiso8601 todateiso8601 tojson fromjson transpose walk tostream truncate_stream input inputs " +
    "input_line_number debug input_filename halt IN INDEX"
  ).split(" "),
);

/* Ends where `f` goes down. */
const JQ_RECURSE = /\brecurse\s*\((?!\s*(?:\.[\w.]*)?\[\]\s*\??\s*\))/;
/*
 * Where a pattern matches nothing at all, replacing everywhere goes on for ever (jq 1.6): it must be known to match
 * something, without the flags that change that.
 */
const JQ_REPLACE =
  /\bgsub\s*\((?!\s*"(?:\[\^|[^"\\*?^${|()]|\\\\?[^bBAzZG(])+"\s*;)|\bg?sub\b[^]*;\s*"(?=[gimnpslx]*[gx])[gimnpslx]+"\s*\)/;
/** Larger numbers make ranges that nobody reads, texts that fill the disk. */
const JQ_MAX_COUNT = 100_000;
const NUMBER = String.raw`\d+(?:\.\d*)?(?:[eE][-+]?\d+)?`;
/* A variable, `now` and what comes of the data may be any number, so all of them must be written out, and no step is small. */
const JQ_RANGE =
  /\brange\s*\(((?:\s*-?\d+(?:[eE]\+?\d+)?\s*;){0,1}\s*-?\d+(?:[eE]\+?\d+)?\s*(?:;\s*-?[1-9]\d*\s*)?)\)/g;
/*
 * Times a number on the right, which no `as` takes away again, or on the left, where no product ends in it. The rest may
 * be a text that is repeated, as often as nobody knows.
 */
const JQ_TIMES = new RegExp(
  String.raw`\*(?!=)\s*(${NUMBER})(?![\w.?[]|\s*(?:as\b|[?[.]))|(?<=(?:^|[(|,;:[{+]|\b(?:then|else|if|and|or))\s*)(${NUMBER})\s*\*(?!=)`,
  "g",
);
/* A list that is set at a place gets all places before it. `==`, `!=`, `<=` and `>=` set nothing. */
const JQ_SETS = /(?<![=!<>])=(?!=)/;
/* Each of them may give back once more what it gets, and what stands behind a pipe does so with all of that. */
const JQ_AGAIN = /[,+]|\b(?:tojson|tostring|join)\b|@[a-z]|\\$/g;
/* Everything within, and within that: about so many times as much. */
const JQ_DEEP = /\.\.|\b(?:recurse|recurse_down|paths|leaf_paths|tostream)\b/g;
const DEEP_GROWTH = 9;
/* What goes through a list again goes through all that a range made. */
const JQ_EACH = /\[\s*\]|\.\.|\b(?:map|map_values|range|recurse|recurse_down)\b/g;

/** `jq`: a filter that does not look at the environment, and surely ends. */
export const jq: GlanceRule = (args) => {
  const sorted = sortWords(args, JQ);
  if (sorted.trouble !== undefined) return sorted;
  const [filter, ...rest] = sorted.operands;
  if (filter?.kind !== "literal") return refuse("the filter must be written out, in quotes");
  const text = filter.value;
  if (JQ_UNSAFE.test(text))
    return refuse(
      "no `env`, `$ENV`, `import` or `include` in the filter, but as the name of a field (`.env`)",
    );
  const tokens = jqTokens(text);
  if (tokens === undefined) return refuse("the filter cannot be taken apart");
  const { words, bare } = tokens;
  const other = words.find((word) => !JQ_WORDS.has(word));
  if (other !== undefined)
    return refuse(`\`${other}\` in the filter is not known to end: only selecting and reshaping`);
  if (JQ_RECURSE.test(text) || JQ_REPLACE.test(text))
    return refuse("no `recurse(f)`, and no `gsub` with a pattern that may match nothing, in the filter");
  if (JQ_SETS.test(bare)) return refuse("nothing that is set (`=`, `|=`) in the filter");
  const goesDeep = words.includes("walk") && growthOf(bare) > 1;
  if (goesDeep || countOf(bare) > JQ_MAX_COUNT || growthOf(bare) > MAX_GROWTH)
    return refuse(
      "no long `range`; `range` and `*` only with numbers that are written out, and nothing that is repeated many times, in the filter",
    );
  return allow(rest);
};

/** How often something is done, by all numbers that say so; Infinity when one of them is not written out. */
function countOf(filter: string): number {
  const ranges = Array.from(filter.matchAll(JQ_RANGE), ([, numbers = ""]) => numbers);
  const times = Array.from(filter.matchAll(JQ_TIMES), ([, right, left]) => right ?? left ?? "");
  const isKnown =
    ranges.length === (filter.match(/(?<!(?<!\.)\.)\brange\b/g) ?? []).length &&
    times.length === (filter.match(/\*/g) ?? []).length;
  if (!isKnown) return Infinity;
  const inRanges = product(ranges.flatMap((numbers) => numbers.match(new RegExp(NUMBER, "g")) ?? []));
  const again = (filter.match(JQ_EACH) ?? []).length - ranges.length;
  return inRanges ** (1 + again) * product(times);
}

const product = (numbers: readonly string[]): number =>
  numbers.reduce((all, number) => all * Math.max(1, Number(number)), 1);

const growthOf = (filter: string): number =>
  filter
    .split(/[|(]/)
    .reduce(
      (all, part) =>
        all * (1 + (part.match(JQ_AGAIN) ?? []).length + DEEP_GROWTH * (part.match(JQ_DEEP) ?? []).length),
      1,
    );
