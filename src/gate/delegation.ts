import { posix } from "node:path";
import { glanceRefusal, readGlance } from "../context/glance.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { readFilter } from "./bash-readers.ts";
import { bashRefusal } from "./bash-rules.ts";
import { expandBraces } from "./path-pattern.ts";
import type { PathRules } from "./paths.ts";
import type { GatePolicy, Refusal } from "./policy.ts";

/** Tools of a main thread that delegates: starting workers, looking, and its own list of things to do. */
const OWN_TOOLS = /^(Agent|Task|Read|Grep|Glob|TodoWrite|Task(Create|Get|List|Update|Output|Stop))$/;
/** Tools that flower itself serves. */
const FLOWER_TOOLS = /^mcp__flower__/;

/** How to go on without doing it oneself. */
const INSTEAD =
  "Use Agent: state goal and acceptance, have long output put into the workbench's artifacts/, " +
  "and ask for paths and conclusions as the answer.";

/** Why the main thread of a coordinator must leave a call to a worker. */
export function delegationRefusal(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  if (call.name === "Bash") return glanceOnlyRefusal(call, policy, paths);
  if (FLOWER_TOOLS.test(call.name)) return undefined;
  if (!OWN_TOOLS.test(call.name)) {
    return {
      rule: "delegate",
      reason: `${call.name} is work for a worker, the main thread decides. ${INSTEAD}`,
    };
  }
  return readingRefusal(call, paths, "read-outside");
}

/** Why a command is not one that the main thread may run itself. */
export function glanceOnlyRefusal(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  const { command } = call.input;
  if (typeof command !== "string") return { rule: "bad-input", reason: "Bash wants `command`, a text." };
  if (!policy.glance) {
    return {
      rule: "delegate",
      reason: `Commands are work for a worker, the main thread decides. ${INSTEAD}`,
    };
  }
  if (call.input["run_in_background"] === true) {
    return { rule: "delegate", reason: `A glance does not run in the background. ${INSTEAD}` };
  }
  const trouble = glanceRefusal(command);
  if (trouble !== undefined) {
    return {
      rule: "delegate",
      reason: `The main thread runs only commands that look, and here ${trouble}. ${INSTEAD}`,
    };
  }
  const refusal = bashRefusal(command, { policy, paths, cwd: call.cwd, isolated: false });
  if (refusal !== undefined) return refusal;
  return glancePathRefusal(command, call.cwd, paths);
}

const TOO_MANY = "means too many places to look at each. Write its directories out, a few at a time.";

/** Devices that can be read for ever. */
const ENDLESS = /^\/dev\/(zero|full)$/;

/** The second, separate guard on a glance: why it must not look there. */
export function glancePathRefusal(command: string, cwd: string, paths: PathRules): Refusal | undefined {
  const glance = readGlance(command);
  if (glance.refusal !== undefined) return undefined;
  for (const { text, kind, tilde } of glance.paths) {
    if (text === "" || text === "-" || kind === "dynamic") continue;
    // A tilde in quotes is a plain name; the shell's own `~other` is a home directory somewhere else.
    const shown = tilde || !text.startsWith("~") ? text : `./${text}`;
    const known = tilde ? shown.replace(/^~(?=[^/])/, "/home/") : shown;
    const path = { text: known, braces: kind === "brace", patterns: kind !== "literal" };
    const led = paths.follow(path, cwd);
    if (led === undefined) return { rule: "glance-path", reason: `\`${text}\` ${TOO_MANY}` };
    for (const place of [...paths.resolve(path, cwd), ...led]) {
      if (ENDLESS.test(place)) return { rule: "glance-path", reason: `${place} never ends.` };
      const refusal = paths.readRefusal(place, "glance-path");
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

/** Why Read, Grep or Glob must not look there. `rule` undefined: only credentials are out of bounds. */
export function readingRefusal(
  call: ToolCall,
  paths: PathRules,
  rule: "read-outside" | undefined,
): Refusal | undefined {
  const pattern = call.name === "Glob" ? (textIn(call, "pattern") ?? "") : "";
  if (expandBraces(pattern) === undefined)
    return { rule: rule ?? "credential", reason: `\`${pattern.slice(0, 100)}\` ${TOO_MANY}` };
  const places = readingPlaces(call, paths);
  for (const place of places) {
    const refusal = paths.readRefusal(place, rule);
    if (refusal !== undefined) return refusal;
  }
  return call.name === "Grep" && call.input["output_mode"] === "content"
    ? contentRefusal(places, { glob: textIn(call, "glob"), type: textIn(call, "type") }, paths)
    : undefined;
}

/** Where Read, Grep or Glob look, absolute; none for other tools. */
export function readingPlaces(call: ToolCall, paths: PathRules): readonly string[] {
  const { name, cwd } = call;
  if (name === "Read") return paths.resolve({ text: textIn(call, "file_path") ?? "." }, cwd);
  if (name !== "Grep" && name !== "Glob") return [];
  const bases = paths.resolve({ text: textIn(call, "path") ?? "." }, cwd);
  if (name === "Grep") return bases;
  const pattern = { text: textIn(call, "pattern") ?? ".", braces: true };
  return bases.flatMap((from) => [from, ...paths.resolve(pattern, from)]);
}

function textIn({ input }: ToolCall, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Grep is ripgrep with `--hidden` (0.3.332): with content it shows the lines of a credential file below its path. Names
 * and counts of files show none.
 */
function contentRefusal(
  places: readonly string[],
  { glob, type }: { glob: string | undefined; type: string | undefined },
  paths: PathRules,
): Refusal | undefined {
  const lets = readFilter(glob?.split(/\s+/).filter((part) => part !== "") ?? []);
  for (const place of places) {
    const file = paths.credentialsIn(place).find((known) => {
      // Names such as `.env` have no extension and so belong to none of ripgrep's types.
      const isTyped = known.isDirectory || posix.extname(known.path) !== "";
      return lets(known, false) && (type === undefined || isTyped);
    });
    if (file === undefined) continue;
    return {
      rule: "credential",
      reason:
        `Grep would show lines of ${file.path}, which holds credentials. Name a subdirectory as \`path\`, ` +
        `or say which files count by \`glob\` (\`*.ts\`, or \`!${file.names.at(-1) ?? ""}\`) or \`type\`.`,
    };
  }
  return undefined;
}
