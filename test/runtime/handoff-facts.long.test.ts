import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { collectFacts } from "../../src/runtime/handoff-facts.ts";
import { apiError, call, say, together, type FixedReply } from "../../src/testing/index.ts";
import { LONG, rows } from "../support/long.ts";
import { tempDir } from "../support/rehearse.ts";
import { DOCUMENT, grow, isDocumentRound, isSuccessor, main, SPEC, stage, sub } from "../support/stage.ts";

const TOO_LONG = apiError(400, "prompt is too long: 208310 tokens > 200000 maximum");
const documentOf = (workspace: string): string =>
  readFileSync(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
const factsOf = (workspace: string): string => {
  const document = documentOf(workspace);
  return document.slice(document.indexOf("## Facts"));
};

describe("what a session found out before an overflow", () => {
  const send = (part: string): ReturnType<typeof call> =>
    call("Agent", { description: part, prompt: part, subagent_type: "worker" });

  // The session itself goes on from a shrunk history; its facts come from what really happened.
  const WAYS: [boolean, boolean, string][] = [
    [true, true, "is in the facts of its document"],
    [false, true, "is in a degraded document"],
    [false, false, "is handed over without a workbench too"],
  ];
  it.each(rows(WAYS, ([written, workbench]) => written && workbench))(
    "written %j, workbench %j: %s",
    async (written, workbench) => {
      const { runtime, workspace, rehearsal } = await stage(
        [
          main((request): FixedReply => {
            if (isSuccessor(request)) return say("finished");
            if (isDocumentRound(request)) return written ? say(DOCUMENT) : TOO_LONG;
            const { turnCount } = request;
            return turnCount < 3
              ? together(send(`part ${turnCount}-a`), send(`part ${turnCount}-b`))
              : TOO_LONG;
          }),
          sub(({ firstUserText }) =>
            say(`RESULT OF ${/part \d-\w/.exec(firstUserText)?.[0]} is here\n${"evidence ".repeat(150)}`),
          ),
        ],
        { workbench, handoff: { enabled: true, window: 200_000 } },
      );
      const spec = coordinator("work", "", { worker: worker("works", "You work.") });
      const result = await runtime.run(spec, "do it");
      expect(result.generations).toMatchObject([{ reason: "overflow", degraded: !written }]);
      const last = rehearsal.journal.length - 1;
      const inherited = workbench ? documentOf(workspace) : JSON.stringify(rehearsal.body(last).messages);
      for (const part of ["0-a", "0-b", "1-a", "1-b", "2-a", "2-b"])
        expect(inherited).toContain(`RESULT OF part ${part} is here`);
      expect(inherited).not.toContain("left out to make room");
    },
    60_000,
  );
});

describe("the facts of a handoff", () => {
  it("hold no part of a secret that was cut, and stay short when secrets are taken out", async () => {
    const workspace = await tempDir();
    const token = `q7${"Zx9".repeat(14)}`;
    const short = Array.from({ length: 200 }, (_, i) => `p${String(i).padStart(3, "0")}x!k`);
    // Not the name of a secret: nothing takes it out before the document is made.
    const env = [`FIXTURE=${token}`, ...short.map((value, i) => `S${i}_KEY=${value}`)].join("\n");
    writeFileSync(join(workspace, ".env"), env);
    const writes = Array.from({ length: 30 }, (_, i) =>
      call("Write", {
        file_path: join(workspace, "out", `f${i}-${short.slice(i * 6, i * 6 + 6).join("-")}.txt`),
        content: "x",
      }),
    );
    const { runtime } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          if (isSuccessor(request)) return say("finished");
          if (request.turnCount > 0) return grow;
          const failing = `true ${"y".repeat(43)} --token=${token}; exit 3`;
          return together(call("Bash", { command: failing }), ...writes);
        }),
      ],
      { workspace, handoff: { enabled: true, window: 200_000, headroom: 150_000 }, spillThreshold: 0 },
    );
    expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true });
    const facts = factsOf(workspace);
    expect(facts).toContain("exit code 3");
    expect(facts.length).toBeLessThanOrEqual(4_000);
    expect(documentOf(workspace)).not.toContain(token.slice(0, 12));
  }, 60_000);

  it("are no way out for a secret in the task of a degraded document", async () => {
    const workspace = await tempDir();
    const token = `q7${"Zx9".repeat(14)}`;
    writeFileSync(join(workspace, ".env"), `DEPLOY_TOKEN=${token}\n`);
    const { runtime } = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say("no");
          return isSuccessor(request) ? say("finished") : grow;
        }),
      ],
      { workspace, handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 },
    );
    const result = await runtime.run(SPEC, `${"x".repeat(1_165)} ${token} do it`);
    expect(result.generations).toMatchObject([{ degraded: true }]);
    expect(documentOf(workspace)).not.toContain(token.slice(0, 12));
  }, 60_000);

  it("name files that commands wrote where no repository tells of them", async () => {
    const workspace = await tempDir();
    writeFileSync(join(workspace, "old.txt"), "x");
    utimesSync(join(workspace, "old.txt"), 1_000, 1_000);
    mkdirSync(join(workspace, "src/deep"), { recursive: true });
    mkdirSync(join(workspace, "node_modules"));
    for (const name of ["src/deep/made.txt", "node_modules/x.js"]) writeFileSync(join(workspace, name), "x");
    // Fails when such a link ends the handoff.
    symlinkSync("itself", join(workspace, "itself"));
    const { facts } = await collectFacts({
      workspace,
      env: process.env,
      workbench: undefined,
      transcript: { main: [{ type: "user", timestamp: "2020-01-01T00:00:00Z" }], subagents: [] },
      generation: 1,
      redact: (text) => text,
    });
    expect(facts.filesWritten).toEqual([join(workspace, "src/deep/made.txt")]);
  });

  it.runIf(LONG)(
    "name HEAD also where the status is longer than a pipe takes at once, and artifacts in folders",
    async () => {
      const workspace = await tempDir();
      const git = (...args: string[]): void => void execFileSync("git", args, { cwd: workspace });
      git("init", "-q");
      git(
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.c",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "first light",
      );
      for (let i = 0; i < 9_000; i += 1) writeFileSync(join(workspace, `${"n".repeat(120)}-${i}`), "");
      const root = join(workspace, ".flower");
      const paths = Object.fromEntries(
        ["scripts", "artifacts", "notes", "spill"].map((name) => [name, join(root, name)]),
      );
      mkdirSync(join(root, "artifacts/deep"), { recursive: true });
      mkdirSync(join(root, "notes/archive/handoff"), { recursive: true });
      for (const name of ["artifacts/deep/a.txt", "notes/archive/handoff/old.md"])
        writeFileSync(join(root, name), "x");
      const { facts } = await collectFacts({
        workspace,
        env: process.env,
        workbench: { root, index: join(root, "INDEX.md"), ...paths } as never,
        transcript: { main: [{ type: "user", timestamp: "2020-01-01T00:00:00Z" }], subagents: [] },
        generation: 1,
        redact: (text) => text,
      });
      expect(facts.git?.head).toContain("first light");
      expect(facts.git?.status.length).toBeGreaterThan(1_048_576);
      expect(facts.artifactsAdded).toEqual([join(root, "artifacts/deep/a.txt")]);
      expect(facts.notesAdded).toEqual([]);
    },
    60_000,
  );
});

