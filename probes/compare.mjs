// What was seen beside what is known.
import { isDeepStrictEqual } from "node:util";

/** Facts of a probe that are not as expected; a probe that broke off has seen none of them. */
export function differences({ expected }, seen, error) {
  return Object.entries(expected).flatMap(([fact, known]) =>
    error === undefined && isDeepStrictEqual(seen[fact], known)
      ? []
      : [{ fact, expected: known, seen: error === undefined ? seen[fact] : `broke off: ${error}` }],
  );
}

/** One line a difference. */
export const describe = ({ fact, expected, seen }) =>
  `${fact}: expected ${JSON.stringify(expected)}, seen ${JSON.stringify(seen) ?? "nothing"}`;
