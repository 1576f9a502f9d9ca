/** Loops through an array, and loops that count; more of those, one in the other, would take hours. */
const MAX_LOOPS = 3;
const MAX_COUNTING = 2;

const LOOP = /\bfor\s*\(/g;
const OVER_KEYS = /for\s*\(\s*([A-Za-z_]\w*)\s+in\s+[A-Za-z_]\w*\s*\)/y;
/** Start, bound and step written out; a number in them has three digits at most. */
const COUNTING =
  /for\s*\(\s*([A-Za-z_]\w*)\s*=\s*(-?\d{1,3}|[A-Za-z_]\w*)\s*(?:[-+]\s*\d{1,3}\s*)?;\s*\1\s*([<>])=?\s*(-?\d{1,3}|[A-Za-z_]\w*)\s*(?:[-+]\s*\d{1,3}\s*)?;\s*(?:\1\s*(\+\+|--)|(\+\+|--)\s*\1|\1\s*([-+]=)\s*[1-9]\d{0,2})\s*\)/y;

/** Numbers of fields and records. */
const COUNTS = new Set(["NF", "NR", "FNR"]);

/** Loops of a program of awk. */
export interface AwkLoops {
  count: number;
  /** Variables that count in them, and are set nowhere else in the program. */
  counters: readonly string[];
}

/** The loops of a program of awk; undefined when one of them may have no end, or nobody can tell. */
export function awkLoops(program: string): AwkLoops | undefined {
  const counters: string[] = [];
  const keys: string[] = [];
  const bounds: { name: string; at: number }[] = [];
  let rest = program;
  let loops = 0;
  for (const { index } of program.matchAll(LOOP)) {
    loops += 1;
    OVER_KEYS.lastIndex = COUNTING.lastIndex = index;
    const [overKeys, key] = OVER_KEYS.exec(program) ?? [];
    const head: readonly (string | undefined)[] = COUNTING.exec(program) ?? [];
    const [counting, counter = "", start = "", order, bound = "", ...steps] = head;
    if (key !== undefined) keys.push(key);
    if (counting !== undefined) {
      const up = steps.find((step) => step !== undefined)?.startsWith("+") === true;
      if (up !== (order === "<")) return undefined;
      counters.push(counter);
      for (const name of [start, bound]) if (/^[A-Za-z_]/.test(name)) bounds.push({ name, at: index });
    }
    const header = overKeys ?? counting;
    if (header === undefined) return undefined;
    rest = rest.replace(header, " ");
  }
  if (loops > MAX_LOOPS || counters.length > MAX_COUNTING) return undefined;
  const isMoved = counters.some(
    (name, i) => counters.indexOf(name) !== i || keys.includes(name) || isSet(rest, name),
  );
  if (isMoved || !bounds.every(({ name, at }) => isFixed(rest, program.slice(0, at), name))) return undefined;
  const mayGoOn = bounds.some(({ name }) => name === "NF") && mayAddFields(rest, counters);
  return mayGoOn ? undefined : { count: loops, counters };
}

const SETS = String.raw`\s*(?:=(?![=~])|(?:[-+*/%^]|\*\*)=|\+\+|--)`;

/** Whether a variable is set outside of the heads of loops, or may be by what it is handed to. */
function isSet(program: string, name: string): boolean {
  const own = `(?<![\\w$])${name}${SETS}|(?:\\+\\+|--)\\s*${name}\\b`;
  const handedOn = String.raw`\b(?:sub|gsub|split)\s*\([^;\n]*,\s*${name}\s*[,)]`;
  return new RegExp(`${own}|${handedOn}`).test(program);
}

/** Whether a bound stays what it is while a loop runs: the number of fields, of records, or of the parts of a text. */
function isFixed(program: string, before: string, name: string): boolean {
  if (COUNTS.has(name)) return !isSet(program, name);
  const parts = new RegExp(String.raw`(?<![\w$])${name}\s*=\s*(?:split|length)\s*\(`);
  return parts.test(before) && !isSet(program.replace(parts, ""), name);
}

/** Whether a record may get further fields: `$0` is set, or a field that nobody knows. */
function mayAddFields(program: string, counters: readonly string[]): boolean {
  const fields = program.matchAll(new RegExp(String.raw`\$\s*(\w+|\([^)]*\))${SETS}`, "g"));
  const isKnown = (field: string): boolean => /^[1-9]\d{0,2}$|^NF$/.test(field) || counters.includes(field);
  const replaced = program.match(/\bg?sub\s*\(/g) ?? [];
  const inField = program.match(/\bg?sub\s*\([^;\n]*,\s*\$\s*(?:[1-9]\d{0,2}|NF|[A-Za-z_]\w*)\s*\)/g) ?? [];
  return [...fields].some(([, field = ""]) => !isKnown(field)) || inField.length < replaced.length;
}
