import { factsFromTranscript } from "./facts-from-transcript.ts";
import { lastWords } from "./last-words.ts";
import type { Entry } from "./transcript.ts";

/** Reports that report nothing, as subagents end with them. */
const EMPTY: readonly RegExp[] = [
  /^[\s\p{P}]*$/u,
  /^\W*no (?:summary|report|output|answer|content|further \w+)\W*$/i,
  /\b(?:see|refer to)\b.{0,20}\b(?:above|previous|prior|earlier)\b/i,
  /\b(?:sent|given|provided|described|included|reported|shared|summari[sz]ed|stated)\b.{0,30}\b(?:above|(?:my|the) (?:prior|previous|earlier|last) (?:message|reply|response|turn))\b/i,
];

/** A longer text says something, whatever else is in it, characters. */
const SHORT_CHARS = 240;
/** Of each text that is salvaged, characters. */
const TEXT_CHARS = 1_500;

/** Whether a subagent's final text is no report. */
export function reportsNothing(text: string): boolean {
  const said = text.trim();
  return said.length <= SHORT_CHARS && EMPTY.some((wording) => wording.test(said));
}

/** What a subagent's transcript holds of its work: its last words that say something, and the files it wrote. */
export function salvage(entries: readonly Entry[]): string {
  const texts = lastWords(entries).texts.filter((text) => !reportsNothing(text));
  const { filesWritten, lastFailure } = factsFromTranscript(entries, []);
  const parts = [
    ...texts.slice(-2).map((text) => `It had said:\n${text.trim().slice(0, TEXT_CHARS)}`),
    ...(filesWritten.length > 0 ? [`Files it wrote: ${filesWritten.join(", ")}`] : []),
    ...(lastFailure === undefined
      ? []
      : [`Its last failing command: ${lastFailure.command} (exit code ${lastFailure.exit})`]),
  ];
  return parts.length > 0 ? parts.join("\n\n") : "Its transcript holds nothing that it had said or written.";
}
