import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { textsFor } from "../../src/cli/texts.ts";
import type { Event } from "../../src/core/events.ts";
import type { AgentSpec } from "../../src/core/spec.ts";
import { clarifier, coordinator, judge, worker } from "../../src/roles/roles.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import {
  call,
  collectEvents,
  say,
  startRehearsal,
  together,
  type EventCollector,
  type RehearsalRequest,
} from "../../src/testing/index.ts";
import {
  ALLOWED,
  COORDINATOR_REFUSED,
  NOT_ENFORCED,
  READER_REFUSED,
  REFUSED,
  rowName,
  SAYS,
  SECOND_NET,
  type AllowedRow,
  type Row,
  type ToolUse,
} from "./permissions-harness-rows.ts";
import { changes, fill, makeStage, SECRET, snapshot } from "./permissions-harness-stage.ts";

/** An upper guard for a session on a machine that is busy, not a measurement. */
const LIMIT_MS = 120_000;

/** What came of a row. */
interface Outcome {
  denied: boolean;
  isError: boolean;
  text: string;
  /** Whether the calls that only prepare came through. */
  prepared: readonly boolean[];
  /** What the turn of its last call changed on the stage; the rows of a turn share it, `denied` tells which it was. */
  changed: readonly string[];
  leaves: Readonly<Record<string, string>>;
}

type Play = ReadonlyMap<Row, Outcome>;

/** Rows with the turns in which their calls are made. */
interface Part {
  readonly rows: readonly Row[];
  readonly turns: ReadonlyArray<readonly ToolUse[]>;
}

/** A turn is what takes time, so calls share one; rows that may do nothing never share one with those that may. */
const CALLS_A_TURN = 12;

const lastCall = (row: Row): ToolUse[] => row.calls.slice(-1);

function inChunks(rows: readonly Row[]): Part {
  const asked = rows.flatMap(lastCall);
  const starts = asked.map((_, i) => i).filter((i) => i % CALLS_A_TURN === 0);
  const preparing = rows.flatMap((row) => row.calls.slice(0, -1));
  return {
    rows,
    turns: [preparing, ...starts.map((i) => asked.slice(i, i + CALLS_A_TURN))].filter(
      (turn) => turn.length > 0,
    ),
  };
}

const joined = (...parts: readonly Part[]): Part => ({
  rows: parts.flatMap(({ rows }) => rows),
  turns: parts.flatMap(({ turns }) => turns),
});

/** A conversation that goes through the turns and then says that it is done. */
function conversation({ rows, turns }: Part, base: string) {
  const seen: Array<Map<string, string>> = [];
  const leaves = new Map<Row, Record<string, string>>();
  const stageBefore = (turn: number): Map<string, string> => {
    const stage = seen[turn];
    if (stage === undefined) throw new Error(`turn ${turn} never came`);
    return stage;
  };
  const turnOf = (row: Row): number =>
    turns.findIndex((turn) => lastCall(row).some((use) => turn.includes(use)));
  return {
    answer({ turnCount }: RehearsalRequest) {
      seen[turnCount] = snapshot(base);
      for (const row of rows) if (turnOf(row) === turnCount - 1) leaves.set(row, leftBy(row, base));
      const uses = turns[turnCount];
      if (uses === undefined) return say("done");
      return together(
        ...uses.map(({ name, input }) =>
          call(name, Object.fromEntries(Object.entries(input).map(([key, text]) => [key, fill(text, base)]))),
        ),
      );
    },
    /** @param results in the order of the calls. */
    outcomes(results: readonly ToolResult[]): Play {
      const order = turns.flat();
      expect(results).toHaveLength(order.length);
      const resultOf = (use: ToolUse): ToolResult | undefined => results[order.indexOf(use)];
      return new Map(
        rows.map((row) => {
          const [own, ...preparing] = row.calls.map(resultOf).reverse();
          const turn = turnOf(row);
          return [
            row,
            {
              denied: own?.denied === true,
              isError: own?.isError === true,
              text: own?.text ?? "",
              prepared: preparing.map((result) => result?.isError === false),
              changed: changes(stageBefore(turn), stageBefore(turn + 1)),
              leaves: leaves.get(row) ?? {},
            },
          ];
        }),
      );
    },
  };
}

function leftBy(row: Row, base: string): Record<string, string> {
  const wanted = Object.keys((row as Partial<AllowedRow>).leaves ?? {});
  return Object.fromEntries(
    wanted.map((name) => {
      const path = fill(name, base);
      return [name, existsSync(path) ? readFileSync(path, "utf8") : "(not there)"];
    }),
  );
}

type ToolResult = Extract<Event, { type: "toolResult" }>;

/** Results of one thread in the order of its calls: those of parallel calls come as they get done. */
function resultsOf(seen: EventCollector, ofSubagent: boolean): ToolResult[] {
  const results = new Map(seen.ofType("toolResult").map((event) => [event.id, event]));
  return seen
    .ofType("toolCall")
    .filter((event) => (event.agentId !== undefined) === ofSubagent)
    .flatMap(({ id }) => results.get(id) ?? []);
}

const START_WORKER: ToolUse = {
  name: "Agent",
  input: { description: "rows", prompt: "do them", subagent_type: "worker" },
};

