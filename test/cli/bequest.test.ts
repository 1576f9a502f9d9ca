import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say, type RehearsalRequest } from "../../src/testing/index.ts";
import { confirmBrief, flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main, sub } from "../support/stage.ts";

const asksForPart = ({ messages }: RehearsalRequest): boolean =>
  JSON.stringify(messages).includes("This run is over");

it("asks the work session in a copy without tools, and leaves the rest as it was", async () => {
  const workspace = await tempDir();
  const requests: RehearsalRequest[] = [];
  const rehearsal = await rehearse({
    scenario: {
      name: "bequest",
      actors: [
        sub(({ turnCount }) =>
          turnCount === 0
            ? call("Bash", { command: "sh .flower/scripts/gen.sh > out.txt", description: "generate" })
            : say("done"),
        ),
        main((request) => {
          requests.push(request);
          const [result] = request.toolResults;
          if (asksForPart(request))
            return result === undefined
              ? call("Agent", { description: "more", prompt: "go on", subagent_type: "worker" })
              : say(`## What this is\nA thing.\n\n## Dead ends\n- ${result.text}`);
          if (request.turnCount > 0 && result === undefined) return say("nothing left");
          return result === undefined
            ? call("Agent", { description: "make it", prompt: "make it", subagent_type: "worker" })
            : say("made it");
        }),
      ],
    },
  });
  const env = personEnv(rehearsal, workspace);
  await confirmBrief(workspace);
  await writeFile(join(workspace, "CLAUDE.md"), "# Mine\n");
  const script = join(workspace, ".flower/scripts/gen.sh");
  const args = ["-w", workspace, "--no-goal", "--timeout", "0", "--bequest"];
  await mkdir(join(script, ".."), { recursive: true });
  await writeFile(script, "# desc: makes the output\necho x\n");

  const ran = await flower(args, env);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).toMatch(/bequest written to .*AGENTS\.md, .*CLAUDE\.md/);
  // What the work came to is the result, not what was said at the end.
  expect(ran.out.trim()).toBe("made it");
  const text = readFileSync(join(workspace, "CLAUDE.md"), "utf8");
  expect(text).toMatch(/^# Mine\n\n<!-- flower:bequest begin -->\n/);
  expect(text).toContain("- A thing.\n");
  expect(text).toMatch(/### Dead ends\n\n- .*The run is over: no tools any more/);
  expect(text).toContain(
    "- `.flower/scripts/gen.sh` · makes the output · last run as `sh .flower/scripts/gen.sh > out.txt`\n",
  );

  const books = JSON.parse(readFileSync(join(workspace, "runs/manifest.json"), "utf8")) as Array<{
    step: string;
    status: string;
    sessionId: string;
    costUsd: number;
  }>;
  expect(books.map(({ step, status }) => [step, status])).toEqual([
    ["work", "done"],
    ["bequest", "done"],
  ]);
  const [work, bequest] = books;
  expect(bequest?.costUsd).toBeGreaterThan(0);
  expect(bequest?.sessionId).not.toBe(work?.sessionId);
  const lineage = readFileSync(join(workspace, "runs/lineage.json"), "utf8");
  expect(lineage).toContain(work?.sessionId);
  expect(lineage).not.toContain(bequest?.sessionId);
  // The API has the history in its cache as long as tools and rules are the same.
  const [first, ...rest] = requests;
  const asked = rest.find(asksForPart);
  expect(asked?.raw.tools).toEqual(first?.raw.tools);
  expect(asked?.system).toBe(first?.system);
}, 60_000);
