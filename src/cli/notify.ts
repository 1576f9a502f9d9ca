import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readDotenv } from "../config/dotenv.ts";
import { userConfigDir, type UserPlaces } from "../config/user-files.ts";
import type { Locale } from "../core/locale.ts";
import { Notifier } from "../notify/notifier.ts";
import { notifyTargets, splitWays, type NotifyTarget } from "../notify/targets.ts";

/** The name in the environment and in `.env` files of the person's own. */
const SETTING = "FLOWER_NOTIFY";

/**
 * Where notices go: `--notify`, else `FLOWER_NOTIFY` of the environment, of `$FLOWER_ENV`, of the person's config. Never of
 * the workspace's `.env`: a cloned repository must not choose commands and addresses.
 * @throws FlowerError `usage` for a way that is none.
 */
export function configuredTargets(
  ways: readonly string[] | undefined,
  places: UserPlaces,
): readonly NotifyTarget[] {
  return notifyTargets(ways ?? splitWays(configured(places)));
}

function configured(places: UserPlaces): string {
  const { env } = places;
  const chosen = env["FLOWER_ENV"];
  const files = [
    ...(chosen === undefined || chosen === "" ? [] : [resolve(chosen)]),
    join(userConfigDir(places), ".env"),
  ];
  const values = [() => env[SETTING], ...files.map((path) => () => fromFile(path))];
  for (const value of values) {
    const found = value();
    if (found !== undefined && found.trim() !== "") return found;
  }
  return "";
}

/** What is wrong with the file is said where credentials are looked for in it. */
function fromFile(path: string): string | undefined {
  try {
    return readDotenv(readFileSync(path, "utf8")).values[SETTING];
  } catch {
    return undefined;
  }
}

/** A notifier that rings at this terminal and runs commands in this environment. */
export function openNotifier(options: {
  targets: readonly NotifyTarget[];
  locale: Locale;
  workspace: string;
  env: UserPlaces["env"];
  redaction(): (text: string) => string;
  onProblem(message: string): void;
}): Notifier {
  return new Notifier({
    ...options,
    platform: process.platform,
    bell: () => {
      if (process.stderr.isTTY) process.stderr.write("\u0007");
    },
  });
}
