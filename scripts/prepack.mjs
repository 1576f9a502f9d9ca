// Runs before `npm pack`: builds, then takes out of dist/ what its sources no longer have.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const source = name.replace(/(?:\.js|\.js\.map|\.d\.ts)$/, "");
  if (source === name) continue;
  if (![".ts", ".tsx"].some((end) => existsSync(join(root, "src", source + end))))
    rmSync(join(root, "dist", name));
}
