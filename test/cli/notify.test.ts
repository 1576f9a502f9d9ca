import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { configuredTargets } from "../../src/cli/notify.ts";
import { call, say } from "../../src/testing/index.ts";
import { confirmBrief, flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

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

it("tells of a question and of the end, in the person's language, and shows no planted key", async () => {
  const workspace = await tempDir();
  await confirmBrief(workspace);
  const key = "planted-key-4711-abcdef";
  await writeFile(
    join(workspace, ".env"),
    `SHOP_API_KEY=${key}\nFLOWER_NOTIFY=command:touch from-workspace\n`,
  );
  const rehearsal = await rehearse({
    scenario: {
      name: "notify",
      actors: [
        main((request) =>
          request.turnCount === 0
            ? call("mcp__flower__ask", { question: `may ${key} be used?` })
            : say(`used ${key}`),
        ),
      ],
    },
  });
  const told = join(workspace, "told");
  const ran = await flower(
    [
      "go",
      "-w",
      workspace,
      "--no-goal",
      "--lang",
      "de",
      "--notify",
      `command:cat >> '${told}'`,
      "--notify",
      "command:exit 7",
    ],
    personEnv(rehearsal, workspace),
    "no\n",
  );
  expect(ran).toMatchObject({ code: 0 });
  const text = await readFile(told, "utf8");
  const notices = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; title: string; text: string });
  // Commands run side by side.
  expect(notices.map(({ event }) => event).sort()).toEqual(["finished", "question"]);
  expect(notices.find(({ event }) => event === "finished")).toMatchObject({
    title: expect.stringContaining("flower: fertig (") as string,
    text: "used [secret removed]",
  });
  expect(text).not.toContain(key);
  expect(ran.err.match(/Benachrichtigung durch command gescheitert: exit 7/g)).toHaveLength(1);
  expect(ran.err).toContain("-- arbeit");
  await expect(readFile(join(workspace, "from-workspace"))).rejects.toThrow("ENOENT");
}, 60_000);
