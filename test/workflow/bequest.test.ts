import { lstatSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Goal } from "../../src/documents/goal.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { MESSAGES_HEAD } from "../../src/runtime/prompts.ts";
import type { Event } from "../../src/core/events.ts";
import type { Locale } from "../../src/core/locale.ts";
import { coordinator } from "../../src/roles/roles.ts";
import { leaveBequest, type BequestParts } from "../../src/workflow/bequest.ts";
import type { StarterContext, StarterParts } from "../../src/workflow/context.ts";
import { Workflow, type WorkflowResult } from "../../src/workflow/workflow.ts";
import { BRIEF, FakeHost, failure, result, starterParts, type Call, type Scripted } from "./fake-host.ts";
import { tempDir } from "../support/rehearse.ts";

const ANSWER =
  "## What this is\nA converter.\n\n## Generated files\n- `out.html` by `sh gen.sh`\n\n## Dead ends\n- regular expressions alone";
const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwx";

class Host extends FakeHost {
  readonly runId = "20261130-214154-abc123";
  readonly options = { runDir: "", env: {} as Record<string, string>, home: "/nowhere" };
  interrupted: unknown[] = [];

  interrupt(...args: unknown[]): void {
    this.interrupted.push(args);
  }
}

interface Scene {
  host: Host;
  parts: StarterParts & BequestParts;
  /** What a file of the workspace holds. */
  text(name: string): string;
  leave(ended?: WorkflowResult | "threw", context?: Partial<StarterContext>): Promise<string[]>;
}

/** A workspace whose work session "w1" is done; `said`: what it answers when it is asked. */
async function scene(
  said: Scripted | null = ANSWER,
  { during, locale }: { during?: (call: Call) => void; locale?: Locale } = {},
): Promise<Scene> {
  const host = new Host(said === null ? {} : { bequest: [said] }, during);
  host.sessions["work"] = { sessionId: "w1" };
  const parts = { ...(await starterParts(host, locale === undefined ? {} : { locale })), host };
  const { workspace } = parts.workbench;
  host.options.runDir = join(workspace, "runs");
  const flow = new Workflow<StarterContext>([
    { name: "work", spec: coordinator("work", "", {}, { channel: parts.channel }), prompt: "work" },
  ]);
  const done = { ok: true, results: [result({ sessionId: "w1" })] };
  return {
    host,
    parts,
    text: (name) => readFileSync(join(workspace, name), "utf8"),
    leave: async (ended = done, context = {}) =>
      leaveBequest(
        parts,
        { request: "a converter", brief: BRIEF, verdicts: [], ...context },
        { flow, ended: ended === "threw" ? undefined : ended },
      ),
  };
}

