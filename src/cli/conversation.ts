import { errorText } from "../core/errors.ts";
import type { HumanChannel } from "../human/channel.ts";
import type { HandoffReview } from "../runtime/contract.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { OracleQuestion } from "../workflow/oracle.ts";
import { addToBrief } from "../workflow/wake.ts";
import type { LineInput } from "./input.ts";
import { oracleAtTerminal } from "./oracle.ts";
import { reviewAtTerminal } from "./review.ts";
import type { Screen } from "./screen.ts";
import { obey, sendMessage, type TalkParts } from "./talk.ts";

/** What a conversation works with. */
export interface ConversationParts {
  channel: HumanChannel;
  screen: Screen;
  /** Another one may be opened before anything is said. */
  bench: () => Workbench;
  /** Where an oracle looks, and with which environment. */
  oracle: Pick<OracleQuestion, "workspace" | "runDir" | "env">;
  /** False: nobody is asked anything, also not at a Ctrl-C. */
  isAttended: boolean;
  /** Takes secrets out of what goes into a document. */
  redact(text: string): string;
  /** Ends the run as an interruption without words does. */
  interrupt(): void;
}

/** What a person says while a job runs, and what it changes besides the session's own reading. */
export interface Conversation {
  /** For {@link takeLines}. */
  readonly talk: TalkParts;
  /** What was said behind `/new`, which ends the run; undefined = it was not said. */
  readonly anew: string | undefined;
  /** The person is asked what should be made; nothing runs yet. */
  readonly isAsking: boolean;
  /** Runs what waits for the request. */
  asking(ask: () => Promise<string>): Promise<string>;
  /** The words of a Ctrl-C; undefined = none. A review of a handoff ends for them. */
  interruptionWords(lines: LineInput | undefined): Promise<string | undefined>;
  /** Lets the person look at a handoff document before its successor starts. */
  review(review: HandoffReview, options: { seconds: number; lines: LineInput }): Promise<void>;
  /** Ends an oracle that still looks. */
  close(): Promise<void>;
}

/** Opens it; nothing is asked or shown yet. */
export function openConversation(parts: ConversationParts): Conversation {
  const { channel, screen } = parts;
  const { locale } = screen;
  let anew: string | undefined;
  let isAsking = false;
  let interruption = new AbortController();
  const aside = new AbortController();
  let oracle: Promise<void> = Promise.resolve();

  const breakIn = (): void => {
    interruption.abort();
    interruption = new AbortController();
  };
  const talk: TalkParts = {
    channel,
    screen,
    startAnew(request) {
      anew = request;
      screen.say(`  ! ${screen.texts.startingAnew}`);
      breakIn();
      parts.interrupt();
    },
    isEnding: () => anew !== undefined,
    keepForNew(words) {
      if (anew === undefined) return false;
      anew = anew === "" ? words : `${anew}\n${words}`;
      return true;
    },
    addToBrief(words) {
      try {
        return addToBrief({ workbench: parts.bench(), locale }, parts.redact(words)) !== undefined;
      } catch (error) {
        screen.say(`  ! ${errorText(error)}`);
        return false;
      }
    },
    askOracle(question) {
      const { signal } = aside;
      oracle = oracleAtTerminal({
        ...parts.oracle,
        ...{ screen, locale, question, workbench: parts.bench(), signal },
      });
    },
  };

  return {
    talk,
    get anew() {
      return anew;
    },
    get isAsking() {
      return isAsking;
    },
    asking(ask) {
      isAsking = true;
      return ask().finally(() => (isAsking = false));
    },
    async interruptionWords(lines) {
      breakIn();
      if (!parts.isAttended) return undefined;
      for (;;) {
        screen.say(`  ! ${screen.texts.interruptPrompt}`);
        const line = await lines?.words();
        if (line === undefined || !obey(line, talk)) return line;
        if (anew !== undefined) return undefined;
      }
    },
    review: async (review, { seconds, lines }) =>
      reviewAtTerminal(review, {
        ...{ seconds, screen, lines },
        message(text) {
          if (obey(text, talk)) return false;
          sendMessage(text, talk);
          return true;
        },
        signal: interruption.signal,
      }),
    async close() {
      aside.abort();
      await oracle;
    },
  };
}
