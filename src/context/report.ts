import { factsFromTranscript } from "./facts-from-transcript.ts";
import { lastWords } from "./last-words.ts";
import { exchangesOf, type Entry } from "./transcript.ts";

/** Reports that report nothing, as subagents end with them. */
const EMPTY: readonly RegExp[] = [
  /^[\s\p{P}]*$/u,
  /^\W*no (?:summary|report|output|answer|content|further \w+)\W*$/i,
  /\b(?:see|refer to)\b.{0,20}\b(?:above|previous|prior|earlier)\b/i,
  /\b(?:sent|given|provided|delivered|described|included|reported|shared|summari[sz]ed|stated)\b.{0,30}\b(?:above|(?:my|the) (?:prior|previous|earlier|last) (?:message|reply|response|turn))\b/i,
  /\b(?:in|see|with) my (?:prior|previous|earlier|last) (?:message|reply|response|turn)\b/i,
  /\b(?:reports?|summar(?:y|ies)|answers?|findings?|results?|details?|conclusions?)\b (?:is|are|was|were|stands?|can be found)? ?(?:given |right |just )?above\W*$/i,
  /^\W*如上(?:所述|所示|所说)?[\s\p{P}]*$/u,
  /(?:见|如|同)(?:上文|上面|上述|前文|前述|上一条)|^同上\P{L}*$|已在?(?:上文|上一条|之前|前面)/u,
  /\b(?:ve(?:r|ja)|conforme|como (?:dito|descrito)) (?:acima|(?:n?a )?mensagem anterior)\b/i,
  /\b(?:siehe|wie) oben\b|\b(?:vorige|letzte|frühere)[nr]? (?:Nachricht|Antwort)\b/i,
];

/** A longer text says something, whatever else is in it, characters. */
const SHORT_CHARS = 240;
/** Of each text that is salvaged, characters. */
const TEXT_CHARS = 1_500;

/** Of its last commands, so many, each so long in characters. */
const COMMANDS = 5;
const COMMAND_CHARS = 200;

/** Whether a subagent's final text is no report. */
export function reportsNothing(text: string): boolean {
  const said = text.trim();
  return said.length <= SHORT_CHARS && EMPTY.some((wording) => wording.test(said));
}

/** What a subagent's transcript holds of its work: its last words that say something, and the files it wrote. */
export function salvage(entries: readonly Entry[]): string {
  const texts = lastWords(entries).texts.filter((text) => !reportsNothing(text));
  const { filesWritten, lastFailure } = factsFromTranscript(entries, []);
  const commands = commandsIn(entries).slice(-COMMANDS);
  const parts = [
    ...texts.slice(-2).map((text) => `It had said:\n${text.trim().slice(0, TEXT_CHARS)}`),
    // A command may have written as well.
    ...(commands.length > 0
      ? [`Commands it ran last:\n${commands.map((each) => `- ${each}`).join("\n")}`]
      : []),
    ...(filesWritten.length > 0 ? [`Files it wrote: ${filesWritten.join(", ")}`] : []),
    ...(lastFailure === undefined
      ? []
      : [`Its last failing command: ${lastFailure.command} (exit code ${lastFailure.exit})`]),
  ];
  return parts.length > 0 ? parts.join("\n\n") : "Its transcript holds nothing that it had said or written.";
}

function commandsIn(entries: readonly Entry[]): string[] {
  return exchangesOf(entries).flatMap(({ name, input, answer }) => {
    const command = input["command"];
    if (name !== "Bash" || typeof command !== "string" || answer?.denial !== undefined) return [];
    const line = command.replace(/\s+/g, " ").trim();
    return [line.length > COMMAND_CHARS ? `${line.slice(0, COMMAND_CHARS)}…` : line];
  });
}
