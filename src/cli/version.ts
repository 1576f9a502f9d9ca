import { readFileSync } from "node:fs";
import { harnessVersions } from "../harness/version.ts";

/** Versions of flower, the SDK and the harness, for `--version` and bug reports. */
export function versionText(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const { sdk, harness } = harnessVersions();
  return `flower ${version} (SDK ${sdk}, harness ${harness})`;
}
