/** Text as one word of the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A word for the end of the here-document that the text does not hold: nothing of it may come out. */
export function freeWord(text: string): string {
  let word = "FLOWER_END";
  while (text.includes(word)) word += "_";
  return word;
}
