// Compiles src/ to dist/; incremental, so an unchanged tree takes a second or two.
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = `${root}/node_modules/typescript/bin/tsc`;
const info = `${root}/node_modules/.cache/build.tsbuildinfo`;
// A stale build info beside a missing dist would make tsc emit nothing.
if (!existsSync(`${root}/dist`) || readdirSync(`${root}/dist`).length === 0) rmSync(info, { force: true });

const { status } = spawnSync(
  process.execPath,
  [tsc, "-p", "tsconfig.build.json", "--incremental", "--tsBuildInfoFile", info],
  { cwd: root, stdio: ["ignore", 2, 2] },
);
if (status !== 0) process.exit(status ?? 1);
const main = `${root}/dist/cli/main.js`;
if (existsSync(main)) chmodSync(main, 0o755);
