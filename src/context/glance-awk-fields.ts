/** Places where `$` is the end of a pattern or a text, and where it is escaped or in a class of characters. */
const NO_FIELD = /\\\$|\$(?=\s*[/)|\]]|"\s*(?:[,)~;{}&|\]]|$))/g;
/** Three digits at most, and no more of a number behind them. */
const LITERAL = String.raw`\d{1,3}(?![\w.])`;

/**
 * Whether all fields of a program of awk are known to be few: `$3`, `$NF`, `$(NF - 1)`, `$i` and `$(i + 1)` with a counter
 * of a loop. Setting a field makes all those before it, empty ones, and a variable may be any number.
 * @param assigned names that the command line sets before the program begins.
 */
export function hasNearFields(
  program: string,
  counters: readonly string[],
  assigned: readonly string[],
): boolean {
  const names = ["NF", ...counters];
  if (names.some((name) => assigned.includes(name))) return false;
  const name = `(?:${names.join("|")})(?!\\w|\\s*\\[)`;
  const near = String.raw`\$\s*(?:${LITERAL}|${name}|\(\s*(?:${LITERAL}|${name})\s*(?:[-+]\s*${LITERAL}\s*)?\))`;
  return !program.replace(NO_FIELD, " ").replace(new RegExp(near, "g"), "").includes("$");
}
