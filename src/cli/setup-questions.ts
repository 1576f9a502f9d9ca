import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { FlowerError } from "../core/errors.ts";
import { errorLine } from "./exit.ts";
import { isYes } from "./yes.ts";

/** Questions at the terminal, one after another. */
export interface Questions {
  /**
   * Asks until the answer can be read. Without an answer it is undefined.
   * @param options `hidden`: nothing of what is typed is shown; `required`: Enter alone asks again.
   */
  ask(
    question: string,
    read: (answer: string) => unknown,
    options?: { hidden?: boolean; required?: boolean },
  ): Promise<string | undefined>;
  yes(question: string): Promise<boolean>;
  close(): void;
}

/** Asks on standard error, reads from standard input. Every question throws FlowerError `aborted` at Ctrl-C and Ctrl-D. */
export function terminalQuestions(): Questions {
  let hides = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!hides) process.stderr.write(chunk);
      done();
    },
  });
  // Where rows end: else the reader puts the cursor behind the edge of the screen when a question takes more than one.
  Object.defineProperty(output, "columns", { get: () => process.stderr.columns });
  // No history: an arrow key would bring the token up at the next question.
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const left = new AbortController();
  reader.once("SIGINT", () => left.abort());
  reader.once("close", () => left.abort());

  const line = async (question: string, hidden: boolean): Promise<string> => {
    // Hidden, its prompt would be, too; else the reader has to know it, as it draws its line anew with each key.
    if (hidden) process.stderr.write(question);
    hides = hidden;
    try {
      return (await reader.question(hidden ? "" : question, { signal: left.signal })).trim();
    } catch (error) {
      throw left.signal.aborted ? new FlowerError("aborted", "left; nothing was written") : error;
    } finally {
      // The rest of a paste of several lines would stand in the open at the next question.
      if (hidden && !left.signal.aborted) reader.write(null, { ctrl: true, name: "u" });
      if (hidden || left.signal.aborted) process.stderr.write("\n");
      hides = false;
    }
  };

  return {
    async ask(question, read, { hidden = false, required = false } = {}) {
      for (;;) {
        const answer = await line(question, hidden);
        if (answer === "" && !required) return undefined;
        try {
          read(answer);
          return answer;
        } catch (error) {
          process.stderr.write(`${errorLine(error)}\n`);
        }
      }
    },
    async yes(question) {
      return isYes(await line(`${question} `, false));
    },
    close: () => reader.close(),
  };
}
