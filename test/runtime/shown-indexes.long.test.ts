import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ShownIndexes } from "../../src/runtime/shown-indexes.ts";
import { call, say } from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, messagesText, SPEC, stage } from "../support/stage.ts";

describe("the book of shown indexes", () => {
  it("outlives the process, and forgets", async () => {
    const runDir = await tempDir();
    const book = new ShownIndexes(runDir);
    book.note("s1", "one");
    book.note("s2", "two");
    book.note("s1", undefined);
    const next = new ShownIndexes(runDir);
    expect([next.of("s1"), next.of("s2")]).toEqual([undefined, "two"]);
  });

  it("costs nothing but an index where it cannot be read, or is old", async () => {
    const runDir = await tempDir();
    await writeFile(join(runDir, "shown-indexes.json"), "damaged");
    const book = new ShownIndexes(runDir);
    for (let n = 0; n < 25; n += 1) book.note(`s${n}`, `index ${n}`);
    const next = new ShownIndexes(runDir);
    expect([next.of("s0"), next.of("s24")]).toEqual([undefined, "index 24"]);
  });

  it("leaves one of a newer version alone", async () => {
    const runDir = await tempDir();
    const path = join(runDir, "shown-indexes.json");
    const text = '{"v":99,"sessions":["of another kind"]}';
    await writeFile(path, text);
    const book = new ShownIndexes(runDir);
    book.note("s1", "one");
    expect(book.of("s1")).toBe("one");
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

it.each(rows([2, 0], (calls) => calls === 2))(
  "a resumed session hears of the workbench only what changed since, %i calls a round",
  async (calls) => {
    const workspace = await tempDir();
    const artifacts = join(workspace, ".flower/artifacts");
    await mkdir(artifacts, { recursive: true });
    await writeFile(join(artifacts, "from-before.txt"), "x");
    const look = call("Bash", { command: "pwd" });
    const play = async (resume?: string) => {
      const { runtime, rehearsal } = await stage(
        [main([...Array.from({ length: calls }, () => look), say("done")])],
        { workspace },
      );
      const result = await runtime.run(SPEC, "go", resume === undefined ? {} : { resume });
      await runtime.close();
      const heard = messagesText(rehearsal, 0).split("from-before.txt").length - 1;
      return { sessionId: result.sessionId ?? "", heard, text: messagesText(rehearsal, 0) };
    };
    const first = await play();
    expect(first.heard).toBe(1);
    const second = await play(first.sessionId);
    expect(second.heard).toBe(1);
    await writeFile(join(artifacts, "made-since.txt"), "x");
    const third = await play(first.sessionId);
    expect(third.heard).toBe(1);
    expect(third.text).toContain("+ artifacts/made-since.txt");
  },
);
