import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Versions of the SDK and of the native harness program that comes with it, read from the installed package. */
export function harnessVersions(): { sdk: string; harness: string } {
  const root = dirname(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  const { version = "?" } = readJson(join(root, "package.json"));
  const { version: harness = "?" } = readJson(join(root, "manifest.json"));
  return { sdk: version, harness };
}

/**
 * Whether the harness's program for this machine is there. It is an optional dependency of the SDK, of which one is for
 * machines with musl (0.3.332).
 */
export function hasHarnessProgram(): boolean {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  return [name, `${name}-musl`].some((each) => {
    try {
      return resolve(`${each}/claude`) !== "";
    } catch {
      return false;
    }
  });
}

function readJson(path: string): { version?: string } {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { version?: string };
  } catch {
    return {};
  }
}
