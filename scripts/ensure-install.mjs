// Runs before `npm start` and `npm test`: installs only when the lockfile is newer than what is installed,
// so a second call costs nothing and works without a network.
import { existsSync, statSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}/node_modules/.package-lock.json`;
const lock = `${root}/package-lock.json`;

if (!existsSync(stamp) || statSync(lock).mtimeMs > statSync(stamp).mtimeMs) {
  console.error("installing dependencies …");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) {
    console.error("npm ci failed: see the lines above; the package registry must be reachable once.");
    process.exit(status ?? 1);
  }
}
