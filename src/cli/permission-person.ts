import { realPath } from "../core/files.ts";
import { HumanChannel } from "../human/channel.ts";
import { appendExchange } from "../human/exchange-log.ts";
import { Workbench } from "../workbench/workbench.ts";
import type { LineTaker } from "./input.ts";
import { questionsFile } from "./questions-file.ts";
import type { Screen } from "./screen.ts";

/** The person of a command that takes no messages: they are only asked for permissions. */
export function permissionPerson(
  workspace: string,
  screen: Screen,
): { channel: HumanChannel; taker: LineTaker } {
  const { locale } = screen;
  const bench = Workbench.open({ workspace: realPath(workspace), locale });
  const channel = new HumanChannel({
    log: (exchange) => appendExchange(questionsFile(bench, locale), exchange, locale),
    locale,
    onProblem: (message) => screen.say(`  ! ${message}`),
  });
  const taker: LineTaker = {
    pending: () => channel.pending.length > 0,
    answer(line) {
      const [open] = channel.pending;
      if (open === undefined) return;
      if (line.trim() === "") channel.skip(open.id);
      else channel.answer(open.id, line);
    },
    nobodyThere: () => channel.close(),
    message: () => undefined,
  };
  return { channel, taker };
}
