import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileStore } from "../../examples/07-file-store.ts";
import { call, say, storeConformance } from "../../src/testing/index.ts";
import { cleanEnv, FLOWER } from "../support/flower.ts";
import { onCleanup, tempDir, until } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";
import { example, exampleStage } from "./stage.ts";

it("06 shows what goes on to whoever has the token, and brings their words into the run", async () => {
  const at = await exampleStage([
    main(({ turnCount, raw }) => {
      // Works until the page has been looked at.
      const wait = call("Bash", { command: "until [ -e seen ]; do sleep 0.05; done; echo went on" });
      return turnCount === 0 ? wait : say(JSON.stringify(raw).includes("in Latin") ? "hortus" : "garden");
    }),
  ]);
  const args = ["run", example("06-web-page.ts"), "a word", "-w", at.workspace];
  const child = spawn(process.execPath, [FLOWER, ...args], { env: cleanEnv(at.env), stdio: "pipe" });
  onCleanup(async () => child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until(() => err.includes("?token="), 40_000);
  const page = new URL(/http:\/\/127\.0\.0\.1\S+/.exec(err)?.[0] ?? "");

  expect((await fetch(new URL("/", page))).status).toBe(401);
  expect((await fetch(new URL(`/events?token=${"x".repeat(32)}`, page))).status).toBe(401);
  expect(await (await fetch(page)).text()).toContain("EventSource");
  const events = await fetch(new URL(`/events${page.search}`, page));
  const words = { method: "POST", body: "in Latin, please" };
  expect((await fetch(new URL("/message", page), words)).status).toBe(401);
  expect((await fetch(new URL(`/message${page.search}`, page), words)).status).toBe(204);
  await until(() => at.rehearsal.journal.length > 0, 40_000);
  await writeFile(join(at.workspace, "seen"), "");

  const seen = (await events.text())
    .trim()
    .split("\n\n")
    .map((line) => JSON.parse(line.replace(/^data: /, "")) as { type: string; text?: string });
  expect(seen.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["step", "toolCall", "toolResult", "result"]),
  );
  expect(seen.findLast(({ type }) => type === "result")?.text).toBe("hortus");
  expect(await ended).toBe(0);
  expect(out).toBe("hortus\n");
});

describe("07", () => {
  it.each(storeConformance)("$name", async ({ check }) => {
    const dir = await tempDir();
    let stores = 0;
    await check(async () => fileStore(join(dir, String((stores += 1)))));
  });

  it("keeps what another opening of it finds", async () => {
    const dir = await tempDir();
    const key = { projectKey: ".", sessionId: "a" };
    await fileStore(dir).append(key, [{ type: "user", uuid: "1" }]);
    const again = fileStore(dir);
    await again.append(key, [{ type: "user", uuid: "1" }, { type: "assistant" }]);
    expect(await again.load(key)).toEqual([{ type: "user", uuid: "1" }, { type: "assistant" }]);
  });

  it("has the sessions of a run, in files that can be read", async () => {
    const at = await exampleStage([main([say("tulip it is")])]);
    const ran = await at.run("07-file-store.ts", "remember the word tulip");
    expect(ran).toMatchObject({ code: 0, out: "tulip it is\n" });
    const dir = join(at.workspace, "transcripts");
    const [file = ""] = await readdir(dir);
    const lines = (await readFile(join(dir, file), "utf8")).trim().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ projectKey: ".", subpath: "" });
    expect(lines.slice(1).join("\n")).toMatch(/remember the word tulip[^]*tulip it is/);
  });
});
