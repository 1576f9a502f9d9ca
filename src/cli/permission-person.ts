import { HumanChannel } from "../human/channel.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { LineTaker } from "./input.ts";
import { logQuestions } from "./questions-file.ts";
import type { Screen } from "./screen.ts";
import { answerQuestion, keepsLine } from "./talk.ts";

/**
 * The person of a command that takes no messages: they are only asked for permissions.
 * @param redaction takes out what must not stand in the log of questions; looked up for each exchange.
 */
export function permissionPerson(
  bench: () => Workbench,
  screen: Screen,
  redaction: () => (text: string) => string,
): { channel: HumanChannel; taker: LineTaker } {
  const { locale } = screen;
  const channel = new HumanChannel({
    log: logQuestions(bench, locale, redaction),
    locale,
    onProblem: (message) => screen.say(`  ! ${message}`),
  });
  const taker: LineTaker = {
    pending: () => channel.pending[0]?.id,
    answer: (line) => answerQuestion(line, channel),
    keeps: (line) => channel.pending.length > 0 && keepsLine(line, { channel, screen }),
    nobodyThere: () => channel.close(),
    message: () => undefined,
  };
  return { channel, taker };
}
