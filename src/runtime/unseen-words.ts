import type { HumanChannel } from "../human/channel.ts";

/**
 * Keeps what a person typed as a step failed: no session has read it, and perhaps none of this run will. It becomes a
 * message, which outlives the run, and is said in full, for a disk that takes nothing any more.
 * @param to `channel` undefined = it is only said.
 * @returns interruptions without words, which are still to be heeded.
 */
export async function keepUnseen(
  said: readonly Promise<string | undefined>[],
  { channel, say }: { channel: HumanChannel | undefined; say(message: string): void },
): Promise<Promise<undefined>[]> {
  const all = await Promise.all(said);
  const words = all.filter((each): each is string => each !== undefined && each.trim() !== "");
  for (const each of words) {
    channel?.send(each);
    const kept =
      channel === undefined ? "say them again when you go on" : "kept as a message for the next one";
    say(`no session has seen these words (${kept}): ${each}`);
  }
  return Array.from({ length: all.length - words.length }, async () => Promise.resolve(undefined));
}
