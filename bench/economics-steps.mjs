// The steps of the long task: what each asks of the harness, and how far a conversation has come.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, say, together } from "../dist/testing/index.js";

/** One `{ tool, proseChars, inputChars, resultChars }` a step; where the sizes come from stands in docs/reference/bench.md. */
export const WORK = JSON.parse(readFileSync(new URL("economics-work.json", import.meta.url), "utf8"));

const LINE_CHARS = 80;
const nameOf = (step) => `step-${String(step).padStart(4, "0")}`;

/** Text of that many characters in lines, another one for each step. */
function textOf(step, chars) {
  const line = (i) => `${nameOf(step)} line ${i} `.padEnd(LINE_CHARS - 1, "the quick brown fox ");
  const lines = Array.from({ length: Math.ceil(chars / LINE_CHARS) }, (_, i) => line(i));
  return `${lines.join("\n")}\n`.slice(0, chars);
}

/** What a model says before it calls; names no step. */
export const prose = (chars) =>
  "I look at what came back and decide what comes next. "
    .repeat(1 + chars / 50)
    .slice(0, chars)
    .trim();

/** Writes the files that the first `steps` steps look at. */
export function prepare(workspace, steps) {
  mkdirSync(join(workspace, "data"), { recursive: true });
  mkdirSync(join(workspace, "out"));
  for (const [i, { tool, resultChars }] of WORK.slice(0, steps).entries())
    if (tool !== "Write")
      writeFileSync(join(workspace, "data", `${nameOf(i + 1)}.txt`), textOf(i + 1, resultChars));
}

/** What the model says at a step; the first is 1. */
export function stepReply(workspace, step) {
  const { tool, proseChars, inputChars } = WORK[step - 1];
  const path = join(workspace, "data", `${nameOf(step)}.txt`);
  const input = {
    Bash: { command: `cat data/${nameOf(step)}.txt` },
    Read: { file_path: path },
    Grep: { pattern: ".", path, output_mode: "content", head_limit: 0 },
    Write: { file_path: join(workspace, "out", `${nameOf(step)}.md`), content: textOf(step, inputChars) },
  }[tool];
  return together(say(prose(proseChars)), call(tool, input));
}

const blocksOf = ({ content }) => (Array.isArray(content) ? content : [{ type: "text", text: content }]);

/** The step that a conversation made last, by its calls or by the summary that a compaction left; 0 = none. */
export function lastStep(messages) {
  for (const message of messages.toReversed()) {
    const said = blocksOf(message)
      .map((block) => (block.type === "tool_use" ? JSON.stringify(block.input) : (block.text ?? "")))
      .join("\n");
    const mark = (message.role === "assistant" ? /step-(\d{4})/ : /Done up to step-(\d{4})/).exec(said);
    if (mark !== null) return Number(mark[1]);
  }
  return 0;
}

/** The summary of a conversation as the harness asks for it, as long as they usually are. */
export const summary = (messages, chars) =>
  say(
    `<analysis>All seen.</analysis>\n<summary>${prose(chars)} Done up to ${nameOf(lastStep(messages))}.</summary>`,
  );
