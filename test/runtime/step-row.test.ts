import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { StepResult } from "../../src/runtime/contract.ts";
import type { Manifest } from "../../src/runtime/manifest.ts";
import { StepRow } from "../../src/runtime/step-row.ts";
import { call, say } from "../../src/testing/index.ts";
import { main, SPEC, stage } from "../support/stage.ts";

afterEach(() => void vi.useRealTimers());

// Fails when a figure that comes soon after another is only written with the next: a run may wait for hours after it.
it("a row is at most five seconds behind, whether or not anything follows; nothing follows the last", () => {
  vi.useFakeTimers();
  const costs: number[] = [];
  const manifest = { write: ({ result }: { result: StepResult }) => void costs.push(result.costUsd) };
  const row = new StepRow({
    manifest: manifest as unknown as Manifest,
    run: "r",
    step: "s",
    onProblem: () => undefined,
  });
  const at = (costUsd: number, status = "running"): StepResult => ({ costUsd, status }) as StepResult;
  let now = 1;
  const look = (): StepResult => at(now);
  row.write(at(0));
  row.refresh(look);
  vi.advanceTimersByTime(4_000);
  now = 2;
  row.refresh(look);
  expect(costs).toEqual([0]);
  vi.advanceTimersByTime(1_000);
  expect(costs).toEqual([0, 2]);
  row.refresh(look);
  row.write(at(3, "done"));
  vi.advanceTimersByTime(60_000);
  expect(costs).toEqual([0, 2, 3]);
});

// Fails when a snapshot has the figures of ended rounds alone: what a killed run did would cost and count nothing.
it("turns and tokens of the round under way are in the row", async () => {
  const { runtime, workspace } = await stage([main([call("Bash", { command: "echo x" }), say("done")])]);
  let row: unknown;
  const ran = runtime.run(SPEC, "do it", {
    onEvent: (event) => {
      if (event.type !== "toolResult") return;
      runtime.abandon();
      row = JSON.parse(readFileSync(join(workspace, "runs/manifest.json"), "utf8"));
    },
  });
  await ran;
  expect(row).toMatchObject([{ status: "killed-by-signal", numTurns: 1 }]);
  const [under] = row as StepResult[];
  expect(under?.tokens.main.output).toBeGreaterThan(0);
  // As full as it is, of what.
  expect(under?.context).toBeGreaterThan(0);
  expect(under?.window).toBe((await ran).window);
  const ended = JSON.parse(readFileSync(join(workspace, "runs/manifest.json"), "utf8")) as StepResult[];
  expect(ended).toMatchObject([{ status: "done", numTurns: 2 }]);
});
