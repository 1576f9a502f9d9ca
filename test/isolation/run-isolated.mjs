// One step with an isolated worker, in a process of its own that is killed; started by killed.test.ts.
import { coordinator, Runtime, worker } from "../../dist/index.js";

const { WORK_WORKSPACE: workspace, WORK_HOME: HOME } = process.env;
const runtime = new Runtime({
  workspace,
  workbench: true,
  isolate: true,
  env: { ...process.env, HOME, XDG_CONFIG_HOME: "" },
});
const spec = coordinator("work", "", { coder: worker("works", "You work.", { isolate: true }) });
await runtime.run({ ...spec, model: "claude-opus-5" }, "do it");
await runtime.close();
