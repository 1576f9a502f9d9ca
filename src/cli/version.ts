import { readFileSync } from "node:fs";
import { harnessVersions } from "../harness/version.ts";

/** What the package says of itself. */
export interface PackageFacts {
  version: string;
  /** The SDK's version that flower is made for. */
  sdk: string;
  /** Versions of Node that it runs on, as npm writes ranges. */
  nodeRange: string;
}

/** Read from `package.json`. */
export function packageFacts(): PackageFacts {
  const { version, dependencies, engines } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string; dependencies: Record<string, string>; engines: { node: string } };
  return {
    version,
    sdk: dependencies["@anthropic-ai/claude-agent-sdk"] ?? "?",
    nodeRange: engines.node,
  };
}

/** Versions of flower, the SDK and the harness, for `--version` and bug reports. */
export function versionText(): string {
  const { sdk, harness } = harnessVersions();
  return `flower ${packageFacts().version} (SDK ${sdk}, harness ${harness})`;
}
