import type { HumanChannel } from "../human/channel.ts";
import { costText } from "./figures.ts";
import type { LineTaker } from "./input.ts";
import { indented } from "./lines.ts";
import { oracleQuestion } from "./oracle.ts";
import type { Screen } from "./screen.ts";
import { TERMINAL_TEXTS } from "./terminal/texts.ts";

/** The status as lines, for a screen that has no place for it. */
const STATUS_COLUMNS = 78;
const STATUS_ROWS = 40;
const INDENT = "  ";

/** What a line asks of flower itself. */
export type Command =
  | { readonly do: "new"; readonly request: string }
  | { readonly do: "oracle"; readonly question: string }
  | { readonly do: "status" | "cost" | "help" }
  | { readonly do: "unknown"; readonly word: string };

/** What follows `/new`; undefined when the line does not say so. */
export function newRequest(line: string): string | undefined {
  const said = /^\s*\/new(?:\s+([^]*))?$/.exec(line);
  return said === null ? undefined : (said[1] ?? "").trim();
}

/** The command in a line; undefined when it is an answer or a message. A slash with more behind it may be a path. */
export function commandIn(line: string): Command | undefined {
  const request = newRequest(line);
  if (request !== undefined) return { do: "new", request };
  const question = oracleQuestion(line);
  if (question !== undefined) return { do: "oracle", question };
  if (/^[?？]\s*$/.test(line)) return { do: "help" };
  const word = /^\/([a-z]+)\s*$/.exec(line)?.[1];
  if (word === undefined) return undefined;
  return word === "status" || word === "cost" || word === "help" ? { do: word } : { do: "unknown", word };
}

/** What talking works with. */
export interface TalkParts {
  channel: HumanChannel;
  screen: Screen;
  /** Puts words into the brief; false when there is none yet. */
  addToBrief(words: string): boolean;
  askOracle(question: string): void;
  startAnew(request: string): void;
  /** Puts words into the request of the run that `/new` asked for; false when nobody asked. */
  keepForNew(words: string): boolean;
  /** `/new` was said: this run is ending. */
  isEnding(): boolean;
}

/** Takes what a person types while a run goes on: a command, the answer to an open question, or a message. */
export function takeLines(parts: TalkParts): LineTaker {
  const { channel } = parts;
  return {
    pending: () => (parts.isEnding() ? undefined : channel.pending[0]?.id),
    answer(line) {
      if (!obey(line, parts)) answerQuestion(line, channel);
    },
    keeps: (line) => keepsLine(line, parts),
    nobodyThere: () => channel.close(),
    message(line) {
      if (line.trim() === "" || obey(line, parts)) return;
      sendMessage(line, parts);
    },
  };
}

/** Says what another Enter does with a line that came too late; a command goes through. For {@link LineTaker.keeps}. */
export function keepsLine(line: string, { channel, screen }: Pick<TalkParts, "channel" | "screen">): boolean {
  if (line.trim() === "" || commandIn(line) !== undefined) return false;
  const texts = TERMINAL_TEXTS[screen.locale];
  screen.say(`  ~ ${channel.pending.length > 0 ? texts.keptForQuestion : texts.keptForMessage}`);
  return true;
}

/** Answers the question that is shown; a blank line leaves it to the model. */
export function answerQuestion(line: string, channel: HumanChannel): void {
  const [open] = channel.pending;
  if (open === undefined) return;
  if (line.trim() === "") channel.skip(open.id);
  else channel.answer(open.id, line);
}

/**
 * Sends a person's message to the run, keeps it in the brief, and says when it will be seen; of a run that is ending, to
 * the one that follows it.
 */
export function sendMessage(
  text: string,
  { channel, screen, addToBrief, keepForNew }: Omit<TalkParts, "askOracle" | "startAnew" | "isEnding">,
): void {
  const texts = TERMINAL_TEXTS[screen.locale];
  screen.say(`  > ${indented(text)}`);
  if (keepForNew(text)) {
    screen.say(`  ~ ${texts.forNew}`);
    return;
  }
  const receipt = channel.send(text).text;
  screen.say(`  ~ ${addToBrief(text) ? `${receipt} ${texts.inBrief}` : receipt}`);
}

/** Whether the line was a command, which is done then. */
export function obey(line: string, { screen, askOracle, startAnew }: TalkParts): boolean {
  const command = commandIn(line);
  if (command === undefined) return false;
  const texts = TERMINAL_TEXTS[screen.locale];
  switch (command.do) {
    case "new":
      startAnew(command.request);
      break;
    case "oracle":
      askOracle(command.question);
      break;
    case "status": {
      const columns = Math.min(STATUS_COLUMNS, (process.stderr.columns || 80) - INDENT.length - 1);
      for (const { text } of screen.statusRows({ columns, rows: STATUS_ROWS }).slice(1))
        screen.say(`${INDENT}${text}`);
      break;
    }
    case "cost": {
      const { endedUsd, stepUsd, costIsEstimate } = screen.status();
      screen.say(
        `  # ${texts.cost(costText(endedUsd + stepUsd, costIsEstimate), costText(stepUsd, costIsEstimate))}`,
      );
      break;
    }
    case "help":
      for (const text of texts.help) screen.say(`  ${text}`);
      break;
    case "unknown":
      screen.say(`  ! ${texts.unknownCommand(`/${command.word}`)}`);
  }
  return true;
}
