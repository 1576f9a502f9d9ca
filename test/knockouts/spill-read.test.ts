import { describe, expect, it } from "vitest";
import { readsSpill } from "../../src/runtime/spill-read.ts";
import { call, say } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("a part of a spilled result that is read back reaches the model as it is", async () => {
  const { runtime, rehearsal } = await stage([
    main([
      call("Bash", { command: "seq 1 30000" }),
      ({ toolResults: [result] }) =>
        call("Read", {
          file_path: /whole text is in (.*?\.txt);/.exec(result?.text ?? "")?.[1],
          limit: 1_500,
        }),
      ({ toolResults: [result] }) =>
        say(/characters, \d+ lines/.test(result?.text ?? "") ? "a pointer" : "text"),
    ]),
  ]);
  expect((await runtime.run(SPEC, "do it")).text).toBe("text");
  expect(JSON.stringify(rehearsal.body(2).messages)).toContain("1499");
});

describe("readsSpill", () => {
  it.each<[string, boolean]>([
    ["cat SPILLED", true],
    ["head -5 SPILLED; tail -5 SPILLED", true],
    ["cat SPILLED; cat other.txt", false],
    ["cat other.txt", false],
    ["cat 'SPILLED", false],
  ])("%s: %s", async (command, expected) => {
    const workspace = await tempDir("plain");
    const workbench = Workbench.open({ workspace });
    const path = workbench.spill("long")?.path ?? "";
    const input = { command: command.replaceAll("SPILLED", path) };
    expect(readsSpill({ id: "t", name: "Bash", input, cwd: workspace }, workbench)).toBe(expected);
  });
});
