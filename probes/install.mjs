// Another version of the SDK in a temp directory of its own.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempDir } from "./kit.mjs";

const NAME = "@anthropic-ai/claude-agent-sdk";

/**
 * Installs a version (or a tag such as `latest`) from the configured registry; a directory is taken as it is. Throws
 * when it is no package of the SDK.
 */
export function installSdk(version) {
  if (existsSync(version) || /[\\/]/.test(version)) {
    const dir = resolve(version);
    const missing = ["package.json", "sdk.mjs"].filter((name) => !existsSync(join(dir, name)));
    if (missing.length === 0) return dir;
    throw new Error(`--sdk: ${dir} is no package of the SDK: there is no ${missing.join(" and no ")} in it`);
  }
  const [dir] = tempDir();
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true }));
  const { status } = spawnSync(
    "npm",
    ["install", `${NAME}@${version}`, "--no-audit", "--no-fund", "--no-save", "--loglevel=error"],
    { cwd: dir, stdio: ["ignore", 2, 2] },
  );
  if (status !== 0) throw new Error(`npm could not install ${NAME}@${version}: see the lines above`);
  return join(dir, "node_modules", NAME);
}

/** Versions of a package of the SDK and of the harness program in it. */
export function versionsOf(dir) {
  const { version, claudeCodeVersion } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  return { sdk: version, harness: claudeCodeVersion ?? "?" };
}
