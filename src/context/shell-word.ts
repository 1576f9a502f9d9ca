import type { ParameterExpansionPart, Word, WordPart } from "unbash";

/**
 * A stretch of a word: text that stands as it is, a variable, a command substitution with its script, or something
 * else that only the shell can work out, perhaps `of` a variable. `fallback` is that of `${name:-fallback}`; what is
 * not `quoted` is split.
 */
export type ShellPiece =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly fallback: string | undefined;
      readonly quoted: boolean;
    }
  | { readonly kind: "substitution"; readonly script: string; readonly quoted: boolean }
  | { readonly kind: "dynamic"; readonly of?: string };

/** One word of a command. */
export interface ShellWord {
  /** As written, quotes included. */
  readonly source: string;
  /**
   * - `literal`: `value` is what the program gets (after tilde expansion, see `tilde`)
   * - `glob`, `brace`: the shell may make several words of it; `value` is the pattern
   * - `dynamic`: holds an expansion or a substitution; `value` is the source without quotes
   */
  readonly kind: "literal" | "glob" | "brace" | "dynamic";
  readonly value: string;
  /** The shell puts a home directory in front. */
  readonly tilde: boolean;
  /** The shell makes several words of the braces in it. */
  readonly braces: boolean;
  readonly pieces: readonly ShellPiece[];
}

/**
 * The word as the program gets it, with the given variables filled in, or undefined when only the shell knows.
 * A pattern (`*.ts`) comes back as it is; a leading `~` or `~/` becomes the variable HOME. `substitute` tells
 * what a script prints where that is known; default: nowhere.
 */
export function wordText(
  word: ShellWord,
  variables: ReadonlyMap<string, string>,
  substitute: (script: string) => string | undefined = () => undefined,
): string | undefined {
  let text = "";
  for (const piece of word.pieces) {
    const part = pieceText(piece, variables, substitute);
    if (part === undefined) return undefined;
    text += part;
  }
  if (!word.tilde) return text;
  const home = variables.get("HOME");
  return home !== undefined && /^~(\/|$)/.test(text) ? home + text.slice(1) : undefined;
}

/** `$?` and perhaps text around it that is no pattern: a number is all that the shell puts in. */
export function isExitStatus({ kind, pieces }: ShellWord): boolean {
  return (
    kind === "dynamic" &&
    pieces.every((piece) =>
      piece.kind === "text" ? !/[*?[{]/.test(piece.text) : piece.kind === "variable" && piece.name === "?",
    )
  );
}

function pieceText(
  piece: ShellPiece,
  variables: ReadonlyMap<string, string>,
  substitute: (script: string) => string | undefined,
): string | undefined {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "variable":
      return variables.get(piece.name) ?? piece.fallback; // an empty one counts as set: too rare to matter
    case "substitution":
      return substitute(piece.script);
    case "dynamic":
      return undefined;
  }
}

/** From the surest to the least sure: a word is of the last kind that one of its parts has. */
const KINDS: readonly ShellWord["kind"][] = ["literal", "glob", "brace", "dynamic"];

/** Takes a word of the parser apart. */
export function toWord(word: Word): ShellWord {
  const { text: source, parts } = word;
  const tilde = source.startsWith("~");
  if (parts !== undefined) return { source, value: word.value, tilde, ...readParts(parts) };
  const { value } = word;
  return { source, value, tilde, kind: "literal", braces: false, pieces: [{ kind: "text", text: value }] };
}

function readParts(parts: readonly WordPart[]): Pick<ShellWord, "kind" | "braces" | "pieces"> {
  const pieces: ShellPiece[] = [];
  let kind: ShellWord["kind"] = "literal";
  let braces = false;
  const raise = (to: ShellWord["kind"]): void => {
    if (KINDS.indexOf(to) > KINDS.indexOf(kind)) kind = to;
  };
  const addText = (text: string): void => void pieces.push({ kind: "text", text });
  const add = (part: WordPart, quoted: boolean): void => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        addText(part.value);
        return;
      case "DoubleQuoted":
        part.parts.forEach((inner) => add(inner, true));
        return;
      case "Glob":
        addText(part.text);
        raise("glob");
        return;
      case "BraceExpansion":
        braces = true;
        raise("brace");
        if (part.parts === undefined) addText(part.text);
        else {
          addText("{");
          part.parts.forEach((inner) => add(inner, quoted));
          addText("}");
        }
        return;
      case "SimpleExpansion":
        pieces.push({ kind: "variable", name: part.text.slice(1), fallback: undefined, quoted });
        raise("dynamic");
        return;
      case "ParameterExpansion":
        pieces.push(parameterPiece(part, quoted));
        raise("dynamic");
        return;
      case "CommandExpansion":
        pieces.push({ kind: "substitution", script: part.text.replace(/^(\$\(|`)|(\)|`)$/g, ""), quoted });
        raise("dynamic");
        return;
      default:
        pieces.push({ kind: "dynamic" });
        raise("dynamic");
    }
  };
  parts.forEach((part) => add(part, false));
  return { kind, braces, pieces };
}

/** `${NAME}`, `${NAME:?message}` and `${NAME:-text}`; of others only the shell knows what comes of them. */
function parameterPiece(part: ParameterExpansionPart, quoted: boolean): ShellPiece {
  const { prefix, index, operation, parameter: name } = part;
  if (prefix !== undefined || index !== undefined) return { kind: "dynamic", of: name };
  if (operation === undefined) return { kind: "variable", name, fallback: undefined, quoted };
  if (operation.type !== "Default" || operation.operator.endsWith("+")) return { kind: "dynamic", of: name };
  if (operation.operator.endsWith("?")) return { kind: "variable", name, fallback: undefined, quoted };
  const fallback = toWord(operation.operand);
  return fallback.kind === "literal" && !fallback.tilde
    ? { kind: "variable", name, fallback: fallback.value, quoted }
    : { kind: "dynamic", of: name };
}
