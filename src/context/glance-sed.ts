import { growth, MAX_GROWTH } from "./glance-growth.ts";
import { allow, refuse, sortWords, type GlanceRule } from "./glance-rule.ts";

const SED_FLAGS = {
  short: "n E r s u z e:",
  long: "quiet silent regexp-extended expression= separate unbuffered null-data",
};

/** `sed`: printing, deleting, substituting, quitting; never in place, no `w`, `e`, `r`, nothing that goes back in the script. */
export const sed: GlanceRule = (args) => {
  const sorted = sortWords(args, SED_FLAGS);
  if (sorted.trouble !== undefined) return sorted;
  const { given, operands } = sorted;
  const parts = given.flatMap(([name, value]) =>
    (name === "-e" || name === "--expression") && value !== undefined ? [value] : [],
  );
  const [first, ...rest] = operands;
  // It puts its parts together as lines of one script.
  const script = parts.length > 0 ? parts.join("\n") : first?.kind === "literal" ? first.value : undefined;
  if (script === undefined || !isPlainSedScript(script)) {
    return refuse("only scripts of `p`, `d`, `=`, `l`, `q` and a few `s` without `e` or `w`, split by `;`");
  }
  return allow(parts.length > 0 ? operands : rest);
};

/*
 * A class must not hold the delimiter: GNU sed ends the expression there, BSD sed does not. There must be one way alone
 * to read a script, or the time to refuse it doubles with every part of it.
 */
const REGEX_BODY = String.raw`(?:\[(?:\^[^/\n\\]|[^^/\n\\])[^\]/\n\\]*\]|\\[^\n]|[^/\\\n[])*`;
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/${REGEX_BODY}/I?|[+~]\d+)`;
const SUBSTITUTE = ["/", "|", "#", ",", "@", ":"]
  .map((mark) => {
    const delimiter = mark === "|" ? String.raw`\|` : mark;
    const body = REGEX_BODY.replaceAll("/", delimiter);
    const replacement = String.raw`(?:\\[^\n]|[^${mark}\\\n])*`;
    return `s${delimiter}(${body})${delimiter}(${replacement})${delimiter}([gpiI0-9]*)`;
  })
  .join("|");
const SPACE = String.raw`[ \t]*`;
const WHERE = `(?:${ADDRESS}${SPACE}(?:,${SPACE}${ADDRESS}${SPACE})?)?(?:!${SPACE})?`;
const SED_STEP = `${SPACE}${WHERE}(?:[pdlP=]|[qQ](?:${SPACE}\\d+)?|${SUBSTITUTE})${SPACE}`;
const SED_BLOCK = `${SPACE}${WHERE}\\{(?:${SED_STEP})(?:[;\\n](?:${SED_STEP})?)*\\}${SPACE}`;
const SED_SCRIPT = new RegExp(
  `^(?:${SED_STEP}|${SED_BLOCK})(?:[;\\n](?:${SED_STEP}|${SED_BLOCK}|${SPACE}))*$`,
);

/** Long scripts are no glance. */
const SED_MAX_CHARS = 500;

/** A step of a script, or the brace in front of a block, with what a substitution is made of. */
const SED_PART = new RegExp(`[ \\t;\\n}]*${WHERE}(?:\\{|[pdlP=]|[qQ](?:${SPACE}\\d+)?|${SUBSTITUTE})`, "gy");

function isPlainSedScript(script: string): boolean {
  if (script.length > SED_MAX_CHARS || !SED_SCRIPT.test(script)) return false;
  let lengthening = 1;
  for (const part of script.matchAll(SED_PART)) {
    // One group of three for each delimiter.
    const groups: readonly (string | undefined)[] = part.slice(1);
    const [pattern, replacement, flags = ""] = groups.filter((group) => group !== undefined);
    if (pattern === undefined || replacement === undefined) continue;
    lengthening *= growth({ pattern, replacement, everywhere: flags.includes("g") });
  }
  return lengthening <= MAX_GROWTH;
}
