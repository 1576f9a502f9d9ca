import { posix } from "node:path";
import { fold, hasPattern, segmentMatches } from "./path-pattern.ts";

/** What is known of the file system. */
export interface FileView {
  /** The path without links, as far as it is there. */
  readonly realpath: (absolute: string) => string;
  /** Names in a directory; none when it cannot be read. */
  readonly entries: (directory: string) => readonly string[];
  readonly exists: (absolute: string) => boolean;
}

/** A pattern that means more has to be written out, or nobody could say in time where it leads. */
const MAX_PLACES = 2_000;

/**
 * The places that an absolute path means when it is followed name by name, as the shell and the system do: `..` behind
 * a link goes up from where that leads, and a pattern means the names that match it, links among them. Bounded.
 * @param patterns whether the shell takes `*`, `?` and brackets in it for patterns.
 * @returns undefined when there are too many.
 */
export function walkPath(path: string, view: FileView, patterns: boolean): string[] | undefined {
  const steps = path.split("/").filter((name) => name !== "" && name !== ".");
  let places = ["/"];
  for (const step of steps) {
    const isPattern = patterns && hasPattern(step);
    places = [
      ...new Set(places.flatMap((dir) => (isPattern ? matchesIn(dir, step, view) : [go(dir, step, view)]))),
    ];
    if (places.length > MAX_PLACES) return undefined;
  }
  // The shell makes words of what is there; without any the pattern stays, and means nothing.
  return patterns && hasPattern(path) ? places.filter(view.exists) : places;
}

const go = (dir: string, name: string, { realpath }: FileView): string =>
  name === ".." ? posix.dirname(realpath(dir)) : posix.join(dir, name);

function matchesIn(dir: string, pattern: string, view: FileView): string[] {
  return [".", "..", ...view.entries(dir)]
    .filter((name) => segmentMatches(fold(pattern), fold(name)))
    .map((name) => (name === "." ? dir : go(dir, name, view)));
}
