/** `npm run test:long`: also what takes long and tells little more. */
export const LONG = process.env["FLOWER_LONG"] === "1";

/** The rows of a table that every run tries; the long run tries all. */
export function rows<Row>(all: readonly Row[], everyTime: (row: Row) => boolean): Row[] {
  return LONG ? [...all] : all.filter(everyTime);
}
