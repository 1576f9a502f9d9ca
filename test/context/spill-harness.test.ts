import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import type { RuntimeOptions } from "../../src/runtime/options.ts";
import { call, say, type Actor, type FixedReply } from "../../src/testing/index.ts";
import { rows } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage, sub } from "../support/stage.ts";

/** What a model that calls these tools gets back, one text a call, and where its long results went. */
async function results(
  calls: readonly (FixedReply | ((said: readonly string[]) => FixedReply))[],
  { spec = {}, actors = [], ...options }: Partial<RuntimeOptions> & { spec?: object; actors?: Actor[] } = {},
  env: Record<string, string> = {},
) {
  const said: string[] = [];
  const { runtime, workspace, seen } = await stage(
    [
      ...actors,
      main((request) => {
        said.push(...request.toolResults.map(({ text }) => text));
        const next = calls[said.length] ?? say("done");
        return typeof next === "function" ? next(said) : next;
      }),
    ],
    options,
    {},
    env,
  );
  expect((await runtime.run({ ...SPEC, ...spec }, "do it")).ok).toBe(true);
  await runtime.close();
  const dir = join(workspace, ".flower/spill");
  return { said, seen, dir, whole: (text = "") => readFileSync(pathIn(text), "utf8") };
}

const pathIn = (text: string): string => /(?:whole text is in|stored in) (.*?\.txt);/.exec(text)?.[1] ?? text;
const bash = (command: string, more: object = {}) => call("Bash", { command, ...more });
const FIFTY = "head -c 50000 /dev/zero | tr '\\0' x";

