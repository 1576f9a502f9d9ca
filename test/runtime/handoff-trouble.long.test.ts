import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LearnedWindows } from "../../src/config/learned-windows.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import { learnedWindowsPath } from "../../src/runtime/window-book.ts";
import { apiError, call, say, together, type FixedReply } from "../../src/testing/index.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { LONG } from "../support/long.ts";
import {
  DOCUMENT,
  grow,
  isDocumentRound,
  isSuccessor,
  main,
  messagesText,
  SPEC,
  stage,
  sub,
} from "../support/stage.ts";

const handoff = { enabled: true, window: 60_000 };
/** Hands over once. */
const once = main((request): FixedReply => {
  if (isDocumentRound(request)) return say(DOCUMENT);
  return isSuccessor(request) ? say("finished") : grow;
});

describe("a handoff whose file has no place", () => {
  it.each([
    [
      "the archive is a file",
      (notes: string) => {
        writeFileSync(join(notes, "archive"), "a file");
        writeFileSync(join(notes, "handoff-work.md"), "older");
      },
      "handoff-work.md",
    ],
    ["a directory has its name", (notes: string) => mkdirSync(join(notes, "handoff-work.md")), undefined],
  ])(
    "happens all the same: %s",
    async (_what, prepare, file) => {
      const workspace = await tempDir();
      const notes = join(workspace, ".flower/notes");
      mkdirSync(notes, { recursive: true });
      prepare(notes);
      const { runtime, seen, rehearsal } = await stage([once], { workspace, handoff, spillThreshold: 0 });
      const result = await runtime.run(SPEC, "do it");
      expect(result).toMatchObject({ ok: true, text: "finished", generations: [{ degraded: false }] });
      expect(result.generations[0]?.path).toBe(file === undefined ? null : join(notes, file));
      expect(messagesText(rehearsal, rehearsal.journal.length - 1)).toContain("run the tests");
      expect(
        seen
          .ofType("system")
          .map(({ message }) => message)
          .join("\n"),
      ).toMatch(/kept as .*handoff-work\.md\.damaged-1|passed on without a file/);
      if (file !== undefined)
        expect(readFileSync(join(notes, "handoff-work.md.damaged-1"), "utf8")).toBe("older");
    },
    60_000,
  );

  it.each(LONG ? ["a/b", "../../../evil", "x".repeat(240)] : ["../../../evil"])(
    "is named after its step, also the second time: %s",
    async (stepName) => {
      let handoffs = 0;
      const { runtime, workspace } = await stage(
        [
          main((request): FixedReply => {
            if (isDocumentRound(request)) {
              handoffs += 1;
              return say(DOCUMENT);
            }
            return isSuccessor(request) && handoffs === 2 ? say("finished") : grow;
          }),
        ],
        { handoff, spillThreshold: 0 },
      );
      const result = await runtime.run(SPEC, "do it", { stepName });
      expect(result).toMatchObject({ ok: true, generations: [{}, {}] });
      const notes = join(workspace, ".flower/notes");
      expect(readdirSync(join(notes, "archive/handoff"))).toHaveLength(1);
      expect(readdirSync(notes).filter((name) => name.startsWith("handoff-"))).toHaveLength(1);
    },
    60_000,
  );
});

/** A call after which the context is said to have this many tokens. */
const grown = (n: number, tokens: number): FixedReply => ({
  ...call("Bash", { command: `echo ${n}` }),
  usage: { input_tokens: tokens, output_tokens: 10 },
});

it.runIf(LONG)(
  "gives the notice before the line once a generation, whatever faults come between",
  async () => {
    let requests = 0;
    const { runtime, seen } = await stage(
      [
        main((): FixedReply => {
          requests += 1;
          if (requests === 1) return grown(requests, 135_000);
          if (requests <= 4) return apiError(529, "Overloaded");
          return requests === 5
            ? grown(requests, 136_000)
            : { ...say("finished"), usage: { input_tokens: 137_000, output_tokens: 10 } };
        }),
      ],
      { handoff: { enabled: true, window: 200_000 } },
    );
    expect(await runtime.run(SPEC, "do it")).toMatchObject({ ok: true, attempts: 2 });
    expect(seen.ofType("handoff").map(({ phase }) => phase)).toEqual(["near"]);
  },
  60_000,
);

describe("a learned window", () => {
  /** Learned before the runtime begins; what the run leaves of it. */
  async function learned(window: number, policy: object, replies: readonly FixedReply[]) {
    const workspace = await tempDir();
    const endpoint = await rehearse({ scenario: { name: "learned", actors: [main([...replies])] } });
    const windows = LearnedWindows.open(learnedWindowsPath({ env: {}, home: workspace }));
    windows.learn(endpoint.url, "claude-opus-5", window);
    const options = { workspace, handoff: { enabled: true, ...policy } };
    const { runtime, seen } = await stage([], options, {}, endpoint.env);
    const result = await runtime.run(SPEC, "do it");
    const left = LearnedWindows.open(learnedWindowsPath({ env: {}, home: workspace }));
    const notices = seen.ofType("system").map(({ message }) => message);
    return { result, left: left.get(endpoint.url, "claude-opus-5"), notices: notices.join("\n") };
  }

  it("is raised by a larger request also where an option sets the window", async () => {
    const { result, left } = await learned(100_000, { window: 1_000_000 }, [grown(1, 350_000), say("done")]);
    expect(result.ok).toBe(true);
    expect(left).toBeGreaterThanOrEqual(350_000);
  }, 60_000);

  it("below what a session starts with is not believed, and that is said", async () => {
    const { result, left, notices } = await learned(9_000, {}, [grown(1, 15_000), say("done")]);
    expect(result).toMatchObject({ ok: true, text: "done", window: 1_000_000 });
    expect(left).toBeUndefined();
    expect(notices).toMatch(/learned window of 9000 .* \d+ that a session starts with: not believed/);
  }, 60_000);
});

it.runIf(LONG)(
  "does not offer a predecessor to a session that took nothing over",
  async () => {
    const spec = coordinator("work", "", { worker: worker("works", "You work.") });
    const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });
    const first = await stage(
      [
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT);
          return isSuccessor(request) ? say("finished") : together(send, send);
        }),
        sub(() => say("evidence ".repeat(900))),
      ],
      { handoff },
    );
    expect((await first.runtime.run(spec, "do it")).generations).toHaveLength(1);
    await first.runtime.close();
    const again = await stage([main(() => say("a new job"))], { workspace: first.workspace, handoff });
    await again.runtime.run(spec, "something else, from the beginning");
    expect(JSON.stringify(again.rehearsal.body(0).tools)).not.toContain("predecessor");
  },
  60_000,
);
