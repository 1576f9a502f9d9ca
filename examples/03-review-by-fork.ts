// A review by a fork: a copy of the author's session, which knows every reason, looks for faults.
// Try: flower run examples/03-review-by-fork.ts "a function that parses durations, with tests"
// The author goes on in its own session, which has not seen the review but for the faults that were found.
import { Workflow, type AgentSpec, type Step } from "flower-agent";

interface Context {
  request: string;
  faults?: string;
}

const NO_FAULTS = "NO FAULTS";
const author: AgentSpec = { name: "author", instructions: "Write plain code, and run what you write." };
const reviewer: AgentSpec = { ...author, name: "reviewer", readOnly: true };

const write: Step<Context> = { name: "write", spec: author, prompt: ({ request }) => request };

const review: Step<Context> = {
  name: "review",
  spec: reviewer,
  resumeFrom: "write",
  fork: true,
  prompt: `Look at what you made as somebody who has to maintain it. Read the files again. List faults, one a line, each with its place; or answer ${NO_FAULTS}.`,
  gate: ({ text }) => (text.trim() === "" ? { rejected: `List faults, or answer ${NO_FAULTS}.` } : true),
  retries: 1,
  reduce: ({ text }, context) => {
    if (!text.includes(NO_FAULTS)) context.faults = text;
  },
};

const mend: Step<Context> = {
  name: "mend",
  spec: author,
  resumeFrom: "write",
  when: ({ faults }) => faults !== undefined,
  prompt: ({ faults }) => `A reviewer found this. Mend what is right about it:\n\n${faults ?? ""}`,
};

export default new Workflow<Context>([write, review, mend]);
