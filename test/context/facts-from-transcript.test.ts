import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factsFromTranscript } from "../../src/context/facts-from-transcript.ts";
import type { Entry } from "../../src/context/transcript.ts";
import { TranscriptParts } from "./transcript-parts.ts";

function persisted(name: string): Entry[] {
  const text = readFileSync(new URL(`../fixtures/persisted/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);
}

/** A thread in which every call is answered, one second after the other. */
class Thread extends TranscriptParts {
  #second: number;

  constructor(second = 0) {
    super();
    this.#second = second;
  }

  call(name: string, input: unknown, content: unknown, fields: object = {}): this {
    const id = `toolu_${name}_${this.entries.length}`;
    this.#second += 1;
    const timestamp = `2026-11-30T06:00:${String(this.#second).padStart(2, "0")}.000Z`;
    this.says(`msg_${id}`, { type: "tool_use", id, name, input });
    const block = { type: "tool_result", tool_use_id: id, content, ...fields };
    this.add({ type: "user", timestamp, message: { role: "user", content: [block] } });
    return this;
  }
}

const FRAME = "[Subagent hand-back] The text below is the final report of a subagent. The report follows:";
const framed = (...report: string[]): unknown => [
  {
    type: "text",
    text: [FRAME, ...report.map((line) => `  ${line}`), "agentId: a1", "<usage>tool_uses: 2</usage>"].join(
      "\n",
    ),
  },
];

const factsOf = (thread: Thread, ...subagents: Thread[]): ReturnType<typeof factsFromTranscript> =>
  factsFromTranscript(
    thread.entries,
    subagents.map(({ entries }) => entries),
  );

describe("the facts of a real session", () => {
  it("are its dispatch, and the command that failed", () => {
    expect(factsFromTranscript(persisted("main"), [persisted("subagent")])).toEqual({
      filesWritten: [],
      dispatches: [{ task: "Look around", report: "There is one file, a.txt." }],
      todos: [],
      lastFailure: { command: "ls missing", exit: "2" },
    });
  });
});

describe("files written", () => {
  it("are those of every thread and tool, once, at their last writing", () => {
    const main = new Thread()
      .call("Write", { file_path: "/w/a.ts" }, "ok")
      .call("Edit", { file_path: "/w/b.ts" }, "ok")
      .call("Read", { file_path: "/w/read.ts" }, "ok");
    const worker = new Thread(3)
      .call("NotebookEdit", { notebook_path: "/w/n.ipynb" }, "ok")
      .call("MultiEdit", { file_path: "/w/a.ts" }, "ok");
    expect(factsOf(main, worker).filesWritten).toEqual(["/w/b.ts", "/w/n.ipynb", "/w/a.ts"]);
  });

  it("stand in the order of time, whichever thread wrote them", () => {
    const main = new Thread(10).call("Write", { file_path: "late" }, "ok");
    const worker = new Thread().call("Write", { file_path: "early" }, "ok");
    expect(factsOf(main, worker).filesWritten).toEqual(["early", "late"]);
  });

  it("are none where the call failed, was refused or has no answer", () => {
    const main = new Thread().call("Write", { file_path: "/w/a" }, "no such folder", { is_error: true });
    main.says("m", { type: "tool_use", id: "denied", name: "Write", input: { file_path: "/w/b" } });
    main.denied("denied");
    main.says("m", { type: "tool_use", id: "open", name: "Write", input: { file_path: "/w/c" } });
    expect(factsOf(main).filesWritten).toEqual([]);
  });
});

describe("dispatches", () => {
  const REPORTS: ReadonlyArray<readonly [string, unknown, string]> = [
    ["framed", framed("Ported.", "More."), "Ported."],
    [
      "behind headings and labels",
      framed("## Report", "", "**Conclusion:**", "结论\uff1a", "It works."),
      "It works.",
    ],
    ["of nothing but a heading", framed("## Done"), "## Done"],
    [
      "that was spilled",
      framed("[9000 characters, 200 lines: the whole text is in /w/spill/1.txt; use Read]", "It works."),
      "It works.",
    ],
    ["with a label and text in one line", framed("Conclusion: it works"), "Conclusion: it works"],
    ["behind notes above the frame", `note\n${FRAME}\n  It works.\nagentId: a`, "It works."],
    ["without a frame", "It works.\nagentId: no", "It works."],
    ["that is empty", framed(), ""],
    ["that is no text", [{ type: "image" }], ""],
  ];

  it.each(REPORTS)("carry the first line of a report %s", (_name, content, report) => {
    const main = new Thread().call("Agent", { description: "Port it", prompt: "Long" }, content);
    expect(factsOf(main).dispatches).toEqual([{ task: "Port it", report }]);
  });

  it("stand in order, also those that failed or have no answer yet, but not those that were refused", () => {
    const main = new Thread()
      .call("Agent", { description: "One" }, 'Agent "One" failed: 529', { is_error: true })
      .call("Task", { prompt: "\nTwo in a prompt\nmore" }, framed("Done."));
    main.says("m", { type: "tool_use", id: "d", name: "Agent", input: { description: "Refused" } });
    main.denied("d");
    main.says("m", { type: "tool_use", id: "o", name: "Agent", input: { description: "Open" } });
    expect(factsOf(main).dispatches).toEqual([
      { task: "One", report: 'Agent "One" failed: 529' },
      { task: "Two in a prompt", report: "Done." },
      { task: "Open", report: "" },
    ]);
  });
});

describe("to-dos", () => {
  const todos = (...items: unknown[]): object => ({ todos: items });

  it("are the open ones of the last list in the main thread", () => {
    const main = new Thread()
      .call("TodoWrite", todos({ content: "old", status: "pending" }), "ok")
      .call(
        "TodoWrite",
        todos(
          { content: "a", status: "completed" },
          { content: " b ", status: "in_progress" },
          { content: "c", status: "pending" },
          { content: "" },
          null,
        ),
        "ok",
      )
      .call("TodoWrite", todos({ content: "bad", status: "pending" }), "invalid", { is_error: true });
    const worker = new Thread(20).call("TodoWrite", todos({ content: "its own", status: "pending" }), "ok");
    expect(factsOf(main, worker).todos).toEqual(["b", "c"]);
  });
});

describe("the last failing command", () => {
  it("is the latest of all threads, with its code", () => {
    const main = new Thread(5).call("Bash", { command: "npm test" }, "Exit code 1\nred", { is_error: true });
    const earlier = new Thread().call("Bash", { command: "make" }, "Exit code 2", { is_error: true });
    const later = new Thread(8).call("Bash", { command: "\ncd x\ntsc" }, "Exit code 143\nCommand timed out", {
      is_error: true,
    });
    expect(factsOf(main, earlier).lastFailure).toEqual({ command: "npm test", exit: "1" });
    expect(factsOf(main, earlier, later).lastFailure).toEqual({ command: "cd x\ntsc", exit: "143" });
  });

  it("is none that went well, was refused, or was stopped", () => {
    const main = new Thread()
      .call("Bash", { command: "echo" }, "Exit code 1")
      .call("Bash", { command: "sleep" }, "The tool use was rejected", { is_error: true })
      .call("Grep", { command: "x" }, "Exit code 2", { is_error: true });
    main.bash("m", "d", "rm");
    main.denied("d");
    expect(factsOf(main)).not.toHaveProperty("lastFailure");
  });
});

describe("odd transcripts", () => {
  it("never throw", () => {
    const odd = [
      null,
      7,
      {},
      { type: "assistant", message: null },
      { type: "assistant", message: { content: [null, { type: "tool_use", id: 3, name: {}, input: [] }] } },
      {
        type: "assistant",
        timestamp: 5,
        message: { content: [{ type: "tool_use", id: "a", name: "TodoWrite" }] },
      },
      {
        type: "assistant",
        message: { content: [{ type: "tool_use", id: "b", name: "constructor", input: {} }] },
      },
      {
        type: "assistant",
        message: { content: [{ type: "tool_use", id: "c", name: "Agent", input: null }] },
      },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "a", content: 5 }] } },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "b" }] } },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c", content: {} }] } },
    ] as unknown as Entry[];
    expect(factsFromTranscript(odd, [odd, []])).toEqual({
      filesWritten: [],
      dispatches: [],
      todos: [],
    });
  });
});
