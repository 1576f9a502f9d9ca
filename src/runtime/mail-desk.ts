import type { Entry } from "../context/transcript.ts";
import { errorText } from "../core/errors.ts";
import type { HarnessSession } from "../harness/contract.ts";
import type { HandedOut, HumanChannel, Mail } from "../human/channel.ts";
import type { MailFile } from "./mail-file.ts";
import { MESSAGES_HEAD } from "./prompts.ts";
import { timesBrought } from "./transcript-holds.ts";

/** What a {@link MailDesk} works with. */
export interface MailDeskParts {
  channel: HumanChannel;
  file: MailFile;
  /** What transcripts are kept with. */
  redact(text: string): string;
  onProblem(message: string): void;
}

/** Brings a person's messages to a session, and keeps each on disk until the session has it. */
export class MailDesk {
  readonly #channel: HumanChannel;
  readonly #file: MailFile;
  readonly #redact: (text: string) => string;
  /** From an earlier run. */
  readonly #restored: readonly Mail[];
  /** Went with a request that nobody has answered yet. */
  #onTheWay: readonly Mail[] = [];

  constructor({ channel, file, redact, onProblem }: MailDeskParts) {
    this.#channel = channel;
    this.#file = file;
    this.#redact = redact;
    this.#restored = channel.keepMail(file.kept, (mails) => {
      try {
        file.write(mails);
      } catch (error) {
        onProblem(`messages cannot be kept for the next run: ${errorText(error)}`);
      }
    });
  }

  /** Whether a message has still to be read. */
  get waiting(): boolean {
    return this.#channel.undelivered.length > 0;
  }

  /** What goes with the next request, as the model reads it; undefined = nothing. */
  take(): string | undefined {
    const mails = this.#channel.take();
    // Also what the model has asked for itself: its tool's result goes with the same request.
    this.#onTheWay = this.#channel.handedOut;
    return mails.length === 0 ? undefined : [MESSAGES_HEAD, ...mails.map(({ text }) => text)].join("\n\n");
  }

  /** The main thread has answered its last request, and so has read what went with it. */
  answered(): void {
    if (this.#onTheWay.length > 0) this.#channel.delivered(this.#onTheWay);
    this.#onTheWay = [];
  }

  /**
   * A round is over. What it was sent has arrived, unless it broke: then, as far as the transcript holds it.
   * @param broken undefined = it did not break.
   */
  async roundEnded(broken: Pick<HarnessSession, "transcript"> | undefined): Promise<void> {
    const sent = this.#channel.handedOut;
    this.#onTheWay = [];
    if (sent.length === 0) return;
    // A store that cannot be read holds nothing for the next request.
    const transcript = await broken?.transcript().catch(() => ({ main: [] }));
    const lost = transcript === undefined ? [] : lostOf(sent, transcript.main, this.#redact);
    this.#channel.delivered(sent.filter((mail) => !lost.includes(mail)));
    this.#channel.giveBack(lost);
  }

  /** Puts away what an earlier run left; it is not for the job that starts now. */
  archive(folder: string): void {
    this.#file.archive(folder);
    this.#channel.delivered(this.#restored);
  }
}

/** Those that a transcript does not hold since they were handed out; of equal ones each has to stand there itself. */
function lostOf(
  sent: readonly HandedOut[],
  entries: readonly Entry[],
  redact: (text: string) => string,
): HandedOut[] {
  const found = new Map<string, number>();
  // The last one first: what came after it was handed out can be no other.
  return sent.toReversed().filter(({ text, takenAtMs }) => {
    const earlier = found.get(text) ?? 0;
    const isLost = timesBrought(entries, redact(text), takenAtMs) <= earlier;
    if (!isLost) found.set(text, earlier + 1);
    return isLost;
  });
}
