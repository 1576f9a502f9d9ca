import { readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { spillLimit } from "../context/spill-text.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { tokensOfCall, tokensOfText, UNSPILLED_TOKENS } from "./handoff-policy.ts";

/** A picture counts about 1,500 tokens, the largest some 5,000. */
const IMAGE_TOKENS = 5_000;
const IMAGES = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);
/** Documents come as pages or cells, which nothing spills. */
const DOCUMENTS = new Set([".pdf", ".ipynb"]);
/** Of a longer output of Bash the harness shows the first 2 KB and a path (0.3.332). */
const UNSPILLED_BASH_CHARS = 30_000;
/** What Read puts before each line: its number and a tab, characters. */
const LINE_NUMBER_CHARS = 7;

/** What the harness puts around a report, with a list of the tools that were used (0.3.332). */
const REPORT_FRAME_CHARS = 1_000;
/** What a report may bring along of a changed workbench index. */
export const NEWS_CHARS = 2_000;

/**
 * What the result of a call may add to the context at most, tokens. A Read is measured by its file, for which nobody
 * has to guess.
 * @param spillThresholdChars strings from here on are spilled; 0 = nothing is, as when a spilled file is read back.
 */
export function tokensOfResult(call: ToolCall, spillThresholdChars: number): number {
  // The result of a foreign server may pass whole; an error's text is cut at 10,000 characters (0.3.332).
  if (/^mcp__(?!flower__)/.test(call.name)) return UNSPILLED_TOKENS;
  // The error text of a failed edit repeats what was to be replaced, and passes whole (0.3.332).
  if (/^(Multi|Notebook)?Edit$/.test(call.name))
    return tokensOfCall(spillThresholdChars) + JSON.stringify(call.input).length;
  if (call.name === "Bash" && spillThresholdChars === 0) return tokensOfText(UNSPILLED_BASH_CHARS);
  if (call.name === "Agent")
    return tokensOfCall(spillLimit(call.name, spillThresholdChars)) + REPORT_FRAME_CHARS + NEWS_CHARS;
  const path = call.input["file_path"];
  if (call.name !== "Read" || typeof path !== "string") return tokensOfCall(spillThresholdChars);
  const kind = extname(path).toLowerCase();
  if (DOCUMENTS.has(kind)) return UNSPILLED_TOKENS;
  if (IMAGES.has(kind)) return IMAGE_TOKENS;
  const chars = charsWithNumbers(resolve(call.cwd, path), spillThresholdChars);
  return chars === undefined
    ? tokensOfCall(spillThresholdChars)
    : Math.min(UNSPILLED_TOKENS, tokensOfText(chars));
}

/** Undefined when the file is long enough to be spilled, or cannot be read: then a pointer or an error comes. */
function charsWithNumbers(path: string, spillThresholdChars: number): number | undefined {
  try {
    const { size } = statSync(path);
    // The harness itself refuses or cuts longer ones (84 KB, 0.3.332).
    if (size > (spillThresholdChars === 0 ? 256 * 1024 : 4 * spillThresholdChars)) return undefined;
    const text = readFileSync(path, "utf8");
    if (spillThresholdChars > 0 && text.length >= spillThresholdChars) return undefined;
    return text.length + LINE_NUMBER_CHARS * text.split("\n").length;
  } catch {
    return undefined;
  }
}