// Fails when the lineage does not carry the generation: then every run counts from 1 again.
it.runIf(LONG)(
  "generations are counted over runs, and a generation's facts reach back to its beginning",
  async () => {
    const script = main((request): FixedReply => {
      if (isDocumentRound(request)) return say(DOCUMENT);
      return /^You are taking over/.test(request.lastUserText) ? say("finished") : grow;
    });
    const first = await stage([script], { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 });
    const { workspace } = first;
    const { sessionId = "" } = await first.runtime.run(SPEC, "do it");
    await first.runtime.close();
    expect(first.runtime.lineage.get("work")).toMatchObject({ sessionId, generation: 2 });
    await writeFile(join(workspace, ".flower/artifacts/early.txt"), "made before the second run");

    const second = await stage([script], {
      handoff: { enabled: true, window: 60_000 },
      spillThreshold: 0,
      workspace,
    });
    const result = await second.runtime.run(SPEC, "go on", { resume: sessionId });
    expect(result).toMatchObject({ ok: true, text: "finished", retired: [sessionId] });
    const document = await readFile(join(workspace, ".flower/notes/handoff-work.md"), "utf8");
    expect(document).toContain("Generation: 2");
    expect(document).toContain("early.txt");
    expect(second.runtime.lineage.get("work")).toMatchObject({ generation: 3, handoff: "started" });
  },
  60_000,
);
