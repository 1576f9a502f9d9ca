import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/** Streaming input: stays open between rounds, so that the process stays alive with its cache warm. */
export class PromptQueue implements AsyncIterable<SDKUserMessage> {
  #waiting: Array<(result: IteratorResult<SDKUserMessage>) => void> = [];
  #queued: SDKUserMessage[] = [];
  #closed = false;

  /** @param behind a block of its own behind the prompt, which stays as it is. */
  push(text: string, behind?: string): void {
    const content = [text, ...(behind === undefined ? [] : [behind])];
    const message: SDKUserMessage = {
      type: "user",
      message: { role: "user", content: content.map((each) => ({ type: "text", text: each })) },
      parent_tool_use_id: null,
    };
    const next = this.#waiting.shift();
    if (next === undefined) this.#queued.push(message);
    else next({ value: message, done: false });
  }

  close(): void {
    this.#closed = true;
    for (const next of this.#waiting.splice(0)) next({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<SDKUserMessage> {
    return {
      next: async () => {
        const message = this.#queued.shift();
        if (message !== undefined) return { value: message, done: false };
        if (this.#closed) return { value: undefined, done: true };
        return new Promise((resolve) => this.#waiting.push(resolve));
      },
    };
  }
}
