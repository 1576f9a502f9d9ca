import { errorText } from "../core/errors.ts";
import type { RehearsalRequest } from "./request-view.ts";
import type { Actor, FixedReply, Scenario } from "./scenario.ts";

/** What is answered, or why the scenario does not know. */
export type Cue = { reply: FixedReply; problem?: undefined } | { reply?: undefined; problem: string };

/** Gives each request to its actor and keeps track of how far the scripts have been played. */
export class Casting {
  readonly #scenario: Scenario;
  readonly #played = new Map<Actor, number>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** Name of the actor whose request this is; null when none takes it. */
  nameOf(request: RehearsalRequest): string | null {
    try {
      return this.#actorOf(request)?.name ?? null;
    } catch {
      return null;
    }
  }

  /** The answer to a request. Takes one step off the script. */
  cue(request: RehearsalRequest): Cue {
    let actor: Actor | undefined;
    try {
      actor = this.#actorOf(request);
      if (actor === undefined) return { problem: `no actor takes ${this.#describe(request)}` };
      const reply = this.#next(actor, request);
      if (reply !== undefined) return { reply };
    } catch (error) {
      const thrower = actor === undefined ? "the `when` of an actor" : `the script of actor "${actor.name}"`;
      return { problem: `${thrower} threw "${errorText(error)}" on ${this.#describe(request)}` };
    }
    const why =
      typeof actor.script === "function"
        ? `the script of actor "${actor.name}" has no answer to`
        : `all ${actor.script.length} steps of actor "${actor.name}" are used up, yet here is`;
    return { problem: `${why} ${this.#describe(request)}` };
  }

  /** One line for each script that was not played to its end. */
  leftovers(): string[] {
    return this.#scenario.actors.flatMap((actor) => {
      const steps = typeof actor.script === "function" ? 0 : actor.script.length;
      const played = this.#played.get(actor) ?? 0;
      return played < steps
        ? [`actor "${actor.name}": ${steps - played} of ${steps} steps were not played`]
        : [];
    });
  }

  #actorOf(request: RehearsalRequest): Actor | undefined {
    return this.#scenario.actors.find((actor) => actor.when(request));
  }

  #next(actor: Actor, request: RehearsalRequest): FixedReply | undefined {
    if (typeof actor.script === "function") return actor.script(request);
    const played = this.#played.get(actor) ?? 0;
    const step = actor.script[played];
    if (step !== undefined) this.#played.set(actor, played + 1);
    return typeof step === "function" ? step(request) : step;
  }

  #describe(request: RehearsalRequest): string {
    const who = request.isSubagent ? `subagent ${request.agentId ?? ""}` : "the main thread";
    const last =
      request.lastUserText === ""
        ? `${request.toolResults.length} tool results`
        : `"${request.lastUserText.slice(0, 200)}"`;
    const actors = this.#scenario.actors.map((actor) => actor.name).join(", ") || "none";
    return `a request of ${who} (${request.model}, turn ${request.turnCount + 1}, came with ${last}); actors: ${actors}`;
  }
}
