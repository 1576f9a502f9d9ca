import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiError, say, type Actor, type RehearsalRequest } from "../../src/testing/index.ts";
import { flower, personEnv, type Ran } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";

const TWO_STEPS = `import { Workflow, type Step } from "flower-agent";

interface Context {
  request: string;
  draft?: string;
}
const agent = (name: string) => ({ name, instructions: "You are under test.", allowedTools: ["Read"] });
const draft: Step<Context> = {
  name: "draft",
  spec: agent("draft"),
  prompt: ({ request }) => "Draft: " + request,
  reduce: ({ text }, context) => void (context.draft = text),
};
const polish: Step<Context> = {
  name: "polish",
  spec: agent("polish"),
  prompt: ({ draft }) => "Polish: " + draft,
};
export default new Workflow<Context>([draft, polish]);
`;

interface Scene {
  /** Where the file lies; it has no node_modules. */
  dir: string;
  workspace: string;
  /** Last words of each request, in order. */
  prompts: string[];
  flower(...args: string[]): Promise<Ran>;
  /** The same with a standard input that nobody closes. */
  held(...args: string[]): Promise<Ran>;
  manifest(): Promise<Array<{ step: string; status: string; resumed: boolean }>>;
}

/** A model that answers every prompt by a function. */
async function scene(
  source: string,
  answer: (request: RehearsalRequest) => ReturnType<Extract<Actor["script"], (...args: never) => unknown>>,
): Promise<Scene> {
  const dir = await tempDir();
  const workspace = join(dir, "work");
  await mkdir(workspace);
  await writeFile(join(dir, "my flow.ts"), source);
  const prompts: string[] = [];
  const actor: Actor = {
    name: "main",
    when: () => true,
    script: (request) => {
      prompts.push(request.lastUserText);
      return answer(request);
    },
  };
  const rehearsal = await rehearse({ scenario: { name: "run", actors: [actor] } });
  const env = personEnv(rehearsal, workspace);
  const command = ["run", join(dir, "my flow.ts"), "-w", workspace];
  return {
    dir,
    workspace,
    prompts,
    flower: async (...args) => flower([...command, ...args], env),
    held: async (...args) => flower([...command, ...args], env, null),
    manifest: async () => JSON.parse(await readFile(join(workspace, "runs/manifest.json"), "utf8")) as never,
  };
}

describe("flower run", () => {
  it("runs a workflow from a file, and goes on in its sessions with what is said at waking", async () => {
    const at = await scene(TWO_STEPS, ({ lastUserText }) =>
      say(`answer to <${lastUserText.split("\n")[0] ?? ""}>`),
    );
    const first = await at.flower("a haiku", "--json");
    const end = JSON.parse(first.out.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
    expect(end).toMatchObject({ type: "end", exitCode: 0, status: "done", error: null });
    expect(end["text"]).toContain("answer to <Polish: answer to <Draft: a haiku>>");
    expect(await at.manifest()).toMatchObject([
      { step: "draft", status: "done", resumed: false },
      { step: "polish", status: "done", resumed: false },
    ]);

    const again = await at.flower("make it", "longer");
    expect(again.code).toBe(0);
    expect(again.out).toContain("answer to <");
    expect(again.err).toContain("woken");
    expect((await at.manifest()).slice(2)).toMatchObject([
      { step: "draft", status: "done", resumed: true },
      { step: "polish", status: "done", resumed: true },
    ]);
    expect(at.prompts.slice(-2).join()).toMatch(/woken[^]*make it longer[^]*woken[^]*make it longer/);
  });

  it("ends with 1, the reason and the command that goes on when a step fails", async () => {
    const at = await scene(TWO_STEPS, ({ lastUserText }) =>
      lastUserText.includes("Polish") ? apiError(400, "no such thing") : say("drafted"),
    );
    const ran = await at.flower("a haiku", "--budget", "3", "--no-trim");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/stopped in polish: .*no such thing/);
    expect(ran.err).toContain(
      `flower run '${join(at.dir, "my flow.ts")}' -w '${at.workspace}' --no-trim --budget 3\n`,
    );
  });

  it("lets a function do the work itself, with the runtime, and says what it comes to", async () => {
    const at = await scene(
      `import type { FlowParts } from "flower-agent";
      export default async ({ request, runtime, workspace }: FlowParts) => {
        const spec = { name: "only", instructions: "", allowedTools: ["Read"] };
        const { text } = await runtime.run(spec, request);
        return text.toUpperCase() + " in " + workspace;
      };`,
      () => say("did it"),
    );
    const ran = await at.flower("count");
    expect(ran).toMatchObject({ code: 0, out: `DID IT in ${at.workspace}\n` });
    expect(at.prompts[0]).toContain("count");
  });

  it("says where in the file a mistake was made", async () => {
    const at = await scene(`export default async () => {\n  null.oops();\n};\n`, () => say("never"));
    const ran = await at.flower();
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/flower: Cannot read properties of null.* \(.*\/my flow\.ts:2:\d+\)/);
  });

  it.each([
    ["a rejection that nobody waits for", "void Promise.reject(new Error('astray'));\n  return 'fine';"],
    [
      "an error out of a timer",
      "setTimeout(() => {\n    throw new Error('astray');\n  });\n  return new Promise(() => {});",
    ],
  ])("ends with 1 and one line for %s", async (_name, body) => {
    const at = await scene(`export default async () => {\n  ${body}\n};\n`, () => say("never"));
    const ran = await at.flower("--json");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^flower: astray \(.*\/my flow\.ts:[23]:\d+\)$/m);
    expect(ran.err).not.toMatch(/^\s+at /m);
    expect(JSON.parse(ran.out.trim().split("\n").at(-1) ?? "")).toMatchObject({ type: "end", exitCode: 1 });
  });

  // Fails when Node ends the process with a code of its own, and nobody says why.
  it.each(["flower", "held"] as const)(
    "ends with 1 and a reason when it waits for what never comes: %s",
    async (how) => {
      const at = await scene(
        `import { Workflow } from "flower-agent";
      const spec = { name: "only", instructions: "" };
      export default new Workflow([{ name: "a", spec, prompt: "do it", gate: () => new Promise(() => {}) }]);`,
        () => say("did it"),
      );
      const ran = await at[how]();
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.err).toContain("waits for a promise that nothing settles");
      expect(existsSync(join(at.workspace, "runs/lock.json"))).toBe(false);
    },
  );

  it("starts nothing for a file that cannot be loaded", async () => {
    const at = await scene(`export default 7;`, () => say("never"));
    const ran = await at.flower("x", "--json");
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.out)).toMatchObject({ type: "end", exitCode: 2, error: { code: "usage" } });
    expect(existsSync(join(at.workspace, "runs"))).toBe(false);
    expect(existsSync(join(at.workspace, ".flower"))).toBe(false);
    expect((await at.flower(" ")).err).toMatch(/the request is empty/);
    expect(at.prompts).toEqual([]);
  });
});
