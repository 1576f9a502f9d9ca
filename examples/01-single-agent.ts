// One agent, one prompt: the smallest thing that runs.
// Try: flower run examples/01-single-agent.ts "what does this project do?"
// Its session, what it cost and every event are kept in runs/.
import type { AgentSpec, FlowParts, StepResult } from "flower-agent";

const reader: AgentSpec = {
  name: "reader",
  instructions: "Answer in at most five sentences.",
  allowedTools: ["Read", "Glob", "Grep"],
};

export default async function answer({ runtime, request }: FlowParts): Promise<StepResult> {
  return runtime.run(reader, request);
}