describe("what the session says", () => {
  it("is asked for in a copy of its history, in which it can do nothing", async () => {
    const { host, leave, text, parts } = await scene();
    const written = await leave();
    const { prompt, spec, options } = host.call("bequest");
    expect(prompt).toContain("## What this is");
    expect(options).toMatchObject({ resume: "w1", fork: true, lineageStep: null });
    // The same tools as ever: others would cost the whole history once more.
    expect(spec.allowedTools).toContain("mcp__flower__ask");
    expect(spec.mcpServers).toBe(parts.channel.servers);
    const call = { id: "t", name: "Agent", input: {}, cwd: "/" };
    expect(spec.hooks?.map((hook) => hook.beforeTool?.(call))).toEqual([expect.stringContaining("no tools")]);
    // No successor may take over, and go on with the work.
    expect(spec.compact).toEqual({ mode: "noSummary" });
    for (const name of ["CLAUDE.md", "AGENTS.md"]) {
      expect(text(name)).toMatch(/^<!-- flower:bequest begin -->\n[^]*<!-- flower:bequest end -->\n$/);
      expect(text(name)).toContain("- A converter.\n");
      expect(text(name)).toContain("- `out.html` by `sh gen.sh`");
      expect(text(name)).toContain("- regular expressions alone");
      expect(text(name)).not.toContain("Put together by flower");
    }
    expect(written.sort()).toEqual(
      ["AGENTS.md", "CLAUDE.md"].map((name) => join(parts.workbench.workspace, name)),
    );
    expect(host.said).toMatch(/^bequest written to .*AGENTS\.md, .*CLAUDE\.md$/);
  });

  it("never is that it met the goal: that says the judge", async () => {
    const { leave, text } = await scene(`${ANSWER}\n\n## Acceptance\n- all met`);
    await leave(undefined, {
      goal: new Goal("a converter", ["check 1: it runs", "check 2: it is tested"]),
      verdicts: [new Verdict("achieved", "", []), new Verdict("notYet", "ran it", ["check 2: no tests"])],
    });
    expect(text("CLAUDE.md")).toContain("- Unmet: check 2: no tests");
    expect(text("CLAUDE.md")).toContain("- No failure found: check 1: it runs");
    expect(text("CLAUDE.md")).not.toContain("all met");
  });

  it("is asked for in the words of the language", async () => {
    const { host, leave, text } = await scene("## 这是什么\n转换器", { locale: "zh" });
    await leave();
    expect(host.call("bequest").prompt).toContain("## 生成的文件");
    expect(host.call("bequest").options.displayName).toBe("遗留说明");
    expect(text("AGENTS.md")).toMatch(/### 这是什么\n\n- 转换器\n/);
  });

  it("is asked for after a run that the judge stopped, too", async () => {
    const { leave, text } = await scene();
    await leave({
      ok: false,
      stopped: { step: "work", reason: "not yet after 3 rounds" },
      results: [result({ sessionId: "w1" })],
    });
    expect(text("CLAUDE.md")).toContain(": stopped in work: not yet after 3 rounds\n");
    expect(text("CLAUDE.md")).toContain("- A converter.");
  });

  it("is not waited for: no endpoint or allowance has to come back for it", async () => {
    const retry = { type: "retry", attempt: 1, maxAttempts: 6, waitMs: 3_600_000, reason: "limit" } as Event;
    const { host, leave, text } = await scene(failure("interrupted"), {
      during: ({ options }) => void options.onEvent?.(retry),
    });
    await leave();
    expect(host.interrupted).toEqual([[undefined, { atOnce: true }]]);
    expect(text("CLAUDE.md")).toContain("- Put together by flower");
  });

  it("takes no message of the person with it: what came meanwhile is for the next run", async () => {
    const at = await scene(ANSWER, {
      during: ({ prompt, options }) => {
        for (const text of [prompt, `${MESSAGES_HEAD}\n\nalso tables`])
          void options.onEvent?.({ type: "prompt", kind: "round", text } as Event);
      },
    });
    await at.leave();
    expect(at.parts.channel.undelivered.map(({ text }) => text)).toEqual(["also tables"]);
  });
});

describe("without its words", () => {
  const ended = (changes: Parameters<typeof result>[0]): WorkflowResult => ({
    ok: false,
    stopped: { step: "work", reason: "why" },
    results: [result({ sessionId: "w1", ...changes })],
  });

  it.each<[string, Scripted | null, WorkflowResult | "threw" | undefined]>([
    ["it failed", null, ended({ ok: false, status: "failed" })],
    ["it was interrupted", null, ended({ ok: false, status: "interrupted" })],
    [
      "its judge was interrupted",
      null,
      { ...ended({}), results: [result({ sessionId: "w1" }), result({ ok: false, status: "interrupted" })] },
    ],
    ["the run broke off", null, "threw"],
    ["another session worked in this run", null, { ok: true, results: [result({ sessionId: "other" })] }],
    ["it cannot be asked", failure("no reply"), undefined],
    ["it writes something else", "I am done.", undefined],
  ])("the block comes from documents: %s", async (_name, said, end) => {
    const { host, leave, text } = await scene(said);
    await leave(end);
    expect(host.steps).toEqual(said === null ? [] : ["bequest"]);
    expect(text("CLAUDE.md")).toContain("- Put together by flower");
    expect(text("CLAUDE.md")).toContain("### What this is\n\n- a converter\n");
    expect(text("AGENTS.md")).toBe(text("CLAUDE.md"));
  });

  it("nobody is asked while a message of the person waits", async () => {
    const { host, parts, leave } = await scene(null);
    parts.channel.send("stop");
    await leave();
    expect(host.steps).toEqual([]);
    expect(parts.channel.undelivered).toHaveLength(1);
  });

  it("holds scripts, dead ends of the handoff, and where documents lie", async () => {
    const { parts, leave, text } = await scene(null);
    const { paths } = parts.workbench;
    await writeFile(join(paths.scripts, "gen.sh"), "# desc: makes the pages\n");
    parts.workbench.freezeDocument("brief.md", BRIEF);
    parts.workbench.freezeDocument(
      "handoff-work.md",
      "## Doing now\na\n\n## Dead ends\n- YAML: too slow\n\n## Next step\nb\n",
    );
    await leave("threw");
    expect(text("CLAUDE.md")).toContain("- `.flower/scripts/gen.sh` · makes the pages\n");
    expect(text("CLAUDE.md")).toContain("### Dead ends\n\n- YAML: too slow\n");
    expect(text("CLAUDE.md")).toContain("- `.flower/` · `.flower/INDEX.md`\n");
    expect(text("CLAUDE.md")).toContain("- `.flower/notes/brief.md` · `.flower/notes/handoff-work.md`\n");
    expect(text("CLAUDE.md")).toContain("- `runs/manifest.json`\n");
  });

  it("nothing is written as long as nothing was agreed", async () => {
    const { host, parts, leave } = await scene(null);
    const context = { request: "x", verdicts: [] } satisfies StarterContext;
    expect(await leaveBequest(parts, context, { flow: new Workflow([]), ended: undefined })).toEqual([]);
    expect(host.said).toBe("no bequest: there is neither a brief nor a goal yet");
    expect(await readdir(parts.workbench.workspace)).toEqual([".flower"]);
    await leave("threw");
    expect(host.said).toContain("bequest written");
  });
});

describe("secrets", () => {
  it("are taken out: keys, and what the workspace's .env holds, also split by what nobody sees", async () => {
    const { parts, leave, text } = await scene(
      `${ANSWER}\n- the key ${SECRET.slice(0, 20)}\u200b${SECRET.slice(20)} is refused\n- so is hunter2-and-more`,
    );
    await writeFile(join(parts.workbench.workspace, ".env"), "DB_PASSWORD=hunter2-and-more\n");
    await leave();
    expect(text("CLAUDE.md")).toContain("- the key [secret removed] is refused\n- so is [secret removed]\n");
    expect(text("CLAUDE.md")).not.toContain(SECRET.slice(8, 18));
  });
});

describe("a person's file", () => {
  it("keeps each byte; a second run writes its block anew in its place", async () => {
    const { parts, leave } = await scene(null);
    const path = join(parts.workbench.workspace, "CLAUDE.md");
    const mine = Buffer.concat([
      Buffer.from("\ufeff# Mine\r\ncaf"),
      Buffer.from([0xe9, 0xff]),
      Buffer.from("\r\nno end"),
    ]);
    await writeFile(path, mine);
    await chmod(path, 0o640);
    await leave("threw");
    const once = await readFile(path);
    expect(once.subarray(0, mine.length)).toEqual(mine);
    expect(once.subarray(mine.length).toString().replaceAll("\r\n", "")).not.toContain("\n");
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await writeFile(path, Buffer.concat([once, Buffer.from("mine too")]));
    await leave("threw", { brief: BRIEF.replace("a converter", "a better one") });
    const twice = await readFile(path, "latin1");
    expect(twice.startsWith(mine.toString("latin1"))).toBe(true);
    expect(twice.endsWith("mine too")).toBe(true);
    expect(twice).toContain("- a better one");
    expect(twice).not.toContain("- a converter");
    expect(twice.match(/flower:bequest begin/g)).toHaveLength(1);
    // Nothing is left beside it.
    expect((await readdir(parts.workbench.workspace)).sort()).toEqual([".flower", "AGENTS.md", "CLAUDE.md"]);
  });

  it.each([
    ["CLAUDE.md", "AGENTS.md", true],
    ["AGENTS.md", "CLAUDE.md", true],
    ["CLAUDE.md", "AGENTS.md", false],
    ["AGENTS.md", "CLAUDE.md", false],
  ])("%s that is a link to %s is written once (there: %s)", async (link, file, exists) => {
    const { parts, leave, text } = await scene(null);
    const { workspace } = parts.workbench;
    if (exists) await writeFile(join(workspace, file), "# Mine\n");
    await symlink(file, join(workspace, link));
    expect(await leave("threw")).toEqual([join(workspace, file)]);
    expect(await readlink(join(workspace, link))).toBe(file);
    expect(lstatSync(join(workspace, file)).isFile()).toBe(true);
    expect(text(file).match(/flower:bequest begin/g)).toHaveLength(1);
  });

  it.each<[string, (path: string, workspace: string, outside: string) => Promise<void>, RegExp]>([
    ["read-only", async (path) => writeFile(path, "mine", { mode: 0o444 }), /it is read-only/],
    ["a directory", async (path) => mkdir(path), /it is no file/],
    ["no text", async (path) => writeFile(path, "a\0b"), /no text in UTF-8/],
    [
      "a link out of the workspace",
      async (path, _workspace, outside) => symlink(join(outside, "elsewhere.md"), path),
      /leads out/,
    ],
    [
      "a link into a directory that leads out",
      async (path, workspace, outside) => {
        await symlink(outside, join(workspace, "up"));
        await symlink("up/elsewhere.md", path);
      },
      /leads out/,
    ],
    ["a link to what runs", async (path) => symlink(".git/hooks/pre-commit", path), /no \.md file/],
    ["a link to itself", async (path) => symlink("CLAUDE.md", path), /leads out/],
  ])("is left alone where it is %s, and the other one is written", async (_name, make, why) => {
    const { host, parts, leave, text } = await scene(null);
    const { workspace } = parts.workbench;
    const path = join(workspace, "CLAUDE.md");
    const outside = await tempDir();
    await make(path, workspace, outside);
    const before = lstatSync(path);
    expect(await leave("threw")).toEqual([join(workspace, "AGENTS.md")]);
    const { ino, size, mtimeMs } = lstatSync(path);
    expect({ ino, size, mtimeMs }).toEqual({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs });
    expect(host.said).toMatch(why);
    expect(host.said).toContain("no bequest in CLAUDE.md: ");
    expect(text("AGENTS.md")).toContain("flower:bequest begin");
    expect(await readdir(outside)).toEqual([]);
  });
});
