// `npm start`: build, then run the main job offline on a small real task.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
for (const args of [["scripts/build.mjs"], ["dist/cli/main.js", "demo", ...process.argv.slice(2)]]) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
}
