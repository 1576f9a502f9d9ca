import { createRequire } from "node:module";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadFlow, placed } from "../../src/cli/load-workflow.ts";
import { FlowerError } from "../../src/core/errors.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { tempDir } from "../support/rehearse.ts";

const FILES: Record<string, string> = {
  "default.ts": `import { Workflow } from "flower-agent";
    import type { FlowParts } from "flower-agent";
    export const spare: Workflow<object> = new Workflow([]);
    export default ({ request }: FlowParts): string => request;`,
  "only.mts": `import { Workflow as W } from "flower-agent";
    import { SUBJECT } from "./lib/subject.ts";
    export { SUBJECT };
    export const flow = new W([{ name: SUBJECT, spec: { name: SUBJECT, instructions: "" }, prompt: "go" }]);`,
  "lib/subject.ts": `export const SUBJECT: string = await Promise.resolve("draft");`,
  "two.js": `import { Workflow } from "flower-agent";
    export const one = new Workflow([]), two = new Workflow([]);`,
  "plain.cjs": `const { say } = require("flower-agent/testing");
    module.exports = { flow: () => say("x"), figure: 7 };`,
  "store.ts": `import { MemorySessionStore } from "flower-agent/stores";
    export default () => new MemorySessionStore().constructor.name;`,
  "a:b.ts": `export default () => "colon";`,
  "nothing.ts": `export {};`,
  "syntax.ts": `export const a = 1;\nexport const b = = 2;\n`,
  "throws.ts": `interface Gone {\n  a: 1;\n}\nthrow new TypeError("boom");\n`,
  "needs.ts": `import "no-such-package";`,
  "bad-steps.ts": `import { Workflow } from "flower-agent";
    const step = { name: "a", spec: { name: "a", instructions: "" }, prompt: "x" };
    export default new Workflow([step, step]);`,
  "node_modules/some-package/package.json": `{ "name": "some-package", "type": "module", "exports": "./main.js" }`,
  "node_modules/some-package/main.js": `import { Workflow } from "flower-agent";
    export const flow = new Workflow([]);`,
};

async function project(): Promise<string> {
  const dir = await tempDir();
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  return dir;
}

describe("what flower run names", () => {
  it.each([
    ["default.ts", "function", "default"],
    ["default.ts:spare", "workflow", "spare"],
    ["only.mts", "workflow", "flow"],
    ["./lib/../only.mts:flow", "workflow", "flow"],
    ["two.js:two", "workflow", "two"],
    ["plain.cjs:flow", "function", "flow"],
    ["store.ts", "function", "store"],
    ["a:b.ts", "function", "a:b"],
    ["some-package", "workflow", "flow"],
    ["some-package:flow", "workflow", "flow"],
  ])("%s is a %s, called %s", async (reference, kind, name) => {
    const loaded = await loadFlow(reference, await project());
    expect(loaded.name).toBe(name);
    // The very class of the flower that runs, though the file has no node_modules to find it in.
    expect(loaded.flow instanceof Workflow ? "workflow" : typeof loaded.flow).toBe(kind);
  });

  it("is named so that another directory understands it, too", async () => {
    const dir = await project();
    expect((await loadFlow("two.js:one", dir)).reference).toBe(`${join(dir, "two.js")}:one`);
    expect((await loadFlow("some-package:flow", dir)).reference).toBe("some-package:flow");
  });

  it.each([
    ["gone.ts", /there is no file .*\/gone\.ts/, /name a file/],
    ["./gone", /there is no file .*\/gone/, /name a file/],
    ["page", /neither a file nor a package page in /, /flower go run page/],
    ["lib", /lib is a directory/, /lib\/flow\.ts/],
    ["two.js", /several workflows and no default export.*one \(a workflow\), two/, /:<export>/],
    ["two.js:three", /two\.js has no export three: it exports one \(a workflow\)/, /:<export>/],
    ["plain.cjs", /no default export and no workflow.*flow \(a function\), figure/, /:<export>/],
    ["plain.cjs:figure", /figure of plain\.cjs is of type number/, /export a Workflow, or a function/],
    ["nothing.ts", /exports nothing/, /export a Workflow, or a function/],
    ["syntax.ts", /syntax error at .*\/syntax\.ts:2:\d+: Unexpected token/, /nothing was started/],
    ["throws.ts", /cannot be loaded: boom \(.*\/throws\.ts:4:\d+\)/, /nothing was started/],
    ["needs.ts", /Cannot find module 'no-such-package'/, /nothing was started/],
    ["bad-steps.ts", /two steps named "a"/, /a name of its own/],
  ])("refuses %s", async (reference, message, nextStep) => {
    const error = await loadFlow(reference, await project()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "usage" });
    expect((error as FlowerError).message).toMatch(message);
    expect((error as FlowerError).nextStep).toMatch(nextStep);
  });
});

describe("the place of what a workflow throws", () => {
  it("is none of the packages that call it", () => {
    const error = new Error("boom");
    const caller = createRequire(import.meta.url).resolve("commander");
    error.stack = `Error: boom\n    at run (${caller}:1:2)`;
    expect(placed(error)).toBe(error);
  });

  it("is in somebody else's file, and told behind the message", async () => {
    const dir = await project();
    await writeFile(join(dir, "late.ts"), `export default () => {\n  throw new TypeError("late");\n};\n`);
    const { flow } = await loadFlow("late.ts", dir);
    const thrown = await Promise.resolve()
      .then(() => (flow as () => unknown)())
      .catch((error: unknown) => placed(error));
    expect((thrown as Error).message).toMatch(/^late \(.*\/late\.ts:2:\d+\)$/);
  });

  it("is left out where the message was made for a person", () => {
    const error = new FlowerError("workspace", "gone");
    expect(placed(error)).toBe(error);
  });
});
