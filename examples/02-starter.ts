// The three steps of `flower go` (clarify, goal, work with verdicts) with workers of your own.
// Try: flower run examples/02-starter.ts "a command that counts words"
// A brief and a goal that are complete are found again: run it a second time and only the work goes on.
import { starterFlow, worker, type FlowParts, type StarterContext, type Workflow } from "flower-agent";

const workers = {
  programmer: worker(
    "Writes and changes code, and runs it.",
    "You are a careful programmer: small functions, plain names.",
  ),
  tester: worker("Writes tests and runs them.", "You try to break what others wrote.", { effort: "high" }),
};

export default function starter(parts: FlowParts): Workflow<StarterContext> {
  const { runtime, workbench, channel, locale } = parts;
  return starterFlow(
    { host: runtime, workbench, channel, locale },
    { runDir: runtime.options.runDir, rounds: 2, workers },
  );
}
