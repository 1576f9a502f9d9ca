import { LOCALES } from "../../core/locale.ts";
import { HEADINGS } from "../../documents/wording.ts";
import type { RehearsalRequest } from "../request-view.ts";
import { call, say, together, type FixedReply, type MessageReply, type Scenario } from "../scenario.ts";
import { blocksOf } from "../wire.ts";
import { CONVERTER, CONVERTER_TESTS, FIX, FIX_TEST, JUDGE_TEST, NOTES } from "./converter-material.ts";

/** Marks in the roles' rules by which a request's speaker is recognised. */
const SPEAKERS = {
  clarifier: "# You clarify",
  goal: "# You set the goal",
  judge: "# You judge",
  coordinator: "# You coordinate",
} as const;

/** The question that the demo's clarifier asks, and its options. */
export const QUESTION = "Should a Markdown feature outside the notes (tables, images) be converted as well?";
export const QUESTION_OPTIONS = ["no, only what the notes list", "yes, as far as it is easy"] as const;

const BRIEF = `## Goal
A command-line converter from Markdown to HTML, md2html.mjs, in plain Node, for people who publish field notes.

## Acceptance criteria
\`node md2html.mjs sample.md\` prints HTML; its own tests pass with \`node --test\`; markup in the source never reaches the output unescaped.

## Boundaries
No dependencies. Only the syntax that notes/syntax.md lists. sample.md and the notes stay as they are.

## Unknowns and assumptions
Line breaks inside a paragraph become spaces.`;

const GOAL = `## Goal
md2html.mjs turns the notes' Markdown into HTML, is tested, and escapes whatever HTML would take for markup.

## Checks
- check 1: run \`node md2html.mjs sample.md\`, see a heading, a list, a code block and strong text as HTML
- check 2: run \`node --test md2html.test.mjs\`, see exit code 0
- check 3: run \`node md2html.mjs sample.md\`, see no raw \`<b>\` anywhere, neither in text nor in code
- check 4: run \`node md2html.mjs nowhere.md\`, see exit code 1 and one line on standard error`;

const HANDOFF = `## Doing now
Building md2html.mjs and its tests; both are written by agents and lie in the workspace.

## Already decided
Plain Node without dependencies, because the brief says so. Only the syntax of notes/syntax.md: the person chose that when asked.

## Dead ends
Replacing inline code before escaping: the escaping then ran twice over it. Code spans are put aside first and put back last.

## Next step
Run everything once more: send an agent to run \`node --test md2html.test.mjs\` and \`node md2html.mjs sample.md\`, and look at the sample's output.

## Scene
md2html.mjs, md2html.test.mjs, sample.md, notes/syntax.md, notes/examples.md`;

/** Task briefs by what they begin with; workers are recognised by them. */
const TASKS = {
  converter: "Write md2html.mjs",
  tests: "Write md2html.test.mjs",
  check: "Run everything",
  fix: "Fix the escaping",
} as const;

function agent(description: string, prompt: string): MessageReply {
  return call("Agent", { description, prompt, subagent_type: "worker" });
}

/** Names and descriptions of the calls that the tool results of this request answer. */
function answeredCalls(request: RehearsalRequest): string[] {
  const last = request.messages.findLast((message) => message.role === "assistant");
  return blocksOf(last?.content ?? []).flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const input = block["input"] as { description?: string };
    return [`${String(block["name"])} ${input.description ?? ""}`];
  });
}

function clarifier(request: RehearsalRequest): FixedReply {
  return request.toolResults.length === 0
    ? call("mcp__flower__ask", { question: QUESTION, options: [...QUESTION_OPTIONS] })
    : say(BRIEF);
}

function judge(request: RehearsalRequest): FixedReply {
  const [result] = request.toolResults;
  if (result === undefined)
    return call("Bash", {
      command: `cat > judge.test.mjs <<'EOF'\n${JUDGE_TEST}EOF\nnode --test --test-reporter=tap judge.test.mjs`,
      description: "Run every check in the copy",
    });
  const failed = [...result.text.matchAll(/^not ok \d+ - (.*)$/gm)].map((match) => match[1] ?? "");
  const passed = /^# fail 0$/m.test(result.text);
  if (passed)
    return say(
      "## Conclusion\nachieved\n\n## Reason\nA test of my own runs all four checks; all four pass.\n\n## Failed\n(empty)",
    );
  return say(
    `## Conclusion\nnot yet\n\n## Reason\nA test of my own runs all four checks; what fails is below.\n\n## Failed\n${(failed.length > 0 ? failed : ["the checks could not be run"]).map((line) => `- ${line}`).join("\n")}`,
  );
}

const CHECK = agent(
  "Run everything",
  `${TASKS.check}: the tests and the converter on sample.md and the notes. Accepted when the tests pass and each file gives HTML. Report exit codes.`,
);

