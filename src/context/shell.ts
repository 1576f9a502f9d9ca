import { forEachChild, parse } from "unbash";
import type { Assignment, Command, For, ParsedScript, Redirection, Select, SyntaxNode } from "unbash";
import { toWord, type ShellWord } from "./shell-word.ts";

/** `name=value`; `value` is undefined for arrays, `name+=…` and `name[i]=…`. */
export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord | undefined;
}

/** `2>&1`, `>file`, `<<EOF`. */
export interface ShellRedirect {
  /** `>`, `>>`, `<`, `<>`, `<&`, `>&`, `>|`, `&>`, `&>>`, `<<<`, `<<` or `<<-`. */
  readonly operator: string;
  /** Descriptor in front of the operator: a number, `{name}` as its name, or undefined when none is written. */
  readonly descriptor: number | string | undefined;
  /** Absent on here-documents. */
  readonly target: ShellWord | undefined;
  /** Text of a here-document, before expansion. */
  readonly body: string | undefined;
}

/** `for name in words`; `words` is undefined where it goes through the arguments of the script. */
export interface ShellLoop {
  readonly name: string;
  readonly words: readonly ShellWord[] | undefined;
}

/** A program with its words. `program` is undefined when there are only assignments or redirections. */
export interface SimpleCommand {
  readonly program: ShellWord | undefined;
  readonly args: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  /**
   * Ids of the subshells around it, outermost first: what is set or where it is gone to in one of them
   * (brackets, substitutions, parts of a pipe, background jobs) ends with it.
   */
  readonly subshells: readonly number[];
  /** Loops around it, outermost first. */
  readonly loops: readonly ShellLoop[];
  /** The simple command right before it in a pipe. */
  readonly fedBy: SimpleCommand | undefined;
}

/** What a command holds beyond simple commands in lists and pipes. */
export type ShellFeature =
  | "command substitution"
  | "process substitution"
  | "background job"
  | "function"
  | "here-document"
  | "control structure"
  | "coprocess";

/** A command taken apart. Simple commands stand in source order, those inside substitutions and functions too. */
export interface ShellScript {
  readonly ok: true;
  readonly commands: readonly SimpleCommand[];
  /** Redirections of groups and control structures, `{ …; } >file`. */
  readonly groupRedirects: readonly ShellRedirect[];
  readonly features: ReadonlySet<ShellFeature>;
  /** False when a here-document runs to the end of the text without its closing word. */
  readonly hereDocsClosed: boolean;
}

/** `message` is the parser's own word on what is wrong. */
export interface ShellParseFailure {
  readonly ok: false;
  readonly message: string;
}

/* Bash drops NUL and takes the others literally: no honest command has them, and they hide what is run. */
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b-\u001f\u007f]/;

const FEATURES: Partial<Record<SyntaxNode["type"], ShellFeature>> = {
  CommandExpansion: "command substitution",
  ArithmeticCommandExpansion: "command substitution",
  ProcessSubstitution: "process substitution",
  Function: "function",
  Coproc: "coprocess",
  HereDoc: "here-document",
  If: "control structure",
  For: "control structure",
  ArithmeticFor: "control structure",
  Select: "control structure",
  While: "control structure",
  Case: "control structure",
  TestCommand: "control structure",
  ArithmeticCommand: "control structure",
};

