import { describe, expect, it } from "vitest";
import { parseAndRun, program, type GoOptions } from "../../src/cli/program.ts";

/** What `go` is called with. */
async function parsed(...argv: string[]): Promise<{ request: string | undefined; options: GoOptions }> {
  const seen: Array<{ request: string | undefined; options: GoOptions }> = [];
  const commands = {
    go: async (request: string | undefined, options: GoOptions) => {
      seen.push({ request, options });
      return 0;
    },
    run: async () => 0,
    once: async () => 0,
    demo: async () => 0,
    status: async () => 0,
    cost: async () => 0,
    show: async () => 0,
    log: async () => 0,
    sessions: async () => 0,
    setup: async () => 0,
    doctor: async () => 0,
  };
  await parseAndRun(
    program(commands, "v", () => undefined),
    argv,
  );
  const [first] = seen;
  if (first === undefined) throw new Error("go was not called");
  return first;
}

describe("the command line", () => {
  it.each<[string[], number | undefined, string | undefined]>([
    [["--review-handoff", "make it"], 60, "make it"],
    [["--review-handoff", "5", "make it"], 5, "make it"],
    [["make it", "--review-handoff"], 60, "make it"],
    [["--review-handoff=7"], 7, undefined],
    [["make", "it"], undefined, "make it"],
  ])("%j waits %s seconds before a successor", async (argv, seconds, request) => {
    const { options, request: asked } = await parsed(...argv);
    expect([options.reviewHandoff, asked]).toEqual([seconds, request]);
  });

  it.each([
    ["--review-handoff", "-3"],
    ["--window", "much"],
    ["--rounds", "1.5"],
    ["--rounds", "0"],
    ["--timeout", ""],
    ["--asks", " "],
    ["--rounds", ""],
    ["--budget", ""],
    ["--budget", "Infinity"],
    ["--window", ""],
    ["--review-handoff", ""],
    ["--permissions", "everything"],
    ["--permissions", ""],
    ["--what"],
  ])("refuses %s %j", async (...argv) => {
    await expect(parsed(...argv)).rejects.toMatchObject({ code: "usage" });
  });

  it("asks nobody and requires no sandbox unless told so", async () => {
    expect((await parsed("make it")).options).toMatchObject({ permissions: "auto", requireSandbox: false });
    const told = await parsed("make it", "--permissions", "ask", "--require-sandbox");
    expect(told.options).toMatchObject({ permissions: "ask", requireSandbox: true });
  });

  it("takes a subcommand as the first word only", async () => {
    expect((await parsed("make", "demo", "of", "it")).request).toBe("make demo of it");
    expect((await parsed("go", "demo", "it")).request).toBe("demo it");
  });

  it.each([
    ["status", "page"],
    ["show", "me"],
    ["log", "in", "page"],
    ["sessions", "of"],
  ])("a request that begins with %s is told how to be one", async (...argv) => {
    await expect(parsed(...argv)).rejects.toMatchObject({
      code: "usage",
      nextStep: expect.stringContaining(`flower go ${argv[0]}`) as string,
    });
  });

  it("takes help in front of other words for a request", async () => {
    expect((await parsed("help", "me", "move")).request).toBe("help me move");
  });
});