/** Plays the rows in one session of the real harness; `sub` are those of its subagent. */
async function perform(
  spec: AgentSpec,
  parts: { main: Part; sub?: Part },
): Promise<{ main: Play; sub: Play; secretSeen: boolean; refusals: number }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "flower gate 花-")));
  // The real temp directory holds the whole stage: without one of its own nothing would be outside.
  vi.stubEnv("TMPDIR", join(base, "temp"));
  const starting: Part = { rows: [], turns: parts.sub === undefined ? [] : [[START_WORKER]] };
  const main = conversation(joined(parts.main, starting), base);
  const sub = conversation(parts.sub ?? joined(), base);
  const seen = collectEvents();
  const rehearsal = await startRehearsal({
    scenario: {
      name: "permissions",
      actors: [
        { name: "sub", when: (r) => r.isSubagent, script: (r) => sub.answer(r) },
        { name: "main", when: (r) => !r.isSubagent, script: (r) => main.answer(r) },
      ],
    },
  });
  try {
    await makeStage(base);
    const runtime = new Runtime({
      workspace: join(base, "ws"),
      workbench: true,
      handoff: false,
      // The gate alone is under test here: what it lets through is then really done.
      sandbox: "off",
      onEvent: seen.listener,
      env: {
        ...process.env,
        ...rehearsal.env,
        HOME: join(base, "home"),
        PATH: `${join(base, "bin")}:${process.env["PATH"] ?? ""}`,
        OTHER_SERVICE: SECRET,
        FLOWER_ENV: join(base, "flower.env"),
        npm_config_registry: "http://127.0.0.1:9/",
        npm_config_update_notifier: "false",
      },
    });
    try {
      const result = await runtime.run(spec, "do it");
      expect(result).toMatchObject({ ok: true, text: "done" });
      const said = JSON.stringify(rehearsal.journal.map((row) => rehearsal.body(row.index).messages));
      return {
        main: main.outcomes(resultsOf(seen, false)),
        sub: sub.outcomes(resultsOf(seen, true)),
        secretSeen: said.includes(SECRET),
        refusals: result.refusals,
      };
    } finally {
      await runtime.close();
    }
  } finally {
    await rehearsal.close({ check: false });
    vi.unstubAllEnvs();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

const named = <T extends Row>(rows: readonly T[]): Array<[string, T]> =>
  rows.map((row) => [rowName(row), row]);
const TABLE = joined(inChunks([...REFUSED, ...SECOND_NET]), inChunks([...ALLOWED, ...NOT_ENFORCED]));

const PLAIN: AgentSpec = {
  name: "work",
  instructions: "You do the work.",
  model: "claude-opus-5",
  allowedTools: ["Bash", "Read", "Write", "Edit", "Grep"],
};
const COORDINATOR: AgentSpec = {
  ...coordinator("work", "", { worker: worker("works", "You work.") }),
  model: "claude-opus-5",
};

const isRefused = (outcome: Outcome | undefined, [why, instead]: readonly [RegExp, RegExp]): void => {
  expect(outcome).toMatchObject({ denied: true, isError: true, changed: [] });
  expect(outcome?.prepared).not.toContain(false);
  expect(outcome?.text).toMatch(why);
  expect(outcome?.text).toMatch(instead);
};

describe.each([
  { thread: "a main thread that works itself", spec: PLAIN },
  { thread: "a subagent of a coordinator", spec: COORDINATOR },
])("$thread", ({ spec }) => {
  let play: Awaited<ReturnType<typeof perform>>;
  let rows: Play;
  const delegates = spec.delegateOnly === true;
  beforeAll(async () => {
    play = await perform(
      spec,
      delegates ? { main: inChunks(COORDINATOR_REFUSED), sub: TABLE } : { main: TABLE },
    );
    rows = delegates ? play.sub : play.main;
  }, LIMIT_MS);

  it.each(named(REFUSED))("is refused %s", (_, row) => {
    isRefused(rows.get(row), SAYS[row.reason]);
  });

  it.each(named(SECOND_NET))("is refused by the harness's own settings %s", (_, row) => {
    expect(rows.get(row)).toMatchObject({ denied: false, isError: true, changed: [] });
    expect(rows.get(row)?.text).toMatch(/denied by your permission settings/);
  });

  it.each(named([...ALLOWED, ...NOT_ENFORCED]))("may do %s", (_, row) => {
    const outcome = rows.get(row);
    expect(outcome).toMatchObject({ denied: false, isError: false });
    for (const [place, text] of Object.entries(row.leaves)) expect(outcome?.leaves[place]).toContain(text);
  });

  it("never saw what the credential files hold, and its refusals were counted", () => {
    expect(play.secretSeen).toBe(false);
    expect(play.refusals).toBe(REFUSED.length + (delegates ? COORDINATOR_REFUSED.length : 0));
  });

  if (delegates)
    it.each(named(COORDINATOR_REFUSED))("does for its coordinator, who is refused %s", (_, row) => {
      isRefused(play.main.get(row), SAYS[row.reason]);
    });
});

describe.each([
  { role: "a clarifier", spec: clarifier() },
  { role: "a judge of a round that only reads", spec: judge({ mode: "verdict", run: false }) },
])("$role", ({ spec }) => {
  let play: Play;
  beforeAll(async () => {
    play = (await perform({ ...spec, model: "claude-opus-5" }, { main: inChunks(READER_REFUSED) })).main;
  }, LIMIT_MS);

  it.each(named(READER_REFUSED))("cannot do %s", (_, row) => {
    const outcome = play.get(row);
    // A tool that is not on its list is not even offered; the gate answers for those that are.
    expect(outcome).toMatchObject({ isError: true, changed: [] });
    expect(outcome?.prepared).not.toContain(false);
    expect(outcome?.text).toMatch(/No such tool available|not among your tools here|work for a worker/);
  });
});

it("what is not enforced is said on the page and in the start line", async () => {
  const page = await readFile(new URL("../../docs/guides/permissions.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("### What is NOT prevented"));
  expect(section).toContain("python3 -c");
  expect(section).toMatch(/script that a worker wrote/);
  expect(section).toMatch(/only the shell can work out/);
  expect(textsFor("en").notEnforced).toMatch(/writes elsewhere is not prevented/);
});
