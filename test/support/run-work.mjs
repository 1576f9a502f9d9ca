// Runs one step of a workflow in a process of its own, which may be killed; started by handoff-killed.test.ts.
// DIE_AT: `writing` (before the document is asked for) or `frozen` (between the file and the successor's start).
import { Runtime, Workflow } from "../../dist/index.js";

const env = process.env;
const die = () => process.kill(process.pid, "SIGKILL");
const runtime = new Runtime({
  workspace: env.WORK_WORKSPACE,
  workbench: true,
  spillThreshold: 0,
  handoff: { enabled: true, window: 60_000 },
  env: { ...env, HOME: env.WORK_WORKSPACE, XDG_CONFIG_HOME: "" },
  onEvent: (event) => {
    if (env.DIE_AT === "writing" && event.type === "handoff" && event.phase === "writing") die();
  },
  reviewHandoff: () => {
    if (env.DIE_AT === "frozen") die();
  },
});
const spec = {
  name: "work",
  instructions: "You are under test.",
  model: "claude-opus-5",
  allowedTools: ["Bash", "Read", "Write"],
};
const result = await new Workflow([{ name: "work", spec, prompt: "the whole task" }]).run(runtime, {});
await runtime.close();
console.log(JSON.stringify(result.results));
