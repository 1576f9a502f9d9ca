import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { keyReader, type Pressed } from "./keys.ts";

/** How long the rest of a key's sequence may take, ms; Escape alone is told by it. */
const REST_MS = 50;

/** The keyboard, taken until it is stopped. */
export interface Keyboard {
  /** Leaves all keys to another program, or to nobody. */
  stop(): Promise<void>;
}

/**
 * Takes a terminal's keys as they come. Not through Ink, which gives Delete and Backspace the same name (6.8).
 * @param onKeys hears of the keys of each read, of what came as it was, and whether a paste goes on.
 */
export function openKeyboard(
  input: NodeJS.ReadStream,
  onKeys: (pressed: readonly Pressed[], came: string, pasting: boolean) => void,
): Keyboard {
  const reader = keyReader();
  // Of the stream itself it would stay for whoever reads next.
  const decoder = new StringDecoder("utf8");
  let resting: NodeJS.Timeout | undefined;
  const onData = (bytes: Buffer | string): void => {
    const came = typeof bytes === "string" ? bytes : decoder.write(bytes);
    clearTimeout(resting);
    onKeys(reader.read(came), came, reader.pasting);
    resting = setTimeout(() => reader.rest(), REST_MS);
    resting.unref();
  };
  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  return {
    async stop() {
      clearTimeout(resting);
      input.off("data", onData);
      input.setRawMode(false);
      input.pause();
      // Node stops to take what is typed a tick later (20.20).
      await setImmediate();
    },
  };
}
