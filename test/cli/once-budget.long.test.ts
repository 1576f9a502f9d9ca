import { expect, it } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { main } from "../support/stage.ts";

// Fails when the budget is the step's alone, or when nothing says how to go on.
it("once keeps its budget: says how much is used, stops, and prints the command that goes on", async () => {
  const workspace = await tempDir();
  const rehearsal = await rehearse({
    scenario: {
      name: "budget",
      actors: [
        main(({ turnCount, lastUserText }) =>
          lastUserText.includes("go on")
            ? say("went on")
            : turnCount < 40
              ? call("Bash", { command: "date +%N" })
              : say("done"),
        ),
      ],
    },
  });
  const env = personEnv(rehearsal, workspace);
  const { code, err } = await flower(["once", "do it", "-w", workspace, "--budget", "0.06"], env);
  expect(code).toBe(1);
  expect(err).toMatch(/% of the budget of \$0\.06/);
  const [, command = ""] =
    /go on with: flower (once --resume \S+ -w '.*' --budget 0\.12 "go on")/.exec(err) ?? [];
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  expect(await flower(words, env)).toMatchObject({ code: 0, out: "went on\n" });
}, 60_000);
