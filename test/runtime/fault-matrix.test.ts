import { describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { HumanChannel } from "../../src/human/channel.ts";
import { coordinator, worker } from "../../src/roles/roles.ts";
import {
  apiError,
  call,
  drop,
  hang,
  say,
  type Actor,
  type FixedReply,
  type RehearsalRequest,
} from "../../src/testing/index.ts";
import type { StarterParts } from "../../src/workflow/context.ts";
import { judgeRound } from "../../src/workflow/verdict.ts";
import { LONG } from "../support/long.ts";
import {
  DOCUMENT,
  FAST,
  grow,
  isDocumentRound,
  isSuccessor,
  main,
  SPEC,
  stage,
  sub,
} from "../support/stage.ts";

/** What a fault is, wherever it strikes. */
type Kind = "transient" | "limit" | "account" | "overflow" | "silence";

const FAULTS: ReadonlyArray<[string, Kind, () => FixedReply]> = [
  ["a stream that breaks", "transient", () => drop()],
  ["an overload", "transient", () => apiError(529, "Overloaded")],
  ["a server error", "transient", () => apiError(500, "internal server error")],
  [
    "a rate limit",
    "transient",
    () => apiError(429, "rate limit exceeded", { headers: { "retry-after": "1" } }),
  ],
  [
    "a usage limit",
    "limit",
    () => apiError(429, `Claude AI usage limit reached|${Math.ceil(Date.now() / 1_000) + 1}`),
  ],
  ["a forbidden model", "account", () => apiError(403, "forbidden")],
  ["a refused key", "account", () => apiError(401, "invalid x-api-key")],
  ["an empty account", "account", () => apiError(400, "Your credit balance is too low to access the API")],
  ["an unknown model", "account", () => apiError(404, "model: claude-opus-5", { type: "not_found_error" })],
  ["an overflow", "overflow", () => apiError(400, "prompt is too long: 208310 tokens > 200000 maximum")],
  ["silence", "silence", () => hang()],
];

const PLACES = ["main thread", "subagent", "handoff round", "judge"] as const;
type Place = (typeof PLACES)[number];

/** Without FLOWER_LONG a part of the table that has each kind, and each place, several times. */
const ROWS = FAULTS.flatMap(([name, kind, reply], i) =>
  PLACES.flatMap((place, j) => (LONG || (i + 2 * j) % 7 === 0 ? [[name, place, kind, reply] as const] : [])),
);

/** Replies with the fault: once to flower, which is three times to the harness where it tries again by itself. */
function faulty(
  kind: Kind,
  place: Place,
  fault: () => FixedReply,
  sound: (request: RehearsalRequest) => FixedReply,
) {
  let left = kind === "transient" || (kind === "limit" && place === "subagent") ? 3 : 1;
  return (request: RehearsalRequest, strikes = true): FixedReply => {
    if (!strikes || left === 0) return sound(request);
    // An account stays refused.
    if (kind !== "account") left -= 1;
    return fault();
  };
}

const resilience = { ...FAST, limitPollMs: 300, limitJitterMs: 50, silenceMs: 5_000 };
const team = coordinator("work", "", { worker: worker("works", "You work.") });
const send = call("Agent", { description: "part", prompt: "part", subagent_type: "worker" });

/** The step's result, and all that its models were told. */
async function strike(place: Place, kind: Kind, fault: () => FixedReply) {
  const reply = faulty(kind, place, fault, (request) =>
    isDocumentRound(request) ? say(DOCUMENT) : say("done"),
  );
  const told: string[] = [];
  const note = (actor: Actor): Actor => ({
    ...actor,
    script: (request: RehearsalRequest) => {
      told.push(JSON.stringify(request.messages));
      return typeof actor.script === "function" ? actor.script(request) : undefined;
    },
  });
  const actors: Partial<Record<Place, Actor[]>> = {
    "main thread": [
      main((request) => {
        if (isDocumentRound(request)) return say(DOCUMENT);
        if (isSuccessor(request)) return say("done");
        return request.turnCount === 0 ? call("Bash", { command: "echo before" }) : reply(request);
      }),
    ],
    subagent: [
      main((request) => (request.turnCount === 0 ? send : say("done"))),
      sub((request) => (request.turnCount === 0 ? call("Bash", { command: "echo half" }) : reply(request))),
    ],
    "handoff round": [
      main((request) => {
        if (isSuccessor(request)) return say("done");
        return isDocumentRound(request) ? reply(request) : grow;
      }),
    ],
  };
  const { runtime, seen } = await stage((actors[place] ?? []).map(note), {
    resilience,
    ...(place === "handoff round" ? { handoff: { enabled: true, window: 60_000 }, spillThreshold: 0 } : {}),
  });
  const result = await runtime.run(place === "subagent" ? team : SPEC, "do it");
  return { result, told, runtime, seen };
}

describe("a fault in the main thread, a subagent or the handoff round", () => {
  it.each(ROWS.filter(([, place]) => place !== "judge"))(
    "%s: %s",
    async (name, place, kind, fault) => {
      const { result, told } = await strike(place, kind, fault);
      // Whatever it was, no model reads the API's words for it, but of what became of a subagent.
      if (place !== "subagent")
        expect(told.join("\n")).not.toMatch(/Overloaded|internal server|usage limit|x-api-key/);
      // A slow machine may be silent once more.
      const tries: unknown = kind === "silence" ? expect.toBeOneOf([2, 3]) : kind === "transient" ? 2 : 1;
      if (place === "subagent") {
        // The harness's own tries are used up; the coordinator hears of it, and can send it again.
        if (kind === "silence") expect(result).toMatchObject({ ok: true, text: "done", attempts: tries });
        else expect(result).toMatchObject({ ok: true, text: "done", attempts: 1 });
        expect(told.at(-1), name).toMatch(/did not finish|interrupted/);
      } else if (kind === "account") {
        expect(result).toMatchObject({ ok: false, status: "failed", attempts: 1, retired: [] });
        expect(result.error).toMatch(/check the key|add credit|ANTHROPIC_MODEL/);
      } else if (place === "handoff round") {
        expect(result).toMatchObject({ ok: true, text: "done", generations: [{ degraded: false }] });
      } else if (kind === "overflow") {
        expect(result).toMatchObject({ ok: true, text: "done", attempts: 1 });
        expect(result.generations).toMatchObject([{ reason: "overflow", degraded: false }]);
      } else {
        expect(result).toMatchObject({ ok: true, text: "done", attempts: tries, retired: [] });
      }
    },
    60_000,
  );
});

describe("a fault while a judge rules", () => {
  it.each(ROWS.filter(([, place]) => place === "judge"))(
    "%s (%s)",
    async (_name, _place, kind, fault) => {
      const reply = faulty(kind, "judge", fault, (request) =>
        isDocumentRound(request)
          ? say(DOCUMENT)
          : say("## Conclusion\nachieved\n\n## Reason\nit runs\n\n## Failed\nnone"),
      );
      const { runtime } = await stage([main((request) => reply(request))], { resilience });
      const { workbench } = runtime;
      if (workbench === undefined) throw new Error("the stage has a workbench");
      const parts: StarterParts = {
        host: runtime,
        workbench,
        channel: new HumanChannel({ timeoutMs: 0 }),
        locale: "en",
      };
      const context = {
        request: "x",
        brief: Brief.parse("## Goal\nx").toMarkdown("en"),
        goal: Goal.parse("## Goal\nx\n\n## Checks\n- it runs"),
        verdicts: [],
      };
      const ruling = await judgeRound(
        parts,
        { runDir: runtime.options.runDir },
        context,
        "work·verdict#1",
        [],
      );
      if (kind === "account") expect(ruling).toHaveProperty("notJudged");
      else expect(ruling).toMatchObject({ verdict: { conclusion: "achieved" } });
    },
    60_000,
  );
});