function coordinator(request: RehearsalRequest): FixedReply | undefined {
  const { lastUserText } = request;
  if (request.toolResults.length === 0) {
    if (/check 3/.test(lastUserText) && /not yet|fail/i.test(lastUserText) && request.turnCount > 0)
      return together(
        say(
          "The verdict is right: code blocks are not escaped. Sending an agent to fix that and to test it.",
        ),
        agent(
          "Fix the escaping",
          `${TASKS.fix} in md2html.mjs: lines of a code block reach the output as they are. Accepted when a new test in md2html.test.mjs shows \`<b>\` in a code block as \`&lt;b&gt;\` and all tests pass.`,
        ),
      );
    if (lastUserText.includes("Run everything once more"))
      return together(
        say("Taking over from the document. A look at the disk first."),
        call("Bash", {
          command: "ls -la && git status -s 2>/dev/null | head -5",
          description: "Look around",
        }),
      );
    if (request.turnCount > 0)
      return say("Everything the goal asks for is in the workspace; nothing is left to do.");
    return together(
      say("First the notes, then the work goes out in two parts."),
      ...Object.keys(NOTES).map((path) => call("Read", { file_path: path })),
    );
  }
  const calls = answeredCalls(request);
  if (calls.some((name) => name.startsWith("Read")))
    return together(
      say("Converter and tests do not depend on each other: two agents, side by side."),
      agent(
        "Write the converter",
        `${TASKS.converter} in the workspace root: a converter for the syntax of notes/syntax.md with \`export function convert(markdown)\` and a command line. Accepted when \`node md2html.mjs sample.md\` prints HTML.`,
      ),
      agent(
        "Write the tests",
        `${TASKS.tests} in the workspace root with node:test, one test for each example of notes/examples.md that is about text outside code blocks, and some for code blocks. md2html.mjs is being written meanwhile. Accepted when they pass against it.`,
      ),
    );
  if (calls.includes("Agent Fix the escaping"))
    return say(
      "Code blocks are escaped now, with a test for it; all 15 tests pass.\n\nMade: md2html.mjs, md2html.test.mjs.",
    );
  if (calls.includes("Agent Run everything"))
    return say(
      "The converter and its tests are in the workspace; all 14 tests pass and the sample gives HTML.\n\nMade: md2html.mjs, md2html.test.mjs.",
    );
  return CHECK;
}

function report(conclusion: string, evidence: string, paths: string): MessageReply {
  return say(
    `Conclusion: ${conclusion}\nEvidence:\n1. ${evidence}\nOutput paths: ${paths}\nUnverified: nothing`,
  );
}

/** Waits for the other worker's file: the two really run side by side. */
const RUN_TESTS =
  "for i in $(seq 100); do [ -f md2html.mjs ] && break; sleep 0.1; done; node --test --test-reporter=tap md2html.test.mjs";

function worker(request: RehearsalRequest): FixedReply | undefined {
  const task = request.firstUserText;
  const turn = request.turnCount;
  if (task.includes(TASKS.converter))
    return [
      call("Write", { file_path: "md2html.mjs", content: CONVERTER }),
      call("Bash", { command: "node md2html.mjs sample.md", description: "Try it on the sample" }),
      report("done", "`node md2html.mjs sample.md` printed HTML, exit code 0", "md2html.mjs"),
    ][turn];
  if (task.includes(TASKS.tests))
    return [
      call("Write", { file_path: "md2html.test.mjs", content: CONVERTER_TESTS }),
      call("Bash", { command: RUN_TESTS, description: "Run the tests" }),
      report("done", "`node --test md2html.test.mjs`: 14 of 14 pass", "md2html.test.mjs"),
    ][turn];
  if (task.includes(TASKS.check))
    return [
      call("Bash", {
        command: `${RUN_TESTS} && for f in sample.md notes/*.md; do node md2html.mjs "$f"; done`,
        description: "Tests, then all documents",
      }),
      report("done", "tests: exit code 0; all documents: exit code 0 each", "none"),
    ][turn];
  if (task.includes(TASKS.fix))
    return [
      call("Read", { file_path: "md2html.mjs" }),
      call("Edit", { file_path: "md2html.mjs", old_string: FIX.oldText, new_string: FIX.newText }),
      call("Bash", {
        command: `cat >> md2html.test.mjs <<'EOF'\n${FIX_TEST}EOF\nnode --test --test-reporter=tap md2html.test.mjs`,
        description: "Add the test and run all",
      }),
      report("done", "`node --test md2html.test.mjs`: 15 of 15 pass", "md2html.mjs, md2html.test.mjs"),
    ][turn];
  return undefined;
}

const speaks = (mark: string) => (request: RehearsalRequest) =>
  !request.isSubagent && request.system.includes(mark);

/**
 * Whether the document is asked for: no other prompt names these sections without being the document itself. The
 * prompt comes behind the results of the batch that was cut, in one message (0.3.332).
 */
const asksForHandoff = ({ lastUserText }: RehearsalRequest): boolean =>
  LOCALES.some((locale) =>
    (["decided", "deadEnds", "scene"] as const).every((name) =>
      lastUserText.includes(HEADINGS.handoff[name][locale]),
    ),
  ) && !lastUserText.includes("Run everything once more");

/**
 * The demo's play: a Markdown-to-HTML converter is clarified, given a goal, built by two workers side by side, handed
 * over once, rejected for a real defect, fixed and accepted. It keeps no state, so it also plays a run that is woken.
 */
export const converterScenario: Scenario = {
  name: "converter",
  actors: [
    { name: "worker", when: (request) => request.isSubagent, script: worker },
    { name: "clarifier", when: speaks(SPEAKERS.clarifier), script: clarifier },
    { name: "goal", when: speaks(SPEAKERS.goal), script: () => say(GOAL) },
    { name: "judge", when: speaks(SPEAKERS.judge), script: judge },
    {
      name: "coordinator",
      when: speaks(SPEAKERS.coordinator),
      script: (request) => (asksForHandoff(request) ? say(HANDOFF) : coordinator(request)),
    },
  ],
};
