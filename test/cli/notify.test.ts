import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { configuredTargets } from "../../src/cli/notify.ts";

async function home(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "flower-notify-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await mkdir(join(path, ".config/flower"), { recursive: true });
  await writeFile(join(path, ".config/flower/.env"), 'FLOWER_NOTIFY="bell,command:echo a, b"\n');
  await writeFile(join(path, "chosen.env"), "FLOWER_NOTIFY=desktop\n");
  return path;
}

const FROM_CONFIG = [{ kind: "bell" }, { kind: "command", command: "echo a, b" }];

it("takes the ways from the options, the environment, $FLOWER_ENV and the person's config, in this order", async () => {
  const at = await home();
  const chosen = join(at, "chosen.env");
  const ways = (given: string[] | undefined, env: Record<string, string>): unknown =>
    configuredTargets(given, { env, home: at });
  expect(ways(undefined, {})).toEqual(FROM_CONFIG);
  expect(ways(undefined, { FLOWER_NOTIFY: "" })).toEqual(FROM_CONFIG);
  expect(ways(undefined, { FLOWER_ENV: join(at, "missing") })).toEqual(FROM_CONFIG);
  expect(ways(undefined, { FLOWER_ENV: chosen })).toEqual([{ kind: "desktop" }]);
  expect(ways(undefined, { FLOWER_ENV: chosen, FLOWER_NOTIFY: "bell" })).toEqual([{ kind: "bell" }]);
  expect(ways(["none"], { FLOWER_NOTIFY: "bell" })).toEqual([]);
  expect(ways(["bell", "command:a,bell"], {})).toEqual([
    { kind: "bell" },
    { kind: "command", command: "a,bell" },
  ]);
  expect(() => ways(undefined, { FLOWER_NOTIFY: "pigeon" })).toThrow("pigeon");
});
