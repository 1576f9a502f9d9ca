import { isManyWords } from "./glance-braces.ts";
import { GLANCE_TABLE, mayBeginGlance } from "./glance-table.ts";
import type { GlancePath } from "./glance-rule.ts";
import { parseShell, type ShellFeature, type ShellRedirect, type SimpleCommand } from "./shell.ts";
import { isExitStatus } from "./shell-word.ts";

/** What becomes of a command: why it is no glance, or the words of it that may name files. */
export type Glance =
  { readonly refusal: string } | { readonly refusal: undefined; readonly paths: readonly GlancePath[] };

/**
 * True for a command that only looks: running it again is free, and its old result misleads or is worthless.
 * This one answer decides both whether the coordinator may run it and whether its result goes stale.
 */
export function isGlance(command: string): boolean {
  return !beginsWithWork(command) && readGlance(command).refusal === undefined;
}

/* Plain words, ended by what can only end a word: no assignment, no descriptor of a redirection, no half of a word. */
const FIRST_WORDS = /^[ \t\n]*([\w./-]+)(?=[ \t\n;|&]|$)(?:[ \t]+([\w./-]+)(?=[ \t\n;|&]|$))?/;

/** Spares most commands that do work the parser. It never allows, and what it refuses `readGlance` refuses too. */
function beginsWithWork(command: string): boolean {
  const [, program, firstArg] = FIRST_WORDS.exec(command) ?? [];
  // `time` is no program: what is judged stands behind it.
  return program !== undefined && program !== "time" && !mayBeginGlance(program, firstArg);
}

/** Which part of a command keeps it from being a glance; undefined when it is one. */
export function glanceRefusal(command: string): string | undefined {
  return readGlance(command).refusal;
}

/** {@link isGlance} with the reason or, for the path rules, the words that may name files. */
export function readGlance(command: string): Glance {
  const script = parseShell(command);
  if (!script.ok) return { refusal: `the command cannot be parsed (${script.message})` };
  const [feature] = script.features;
  if (feature !== undefined) return { refusal: `it holds a ${feature} (${INSTEAD_OF[feature]})` };
  if (script.commands.length === 0) return { refusal: "there is no command in it" };

  const paths: GlancePath[] = [];
  for (const redirect of script.groupRedirects) {
    if (!isHarmlessRedirect(redirect)) return { refusal: redirectTrouble(redirect) };
  }
  for (const simple of script.commands) {
    const glance = readSimple(simple);
    if (glance.refusal !== undefined) return glance;
    paths.push(...glance.paths);
  }
  return { refusal: undefined, paths };
}

/** How the same is asked for without it. */
const INSTEAD_OF: Readonly<Record<ShellFeature, string>> = {
  "command substitution": "run the inner command first, then write its answer out",
  "process substitution": "use a pipe",
  "background job": "join commands by `;`, `&&` or `|`",
  coprocess: "join commands by `;`, `&&` or `|`",
  function: "write its commands out",
  "here-document": "name a file",
  "control structure": "join commands by `;`, `&&` or `||`, and test by `[ … ]`",
};

const PLAIN = /^\w[\w.:/@+-]*$/;
/** Assignments in front of a program that change the wording of its output and nothing else, with their values. */
const HARMLESS_VARIABLES: ReadonlyMap<string, RegExp> = new Map([
  ["LC_ALL", PLAIN],
  ["LANG", PLAIN],
  ["TZ", PLAIN],
  ["NO_COLOR", PLAIN],
  // git pads up to it.
  ["COLUMNS", /^\d{1,3}$/],
]);

function readSimple({ program, args, assignments, redirects }: SimpleCommand): Glance {
  for (const { name, value } of assignments) {
    const harmless = value?.kind === "literal" && HARMLESS_VARIABLES.get(name)?.test(value.value) === true;
    if (!harmless) return { refusal: `the assignment of \`${name}\` may change what runs` };
  }
  const bad = redirects.find((redirect) => !isHarmlessRedirect(redirect));
  if (bad !== undefined) return { refusal: redirectTrouble(bad) };
  if (program === undefined) return { refusal: "there is no program in a part of it" };
  if (program.kind !== "literal" || program.tilde) {
    return { refusal: `the program \`${program.source}\` is not written out` };
  }
  const rule = GLANCE_TABLE.get(program.value);
  if (rule === undefined) return { refusal: `\`${program.source}\` is not on the list of glance commands` };
  const prints = program.value === "echo" || program.value === "printf";
  const unknown = args.find((word) => word.kind === "dynamic" && !(prints && isExitStatus(word)));
  const many = args.find(isManyWords);
  if (many !== undefined) return { refusal: `\`${many.source}\` makes too many words` };
  if (unknown !== undefined) return { refusal: `\`${unknown.source}\` is not known before it runs` };
  const answer = rule(args);
  return answer.trouble === undefined
    ? { refusal: undefined, paths: answer.paths }
    : { refusal: `\`${program.value}\`: ${answer.trouble}` };
}

function isHarmlessRedirect({ operator, descriptor, target }: ShellRedirect): boolean {
  if (target?.kind !== "literal") return false;
  if (operator === ">&") return descriptor === 2 && target.value === "1";
  if (target.value !== "/dev/null") return false;
  if (operator === "&>") return descriptor === undefined;
  return operator === ">" && (descriptor === undefined || descriptor === 2);
}

function redirectTrouble({ operator, descriptor, target }: ShellRedirect): string {
  if (operator === "<")
    return `the redirection \`<${target?.source ?? ""}\`: name the file as a word, or pipe it in by \`cat\``;
  return `the redirection \`${descriptor ?? ""}${operator}${target?.source ?? ""}\` goes elsewhere than /dev/null`;
}
