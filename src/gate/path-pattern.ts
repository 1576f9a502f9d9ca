/** Words that braces make of one, and characters of them together, that are looked at each by itself. */
const MAX_WORDS = 1_000;
const MAX_CHARS = 64 * 1024;
/** Pairs of braces in one word. */
const MAX_BRACES = 64;

/**
 * `a{b,c}` → `ab`, `ac`. Sequences (`{1..3}`) become `*`: the caller wants to know where files may lie, not how many
 * there are.
 * @returns undefined when there are more than can be looked at (1,000 words, 64 KiB, 64 pairs of braces).
 */
export function expandBraces(text: string): string[] | undefined {
  let open = [text];
  for (let round = 0; round < MAX_BRACES; round += 1) {
    if (!open.some((item) => BRACES.test(item))) return open;
    const next = [...new Set(open.flatMap(expandOnce))];
    if (next.length > MAX_WORDS || next.join("").length > MAX_CHARS) return undefined;
    open = next;
  }
  return undefined;
}

const BRACES = /\{([^{}]*)\}/;

function expandOnce(text: string): string[] {
  const match = BRACES.exec(text);
  if (match?.[1] === undefined) return [text];
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  const items = match[1].includes(",") ? match[1].split(",") : [match[1].includes("..") ? "*" : match[1]];
  return items.map((item) => before + item + after);
}

/** True when a path has characters that the shell takes for a pattern. */
export const hasPattern = (path: string): boolean => /[*?[]/.test(path);

/**
 * Whether a path, which may hold patterns, can come to mean `target` or something in it; with `tree` also a
 * directory above it. Brackets count as any character: too often yes is safe here.
 */
export function mayMean(path: string, target: string, tree: boolean): boolean {
  const want = fold(target).split("/");
  const have = path === "/" ? [""] : fold(path).split("/");
  if (have.length < want.length && !tree) return false;
  return have.slice(0, want.length).every((segment, i) => segmentMatches(segment, want[i] ?? ""));
}

/** {@link mayMean} for one name between slashes. */
export function segmentMatches(pattern: string, name: string): boolean {
  if (!hasPattern(pattern)) return pattern === name;
  if (name.startsWith(".") && !pattern.startsWith(".")) return false; // patterns pass over dot files
  return wildcardMatches(pattern.replace(/\[[^\]]*\]?/g, "?"), name);
}

/** `*` and `?` alone. On a dead end only the last star takes one more: an expression could take for ever. */
function wildcardMatches(pattern: string, name: string): boolean {
  let [at, star, taken] = [0, -1, 0];
  for (let i = 0; i < name.length;) {
    if (pattern[at] === "*") {
      star = at;
      taken = i;
      at += 1;
    } else if (pattern[at] === "?" || pattern[at] === name[i]) {
      at += 1;
      i += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      taken += 1;
      i = taken;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}

/** Names that some file systems hold for the same are the same. */
export const fold = (path: string): string => path.normalize("NFC").toLowerCase();

/** Whether `path` is `root` or lies under it; both absolute and normalised. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}
