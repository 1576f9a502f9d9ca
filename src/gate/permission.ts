import { posix } from "node:path";
import { isGlance } from "../context/glance.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { glancePathRefusal, readingPlaces } from "./delegation.ts";
import type { PathRules } from "./paths.ts";
import type { GatePolicy, PermissionRequest } from "./policy.ts";

/** Keys of {@link PermissionRequest} that the person has allowed for the run. */
export type Grants = ReadonlySet<string>;

/** Tools that write a file, with the field that names it. */
export const WRITING: Readonly<Record<string, string>> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

/** Starting agents, lists of things to do, and flower's own tools change nothing outside of the run. */
const FREE = /^(Agent|Task|TodoWrite|Task(Create|Get|List|Update|Output|Stop)|ToolSearch|mcp__flower__.*)$/;
const READING = /^(Read|Grep|Glob)$/;

/**
 * What the person is asked in the mode `ask`, of a call that no rule refuses: whatever has an effect, and reading
 * outside of the workspace, as the harness would ask (0.3.332). Undefined = nothing. A tool that is not known is asked
 * about.
 */
export function permissionRequest(
  call: ToolCall,
  { policy, paths }: { policy: GatePolicy; paths: PathRules },
): PermissionRequest | undefined {
  const { name, input, cwd } = call;
  if (FREE.test(name)) return undefined;
  if (name === "Bash") {
    const command = textOf(input["command"]);
    if (isLook(call, command, paths)) return undefined;
    return request("command", name, { what: command, where: cwd, key: [cwd, command] });
  }
  const real = policy.realpath ?? ((path: string) => path);
  if (Object.hasOwn(WRITING, name)) {
    const [place = cwd] = paths.resolve({ text: textOf(input[WRITING[name] ?? ""]) }, cwd);
    return request("write", name, inDirectory(place, real(place)));
  }
  if (READING.test(name)) {
    const outside = readingPlaces(call, paths).filter(
      (place) => paths.readRefusal(place, "read-outside") !== undefined,
    );
    const [place] = outside;
    if (place === undefined) return undefined;
    return name === "Read"
      ? request("read", name, inDirectory(place, real(place)))
      : request("search", name, { what: outside.join("\n"), where: undefined, key: outside });
  }
  const what = name === "WebFetch" ? textOf(input["url"]) : JSON.stringify(input);
  return request("tool", name, { what, where: undefined, key: [name] });
}

function request(
  kind: PermissionRequest["kind"],
  tool: string,
  { what, where, key }: { what: string; where: string | undefined; key: readonly string[] },
): PermissionRequest {
  return { kind, tool, what, where, key: JSON.stringify([kind, ...key]) };
}

/** A link is named with what it leads to: the directory of that is the one that counts. */
function inDirectory(place: string, real: string): { what: string; where: string; key: string[] } {
  const where = posix.dirname(real);
  return { what: place === real ? place : `${place} -> ${real}`, where, key: [where] };
}

function isLook(call: ToolCall, command: string, paths: PathRules): boolean {
  return (
    isGlance(command) &&
    call.input["run_in_background"] !== true &&
    glancePathRefusal(command, call.cwd, paths) === undefined
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
