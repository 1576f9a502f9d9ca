import type { Locale } from "../core/locale.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { visibleText } from "../core/visible-text.ts";
import type { Grants, PermissionRequest } from "../gate/gate.ts";
import type { AskOutcome, Fallthrough, HumanChannel } from "../human/channel.ts";
import { readPermission } from "./permission-answer.ts";
import { PERMISSION_TEXTS } from "./permission-texts.ts";
import { DO_WITHOUT, PERSON_SAYS_NO } from "./prompts.ts";

/** What came of a request. `words`: the reason holds the person's own. */
export type PermissionOutcome = { allow: true } | { allow: false; reason: string; words: boolean };

/** What a desk is made of. */
export interface PermissionDeskOptions {
  /** Undefined = nobody is there. */
  channel: HumanChannel | undefined;
  locale: Locale;
  /** Takes credentials out of what is shown and logged. */
  redact(text: string): string;
}

/** The longest input of a tool that is shown, characters. Commands and paths are shown whole. */
const INPUT_CHARS = 4_000;

/**
 * Puts calls to the person, one at a time, and remembers what is allowed for the run. These questions come from the
 * harness's need, not from the model's doubts, so the quota of questions does not count them.
 */
export class PermissionDesk {
  readonly #options: PermissionDeskOptions;
  readonly #grants = new Set<string>();
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: PermissionDeskOptions) {
    this.#options = options;
  }

  /** What the person has allowed for the run. */
  get grants(): Grants {
    return this.#grants;
  }

  /**
   * Waits for those in front, then for the person. A grant that is given meanwhile is taken without a question.
   * `isOff`: the call will not be made any more. Nobody there, no answer in time and a skipped question are a no.
   * @throws FlowerError `aborted` when `signal` is: the session that made the call has gone.
   */
  async ask(
    call: ToolCall,
    request: PermissionRequest,
    { isOff, signal }: { isOff(): boolean; signal?: AbortSignal | undefined },
  ): Promise<PermissionOutcome> {
    const answer = this.#line.then(async () => {
      if (this.#grants.has(request.key)) return ALLOWED;
      return isOff() ? refused("skipped") : this.#put(call, request, signal);
    });
    this.#line = answer.catch(() => undefined);
    return answer;
  }

  async #put(
    call: ToolCall,
    request: PermissionRequest,
    signal: AbortSignal | undefined,
  ): Promise<PermissionOutcome> {
    const { once, run, no } = PERMISSION_TEXTS[this.#options.locale];
    const outcome = await this.#options.channel?.ask(this.#question(call, request), [once, run, no], {
      permission: true,
      ...(signal === undefined ? {} : { signal }),
    });
    return this.#take(request, outcome ?? { fallthrough: "nobody" });
  }

  #take(request: PermissionRequest, outcome: AskOutcome): PermissionOutcome {
    if ("fallthrough" in outcome) return refused(outcome.fallthrough);
    const answer = readPermission(outcome.answer);
    if (answer.allow === false) {
      const { words } = answer;
      return words === undefined
        ? { allow: false, reason: `The person said no. ${DO_WITHOUT}`, words: false }
        : { allow: false, reason: `${PERSON_SAYS_NO} ${words}`, words: true };
    }
    if (answer.allow === "run") this.#grants.add(request.key);
    return ALLOWED;
  }

  /** What is asked about stands behind a bar, so that no line of it passes for one of flower's. */
  #question({ agentType }: ToolCall, { kind, tool, what, where }: PermissionRequest): string {
    const { locale, redact } = this.#options;
    const { asks, directory, covers } = PERMISSION_TEXTS[locale];
    const show = (text: string): string => visibleText(redact(text));
    const inLine = (text: string): string => show(text).replaceAll("\n", "\\u{a}");
    const whole = show(what);
    const left = kind === "tool" ? whole.length - INPUT_CHARS : 0;
    const shown = left > 0 ? `${whole.slice(0, INPUT_CHARS)} … (+${left})` : whole;
    return [
      asks(agentType === undefined ? undefined : inLine(agentType), kind, inLine(tool)),
      ...(where === undefined ? [] : [`${directory}: ${inLine(where)}`]),
      ...shown.split("\n").map((line) => `| ${line}`),
      `(${covers[kind]})`,
    ].join("\n");
  }
}

const ALLOWED: PermissionOutcome = { allow: true };

const WHY: Readonly<Record<Fallthrough, string>> = {
  nobody: "This needs the person's permission, and nobody is there to give it.",
  timeout: "This needs the person's permission, and nobody answered in time.",
  skipped: "This needs the person's permission, and they did not give it.",
  quota: "This needs the person's permission, and no question is left.",
};

function refused(why: Fallthrough): PermissionOutcome {
  return { allow: false, reason: `${WHY[why]} ${DO_WITHOUT}`, words: false };
}
