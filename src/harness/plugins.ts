import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SdkPluginConfig } from "@anthropic-ai/claude-agent-sdk";
import { FlowerError } from "../core/errors.ts";

/** What makes a directory a plugin (0.3.332). */
const PLUGIN_FILE = ".claude-plugin/plugin.json";

/**
 * Plugins for the harness, which says nothing about one that it does not find (0.3.332).
 * @param dirs absolute, or relative to `base`.
 * @throws FlowerError `usage` for a directory that is no plugin.
 */
export function pluginConfigs(dirs: readonly string[], base: string): SdkPluginConfig[] {
  return dirs.map((dir) => {
    const path = resolve(base, dir);
    const file = join(path, PLUGIN_FILE);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      throw new FlowerError("usage", `${path} is no plugin: it has no ${PLUGIN_FILE}`, {
        nextStep: "name the directory that holds it, relative to the workspace or absolute",
      });
    return { type: "local", path };
  });
}
