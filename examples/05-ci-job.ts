// An unattended job for CI: an agent mends what makes the tests fail, and only the tests decide whether it has.
// Try: flower run examples/05-ci-job.ts --json --budget 2 --asks 0 --timeout 0 --no-wait-limits > events.jsonl
// Exit code 0: they pass; 1: they do not, the last line of the JSON has the reason; 2: it could not begin.
import { spawnSync } from "node:child_process";
import { Workflow, type AgentSpec, type FlowParts, type GateAnswer, type StarterContext } from "flower-agent";

const CHECK = ["node", "--test"] as const;
/** Characters of a failing check that are shown to the agent. */
const TAIL = 4_000;

const mender: AgentSpec = {
  name: "mend",
  instructions: "You work unattended. Mend the code, never the tests. When a test is wrong, say so and stop.",
  allowedTools: ["Bash", "Read", "Edit", "Write", "Glob", "Grep"],
  maxTurns: 60,
};

export default function ciJob({ workspace }: FlowParts): Workflow<StarterContext> {
  const check = (): GateAnswer => {
    const [program, ...args] = CHECK;
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { status, stdout } = spawnSync(program, args, { cwd: workspace, encoding: "utf8", env });
    return status === 0 ? true : { rejected: `The check still fails:\n\n${stdout.slice(-TAIL)}` };
  };
  return new Workflow<StarterContext>([
    {
      name: "mend",
      spec: mender,
      prompt: `Find out why \`${CHECK.join(" ")}\` fails here, and mend it.`,
      // Nothing is spent when there is nothing to mend.
      when: () => check() !== true,
      gate: check,
      retries: 2,
    },
  ]);
}
