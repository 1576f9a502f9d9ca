/** Output longer than this belongs into a file, characters (SPEC of the workbench: three rules). */
const LONG_OUTPUT = 2000;

/** What the coordinator reads before its first turn: the place, the index and the three rules. */
export function coordinatorBlock(place: string, index: string): string {
  return [
    `The workbench is ${place}. It outlives this session; what it holds now:`,
    "",
    index.trim(),
    "",
    "Rules of the workbench:",
    "- A script that will run again goes to scripts/, with `# desc: one sentence` (or `//`, `--`) on its first line. Look there before you have one written.",
    `- Output over ${LONG_OUTPUT} characters goes to artifacts/; only its path and what follows from it go into a message.`,
    "- A decision goes to notes/, together with its reasons.",
  ].join("\n");
}

/**
 * What every subagent reads before its task. The harness tells subagents to write no report files (0.3.332); the
 * last lines answer that in so many words.
 */
export function subagentBlock(place: string): string {
  return [
    `The workbench is ${place}: scripts/ for scripts that will run again (first line \`# desc: one sentence\`), artifacts/ for output, notes/ for decisions with reasons.`,
    `Output over ${LONG_OUTPUT} characters goes to a file in artifacts/. Such files are wanted here, also when you were told to write no report files; the report itself stays a message.`,
    "Answer with paths and conclusions, never with pasted output.",
  ].join("\n");
}