/** Parses a Bash command. What the parser would have to guess at is a failure, never a partial answer. */
export function parseShell(command: string): ShellScript | ShellParseFailure {
  if (CONTROL_CHARACTER.test(command)) return { ok: false, message: "control character in the command" };
  const commands: SimpleCommand[] = [];
  const groupRedirects: ShellRedirect[] = [];
  const features = new Set<ShellFeature>();
  const errors: string[] = [];
  let hereDocsClosed = true;

  let lastSubshell = 0;
  const before = new Map<SyntaxNode, SyntaxNode>();
  const known = new Map<SyntaxNode, SimpleCommand>();

  const visit = (
    node: SyntaxNode,
    around: readonly number[],
    loops: readonly ShellLoop[],
    source: string,
  ): void => {
    if (node.type === "Script") errors.push(...scriptErrors(node));
    if (node.type === "Command" && hasStrayBracket(node, source)) errors.push("unexpected token '('");
    if (
      (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") &&
      node.script === undefined
    ) {
      errors.push("substitution that cannot be taken apart");
    }
    const feature = FEATURES[node.type];
    if (feature !== undefined) features.add(feature);
    if (node.type === "Statement" && node.background === true) features.add("background job");
    if (node.type === "HereDoc" && node.closing === undefined) hereDocsClosed = false;
    if (node.type === "Redirected") groupRedirects.push(...node.redirects.map(toRedirect));
    if (node.type === "Pipeline") {
      node.commands.slice(1).forEach((part, i) => before.set(part, node.commands[i] ?? part));
    }
    if (node.type === "Command") {
      const feeding = before.get(node);
      const simple = toCommand(node, { subshells: around, loops, fedBy: feeding && known.get(feeding) });
      known.set(node, simple);
      commands.push(simple);
    }
    const within = (): readonly number[] => [...around, (lastSubshell += 1)];
    const shared = forksOnce(node) ? within() : around;
    const inner = node.type === "Script" ? (node.source ?? source) : source;
    const looped = node.type === "For" || node.type === "Select" ? [...loops, toLoop(node)] : loops;
    forEachChild(node, (child) => visit(child, node.type === "Pipeline" ? within() : shared, looped, inner));
  };
  visit(parse(command), [], [], command);

  const [message] = errors;
  if (message !== undefined) return { ok: false, message };
  return { ok: true, commands, groupRedirects, features, hereDocsClosed };
}

/** `ls (x` is a syntax error to Bash; unbash 6.0.4 passes over the bracket behind a program's name. */
function hasStrayBracket({ name }: Command, source: string): boolean {
  return name !== undefined && /^(?:[ \t]|\\\n)*\(/.test(source.slice(name.end));
}

function scriptErrors(script: ParsedScript): string[] {
  return (script.errors ?? []).map((error) => error.message);
}

function forksOnce(node: SyntaxNode): boolean {
  return (
    node.type === "Subshell" ||
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "Coproc" ||
    (node.type === "Statement" && node.background === true)
  );
}

const toLoop = ({ name, wordlist }: For | Select): ShellLoop => ({
  name: name.value,
  words: wordlist?.map(toWord),
});

function toCommand(
  node: Command,
  place: Pick<SimpleCommand, "subshells" | "loops" | "fedBy">,
): SimpleCommand {
  return {
    // Spelled out: an object that begins with a spread took five times as long to make (Node 20).
    subshells: place.subshells,
    loops: place.loops,
    fedBy: place.fedBy,
    program: node.name === undefined ? undefined : toWord(node.name),
    args: node.args.map((arg) => (arg.type === "Word" ? toWord(arg) : assignmentAsWord(arg))),
    assignments: node.prefix.filter((part) => part.type === "Assignment").map(toAssignment),
    redirects: node.redirects.map(toRedirect),
  };
}

function toAssignment(node: Assignment): ShellAssignment {
  const { name, value, append, index } = node;
  const plain = value.type === "Word" && append !== true && index === undefined;
  return { name, value: plain ? toWord(value) : undefined };
}

/** `export A=b`: to the program it is one word like any other. */
function assignmentAsWord(node: Assignment): ShellWord {
  const { name, value } = toAssignment(node);
  if (value === undefined) {
    return {
      source: node.text,
      kind: "dynamic",
      value: node.text,
      tilde: false,
      braces: false,
      pieces: [{ kind: "dynamic" }],
    };
  }
  return {
    source: node.text,
    kind: value.kind,
    value: `${name}=${value.value}`,
    tilde: false,
    braces: value.braces,
    pieces: [{ kind: "text", text: `${name}=` }, ...value.pieces],
  };
}

function toRedirect(node: Redirection): ShellRedirect {
  const { descriptor } = node;
  const from =
    descriptor === undefined
      ? undefined
      : descriptor.type === "FileDescriptor"
        ? descriptor.value
        : descriptor.name;
  const isHereDoc = node.type === "HereDoc";
  return {
    operator: node.operator,
    descriptor: from,
    target: isHereDoc || node.target === undefined ? undefined : toWord(node.target),
    body: isHereDoc ? node.body.text : undefined,
  };
}
