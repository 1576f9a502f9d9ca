import { MAX_GROWTH } from "./glance-growth.ts";
import { jqTokens } from "./glance-jq-tokens.ts";
import { allow, refuse, sortWords, type GlanceRule } from "./glance-rule.ts";

const JQ = {
  short: "r c e s S n a j C M R",
  long:
    "raw-output compact-output exit-status slurp sort-keys null-input ascii-output join-output color-output " +
    "monochrome-output raw-input tab indent=",
};

/* Between `$` and a name jq 1.6 lets blanks and comments stand. Behind a single dot a word names a field. */
const JQ_UNSAFE = /^[^$]*\$[^]*\bENV\b|(?<!(?<!\.)\.)\b(env|import|include)\b/;

/** Words of a filter that always come to an end, and neither run nor read anything. */
const JQ_WORDS = new Set(
  (
    "and or not if then elif else end as try catch empty error null true false " +
    "length utf8bytelength keys keys_unsorted values has in inside contains map map_values path paths leaf_paths del " +
    "getpath setpath delpaths pick to_entries from_entries with_entries select recurse recurse_down add any all flatten " +
    "range floor sqrt ceil round fabs abs log log2 log10 significand tostring tonumber toarray type objects arrays strings numbers booleans " +
    "nulls iterables scalars sort sort_by group_by min max min_by max_by unique unique_by reverse index indices rindex " +
    "startswith endswith ltrimstr rtrimstr trim ltrim rtrim explode implode split splits join ascii ascii_downcase " +
    "ascii_upcase first last nth limit skip isempty isvalid isnan isnormal isinfinite nan test match capture scan sub " +
    "gsub todate fromdate now date dateadd datesub strftime strptime strflocaltime mktime gmtime localtime " +
    "fromdateiso8601 todateiso8601 tojson fromjson transpose walk tostream fromstream truncate_stream input inputs " +
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
/** Larger numbers make ranges that nobody reads, texts and lists that fill the disk. */
const JQ_MAX_COUNT = 100_000;
const JQ_COUNTS = /\brange\s*\(([^()]*)\)|(\d[\d.eE+]*)\s*\*|\*\s*(\d[\d.eE+]*)/g;
const JQ_FAR = /\[\s*(?:\d{6}|\d+[eE])/;
/* Each of them may give back once more what it gets, and what stands behind a pipe does so with all of that. */
const JQ_AGAIN = /[,+]|\btojson\b|@[a-z]/g;

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
  const words = jqTokens(text);
  const other = words?.find((word) => !JQ_WORDS.has(word));
  if (words === undefined) return refuse("the filter cannot be taken apart");
  if (other !== undefined)
    return refuse(`\`${other}\` in the filter is not known to end: only selecting and reshaping`);
  if (JQ_RECURSE.test(text) || JQ_REPLACE.test(text))
    return refuse("no `recurse(f)`, and no `gsub` with a pattern that may match nothing, in the filter");
  if (JQ_FAR.test(text) || countOf(text) > JQ_MAX_COUNT || growthOf(text) > MAX_GROWTH)
    return refuse("no long `range`, and nothing that is repeated many times, in the filter");
  return allow(rest);
};

/** Product of all numbers that something is done as often as. */
function countOf(filter: string): number {
  const numbers = [...filter.matchAll(JQ_COUNTS)].flatMap(
    ([, range, before, behind]) => (range ?? before ?? behind ?? "").match(/\d[\d.]*(?:[eE]\+?\d+)?/g) ?? [],
  );
  return numbers.reduce((product, number) => product * Math.max(1, Number(number)), 1);
}

const growthOf = (filter: string): number =>
  filter.split(/[|(]/).reduce((product, part) => product * (1 + (part.match(JQ_AGAIN) ?? []).length), 1);
