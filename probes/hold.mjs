// Holds a session of the harness until it is killed, and says the harness's pid; started by topics/processes.mjs.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

const { sdk, cwd, env } = JSON.parse(process.argv[2] ?? "{}");
const { query } = await import(pathToFileURL(sdk).href);
const session = query({
  prompt: "Begin.",
  options: {
    cwd,
    env,
    settingSources: [],
    tools: ["Bash"],
    model: "claude-opus-5",
    allowedTools: ["Bash"],
    spawnClaudeCodeProcess: ({ command, args, ...more }) => {
      const child = spawn(command, args, { cwd: more.cwd, env: more.env, stdio: ["pipe", "pipe", "ignore"] });
      console.log(child.pid);
      return child;
    },
  },
});
for await (const _message of session);
