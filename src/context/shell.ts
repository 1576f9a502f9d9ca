import { forEachChild, parse } from "unbash";
import type { Assignment, Command, For, Pipeline, Redirection, Select, SyntaxNode } from "unbash";
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
  /** Its shell runs it once, whatever came of the commands before: it is not behind `&&`, in an `if`, in a function. */
  readonly sure: boolean;
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

/** Where a node stands: the shells and loops around it, and the text that its positions count in. */
interface Place {
  readonly subshells: readonly number[];
  readonly loops: readonly ShellLoop[];
  readonly sure: boolean;
  readonly source: string;
}

/** What has been read so far. */
interface Reading {
  readonly commands: SimpleCommand[];
  readonly groupRedirects: ShellRedirect[];
  readonly features: Set<ShellFeature>;
  readonly errors: string[];
  hereDocsClosed: boolean;
  lastSubshell: number;
}

/** Parses a Bash command. What the parser would have to guess at is a failure, never a partial answer. */
export function parseShell(command: string): ShellScript | ShellParseFailure {
  if (CONTROL_CHARACTER.test(command)) return { ok: false, message: "control character in the command" };
  const reading: Reading = {
    commands: [],
    groupRedirects: [],
    features: new Set(),
    errors: [],
    hereDocsClosed: true,
    lastSubshell: 0,
  };
  visit(parse(command), { subshells: [], loops: [], sure: true, source: command }, reading);

  const { commands, groupRedirects, features, errors, hereDocsClosed } = reading;
  const [message] = errors;
  if (message !== undefined) return { ok: false, message };
  return { ok: true, commands, groupRedirects, features, hereDocsClosed };
}

/**
 * Kinds of nodes that every command has go ways of their own: a resume judges thousands of commands, and walking the tree
 * would take longer than parsing.
 */
function visit(node: SyntaxNode, place: Place, reading: Reading): void {
  switch (node.type) {
    case "Word":
      if (node.parts !== undefined) for (const part of node.parts) visit(part, place, reading);
      return;
    case "Literal":
    case "SingleQuoted":
      return;
    case "Command":
      visitCommand(node, place, reading);
      return;
    case "AndOr":
      node.commands.forEach((part, i) => visit(part, i === 0 ? place : { ...place, sure: false }, reading));
      return;
    case "Statement":
      if (node.background === true) reading.features.add("background job");
      visit(node.command, node.background === true ? within(place, reading) : place, reading);
      return;
    case "Pipeline":
      visitPipeline(node, place, reading);
      return;
    case "Script": {
      if (node.errors !== undefined) reading.errors.push(...node.errors.map(({ message }) => message));
      const inner = node.source === undefined ? place : { ...place, source: node.source };
      for (const statement of node.commands) visit(statement, inner, reading);
      return;
    }
    default:
      visitOther(node, place, reading);
  }
}

function visitCommand(node: Command, place: Place, reading: Reading, fedBy?: SimpleCommand): SimpleCommand {
  if (hasStrayBracket(node, place.source)) reading.errors.push("unexpected token '('");
  const simple = toCommand(node, place, fedBy);
  reading.commands.push(simple);
  for (const part of node.prefix) visit(part, place, reading);
  if (node.name !== undefined) visit(node.name, place, reading);
  for (const part of node.suffix) visit(part, place, reading);
  return simple;
}

function visitPipeline({ commands }: Pipeline, place: Place, reading: Reading): void {
  let fedBy: SimpleCommand | undefined;
  for (const part of commands) {
    const inner = within(place, reading);
    if (part.type === "Command") fedBy = visitCommand(part, inner, reading, fedBy);
    else {
      fedBy = undefined;
      visit(part, inner, reading);
    }
  }
}

function visitOther(node: SyntaxNode, place: Place, reading: Reading): void {
  if ((node.type === "CommandExpansion" || node.type === "ProcessSubstitution") && node.script === undefined)
    reading.errors.push("substitution that cannot be taken apart");
  const feature = FEATURES[node.type];
  if (feature !== undefined) reading.features.add(feature);
  if (node.type === "HereDoc" && node.closing === undefined) reading.hereDocsClosed = false;
  if (node.type === "Redirected") reading.groupRedirects.push(...node.redirects.map(toRedirect));
  const unsure = feature === "control structure" || feature === "function";
  const own = unsure ? { ...place, sure: false } : place;
  const shared = forksOnce(node) ? within(own, reading) : own;
  const isLoop = node.type === "For" || node.type === "Select";
  const inner = isLoop ? { ...shared, loops: [...place.loops, toLoop(node)] } : shared;
  forEachChild(node, (child) => visit(child, inner, reading));
}

/** The place in a further subshell. */
function within(place: Place, reading: Reading): Place {
  reading.lastSubshell += 1;
  return { ...place, subshells: [...place.subshells, reading.lastSubshell] };
}

const STRAY_BRACKET = /(?:[ \t]|\\\n)*\(/y;

/** `ls (x` is a syntax error to Bash; unbash 6.0.4 passes over the bracket behind a program's name. */
function hasStrayBracket({ name }: Command, source: string): boolean {
  if (name === undefined) return false;
  STRAY_BRACKET.lastIndex = name.end;
  return STRAY_BRACKET.test(source);
}

function forksOnce(node: SyntaxNode): boolean {
  return (
    node.type === "Subshell" ||
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "Coproc"
  );
}

const toLoop = ({ name, wordlist }: For | Select): ShellLoop => ({
  name: name.value,
  words: wordlist?.map(toWord),
});

function toCommand(node: Command, place: Place, fedBy: SimpleCommand | undefined): SimpleCommand {
  const args: ShellWord[] = [];
  const assignments: ShellAssignment[] = [];
  const redirects: ShellRedirect[] = [];
  for (const part of node.prefix)
    if (part.type === "Assignment") assignments.push(toAssignment(part));
    else redirects.push(toRedirect(part));
  for (const part of node.suffix)
    if (part.type === "Word") args.push(toWord(part));
    else if (part.type === "Assignment") args.push(assignmentAsWord(part));
    else redirects.push(toRedirect(part));
  const program = node.name === undefined ? undefined : toWord(node.name);
  // Spelled out: an object that begins with a spread took five times as long to make (Node 20).
  const { subshells, loops, sure } = place;
  return { program, args, assignments, redirects, subshells, loops, fedBy, sure };
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