describe("a failing command", () => {
  // Wrapped or not, glance or not: it is the commonest long output.
  it("reaches the model in fewer characters than the threshold, with its code", async () => {
    const workspace = await tempDir("failing");
    writeFileSync(join(workspace, "long.txt"), "word\n".repeat(10_000));
    writeFileSync(join(workspace, "other.txt"), "other\n");
    const commands = [
      `${FIFTY}; exit 1`,
      `cat long.txt; false`,
      `diff -u long.txt other.txt`,
      `trap 'echo bye' EXIT; ${FIFTY}; exit 1`,
      `cat <<E\n$(${FIFTY})\nE\nfalse`,
      `exec sh -c "${FIFTY.replace("\\", "\\\\")}; exit 1"`,
      `sleep 0.1 & ${FIFTY}; wait; exit 1`,
      `(sleep 0.1 &); ${FIFTY}; exit 1`,
      // The last one, because the shell stays there.
      `mkdir -p sub; cd sub; ${FIFTY}; exit 1`,
    ];
    const { said, whole } = await results(
      commands.map((command) => bash(command)),
      { workspace },
    );
    for (const [n, command] of commands.entries()) {
      expect(said[n], command).toMatch(
        /^Exit code 1\n\[\d+ lines, [56]\d{4} characters stored in .*use Read with offset and limit/,
      );
      expect(said[n]!.length).toBeLessThan(4_000);
      expect(whole(said[n]).length).toBeGreaterThanOrEqual(50_000);
    }
  });

  it("that ran into its time limit leaves what it had printed, and the model hears where", async () => {
    const { said, seen } = await results([
      bash(`${FIFTY}; echo; echo half of it; sleep 30`, { timeout: 2_000 }),
    ]);
    expect(said[0]!.length).toBeLessThan(4_000);
    expect(seen.ofType("toolResult")).toHaveLength(1);
  });

  it("in a subagent stays whole where spilling is for the main thread only", async () => {
    const heard: string[] = [];
    await results([call("Agent", { description: "d", prompt: "go", subagent_type: "worker" })], {
      spillMainOnly: true,
      spec: coordinator("work", "", { worker: worker("works", "You work.") }),
      actors: [
        sub((request) => {
          heard.push(...request.toolResults.map(({ text }) => text));
          return request.turnCount === 0 ? bash("seq 1 1500; exit 1") : say("Conclusion: done");
        }),
      ],
    });
    expect(heard[0]).toContain("\n1499\n1500");
    expect(heard[0]).not.toContain("stored in");
  });

  it("is said to stay when it alone cannot be kept, and what was stopped is named all the same", async () => {
    const workspace = await tempDir("blocked failures");
    const dir = join(workspace, ".flower/spill");
    const block = (): FixedReply => {
      rmSync(dir, { recursive: true });
      writeFileSync(dir, "in the way");
      return bash("seq 1 1500; exit 1");
    };
    const requests: string[] = [];
    const { seen } = await results(
      [block, bash("seq 1 1500; exit 1"), bash("echo IMPORTANT; sleep 1; sleep 30", { timeout: 1_500 })],
      {
        workspace,
        actors: [
          {
            name: "ear",
            when: (request) => {
              requests.push(JSON.stringify(request.messages));
              return false;
            },
            script: [say("")],
          },
        ],
      },
    );
    const warnings = seen.ofType("system").filter(({ message }) => message.includes("cannot be written"));
    expect(warnings).toHaveLength(1);
    expect(requests.at(-1)).toMatch(/is in [^ ]*\.txt; its end:\\nIMPORTANT/);
  });

  it("that cannot be wrapped runs as it is", async () => {
    const calls = ["echo 'unbalanced", "echo hi \\"].map((command) => bash(command));
    const { said } = await results(calls);
    const bare = await results(calls, { spillThreshold: 0 });
    expect(said).toEqual(bare.said);
  });
});

describe("a long result", () => {
  it("of a success that the harness put aside itself has no frame, and is kept whole", async () => {
    const { said, whole } = await results([bash("seq 1 12000")]);
    expect(said[0]).toMatch(/^\[60894 characters, 12000 lines: the whole text is in .*\.txt; use Read/);
    expect(said[0]).not.toContain("persisted-output");
    expect(said[0]).toMatch(/\n12000\s*$/);
    expect(whole(said[0]).trimEnd().split("\n")).toHaveLength(12_000);
  });

  it("of Read, Grep and Glob is spilled", async () => {
    const workspace = await tempDir("long results with a name that is long itself".replaceAll(" ", "-"));
    for (let n = 0; n < 120; n += 1)
      writeFileSync(
        join(workspace, `a-file-with-quite-a-long-name-so-that-the-list-is-long-${n}.txt`),
        "hay\n".repeat(9),
      );
    writeFileSync(join(workspace, "big.md"), "straw\n".repeat(2_000));
    const { said, whole } = await results(
      [
        call("Read", { file_path: join(workspace, "big.md") }),
        call("Grep", { pattern: "hay", path: workspace, glob: "*.txt", output_mode: "content" }),
        call("Glob", { pattern: "*.txt", path: workspace }),
      ],
      { workspace, spec: { allowedTools: ["Read", "Grep", "Glob"] } },
    );
    for (const text of said)
      expect(text).toMatch(/^(1\t)?\[\d+ characters, \d+ lines: the whole text is in /);
    expect(whole(said[0])).toBe("straw\n".repeat(2_000));
    expect(whole(said[1])).toContain("long-0.txt:9:hay");
    expect(whole(said[2]).split("\n")).toHaveLength(100);
  });

  it.each(rows([6_000, 60_000, 300_000], (chars) => chars === 300_000))(
    "of an MCP tool, %i characters, is spilled",
    async (chars) => {
      const tool = {
        name: "much",
        description: "says much",
        input: {},
        handle: async () => "word ".repeat(chars / 5),
      };
      const { said, whole } = await results([call("mcp__big__much", {})], {
        spec: {
          allowedTools: ["mcp__big__much"],
          mcpServers: { big: { kind: "inProcess", tools: [tool] } },
        },
      });
      expect(said[0]).toMatch(new RegExp(`^\\[${chars} characters, 1 lines: the whole text is in `));
      expect(whole(said[0])).toBe("word ".repeat(chars / 5));
    },
  );

  it("of a search of the web is spilled", async () => {
    const { said, whole } = await results([call("WebSearch", { query: "flowers" })], {
      spec: { allowedTools: ["WebSearch"] },
      actors: [
        {
          name: "web",
          when: (r) => r.tools.includes("web_search"),
          script: [say("found ".repeat(1_000).trim())],
        },
      ],
    });
    expect(said[0]).toMatch(/\[5999 characters, 1 lines: the whole text is in /);
    expect(whole(said[0])).toBe("found ".repeat(1_000).trim());
  });

  it("of an agent is spilled only from a limit of its own", async () => {
    const reports = ["a ".repeat(3_500), "b ".repeat(4_500)].map((text) => `Conclusion: done\n${text}`);
    const workers = { worker: worker("works", "You work.") };
    let sent = 0;
    const { said, whole } = await results(
      reports.map((_, n) => call("Agent", { description: `d${n}`, prompt: "go", subagent_type: "worker" })),
      { spec: coordinator("work", "", workers), actors: [sub(() => say(reports[sent++] ?? ""))] },
    );
    expect(said[0]).toContain("a a a a");
    expect(said[0]!.length).toBeGreaterThan(7_000);
    expect(said[1]).toMatch(/\[90\d\d characters, 2 lines: the whole text is in /);
    expect(said[1]!.length).toBeLessThan(4_000);
    expect(whole(said[1]).trim()).toBe(reports[1]!.trim());
  });

  it("in one line is read on in its copy", async () => {
    const rows = JSON.stringify(Array.from({ length: 9_000 }, (_, n) => ({ n })));
    const workspace = await tempDir("one line");
    writeFileSync(join(workspace, "rows.json"), rows);
    let copy = "";
    const { said } = await results(
      [
        bash("cat rows.json"),
        ([pointer = ""]) => {
          copy = /broken in (.*?-lines\.txt)\]/.exec(pointer)?.[1] ?? "";
          return call("Read", { file_path: copy, offset: 20_000, limit: 2_500 });
        },
      ],
      { workspace },
    );
    expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(JSON.parse(rows));
    expect(said[1]).toMatch(/^20000\t/);
    expect(said[1]).toContain('"n": 6999');
    expect(said[1]!.length).toBeGreaterThan(4_000);
  });

  it("has no secret in its file or preview, also where the harness had put it aside", async () => {
    const key = "sk-planted-0123456789abcdef";
    const { said, whole } = await results(
      [bash(`a=${key.slice(0, 12)}; b=${key.slice(12)}; echo $a$b; seq 1 12000`)],
      {},
      { ANTHROPIC_API_KEY: key },
    );
    expect(said[0]).toContain("[secret removed]");
    expect(said[0]).not.toContain(key);
    expect(whole(said[0])).not.toContain(key);
  });
});

it("where nothing can be spilled results stay as they were, and that is said once", async () => {
  const workspace = await tempDir("blocked");
  const commands = ["seq 1 1500", "seq 1 1500; exit 3", "mkdir sub; cd sub; echo there", "pwd"];
  const bare = await results(
    commands.map((command) => bash(command)),
    { workspace, spillThreshold: 0 },
  );
  rmSync(join(workspace, "sub"), { recursive: true });
  const block = (): FixedReply => {
    rmSync(bare.dir, { recursive: true });
    writeFileSync(bare.dir, "in the way");
    return bash(commands[0]!);
  };
  const blocked = await results([block, ...commands.slice(1).map((command) => bash(command))], { workspace });
  expect(blocked.said).toEqual(bare.said);
  expect(readFileSync(blocked.dir, "utf8")).toBe("in the way");
  const warnings = blocked.seen
    .ofType("system")
    .filter(({ message }) => message.includes("cannot be written"));
  expect(warnings).toHaveLength(1);
});

it("a result that is read back comes as it is, by whatever path and program", async () => {
  const workspace = await tempDir("read back");
  const { said, dir } = await results(
    [
      bash("seq 1 2000"),
      bash("ln -s .flower/spill linked; ls linked | head -1"),
      ([, names = ""]) => bash(`cat .flower/spill/${names.trim()}`),
      ([, names = ""]) => bash(`sed -n '1,1200p' linked/${names.trim()}`),
      ([, names = ""]) => bash(`(cd linked && grep -n 1 ${names.trim()} | head -1000)`),
      ([, names = ""]) => call("Read", { file_path: join(workspace, "linked", names.trim()), limit: 1_200 }),
      ([, names = ""]) =>
        call("Grep", {
          pattern: "[13579]$",
          path: join(workspace, "linked", names.trim()),
          output_mode: "content",
          head_limit: 900,
        }),
      ([, names = ""]) => bash(`cat linked/${names.trim()}; grep nothing linked/${names.trim()}`),
      // Whatever else it prints would come in unlimited.
      ([, names = ""]) => bash(`cat .flower/spill/${names.trim()}; seq 1 2000`),
    ],
    { workspace, spec: { allowedTools: ["Bash", "Read", "Grep"] } },
  );
  for (const text of said.slice(2, 8)) {
    expect(text).not.toContain("whole text is in");
    expect(text.length).toBeGreaterThan(4_000);
  }
  expect(said[8]).toContain("whole text is in");
  expect(readdirSync(dir)).toHaveLength(2);
});

it("the same result is kept once", async () => {
  const { dir } = await results([bash("seq 1 2000"), bash("seq 1 2000"), bash("seq 1 2001")]);
  expect(readdirSync(dir)).toHaveLength(2);
});
