// Alternatives side by side: one session reads the project, three forks of it think in different directions.
// Try: flower run examples/04-alternatives.ts "how should we store settings?"
// Reading is paid once. The judge is fresh, knows only the proposals, and chooses one.
import type { AgentSpec, FlowParts, StepResult } from "flower-agent";

const DIRECTIONS = ["the least code", "the fewest surprises for its users", "the easiest to change later"];

const thinker: AgentSpec = {
  name: "thinker",
  instructions: "You propose; you change nothing.",
  allowedTools: ["Read", "Glob", "Grep"],
  readOnly: true,
};
const judge: AgentSpec = {
  name: "judge",
  instructions: "You choose between proposals that you did not write.",
  allowedTools: ["Read", "Glob", "Grep"],
  readOnly: true,
};

export default async function choose({ runtime, request }: FlowParts): Promise<StepResult> {
  const read = await runtime.run(
    thinker,
    `Read what matters for this question, say only what you found: ${request}`,
    {
      stepName: "read",
    },
  );
  if (!read.ok || read.sessionId === undefined) return read;
  const { sessionId } = read;
  const proposals = await Promise.all(
    DIRECTIONS.map(async (direction, i) =>
      runtime.run(thinker, `Propose one answer to the question. What counts is ${direction}.`, {
        stepName: `proposal-${i + 1}`,
        resume: sessionId,
        fork: true,
      }),
    ),
  );
  const texts = proposals.flatMap(({ ok, text }, i) => (ok ? [`## Proposal ${i + 1}\n\n${text}`] : []));
  if (texts.length === 0) return proposals[0] ?? read;
  return runtime.run(judge, [`Choose one for: ${request}. Say why the others lose.`, ...texts].join("\n\n"), {
    stepName: "choose",
  });
}
