import { errorText } from "../core/errors.ts";
import type { ToolCall } from "../core/tool-call.ts";
import { bashRefusal } from "./bash-rules.ts";
import { delegationRefusal, glanceOnlyRefusal, readingRefusal } from "./delegation.ts";
import { createPathRules, type PathRules } from "./paths.ts";
import { permissionRequest, WRITING, type Grants } from "./permission.ts";
import { isIsolated, isolationOf, type GatePolicy, type GateVerdict, type Refusal } from "./policy.ts";

export type { Grants } from "./permission.ts";
export type { GatePolicy, GateRule, GateVerdict, PermissionRequest } from "./policy.ts";

/** The one decision on a tool call. */
export interface Gate {
  /**
   * Judges a call by its original input, and in the mode `ask` by what the person has allowed for the run (default:
   * nothing). Never throws: a failure refuses.
   */
  decide(call: ToolCall, grants?: Grants): GateVerdict;
}

/** Builds the gate of one session. */
export function createGate(policy: GatePolicy): Gate {
  const shared = createPathRules(policy);
  const ofWorktrees = new Map<string | undefined, PathRules>();
  const rulesFor = (call: ToolCall): PathRules => {
    const isolation = isolationOf(call, policy);
    if (isolation === undefined) return shared;
    const paths = ofWorktrees.get(isolation.own) ?? createPathRules(policy, isolation);
    ofWorktrees.set(isolation.own, paths);
    return paths;
  };
  return {
    decide(call, grants = NO_GRANTS) {
      try {
        const paths = rulesFor(call);
        const refusal = refusalOf(call, policy, paths);
        if (refusal !== undefined) return { allow: false, ...refusal };
        return personsVerdict(call, { policy, paths, grants });
      } catch (error) {
        return {
          allow: false,
          rule: "gate-failed",
          reason: `The call could not be judged (${errorText(error)}), so it is refused. Try it in a simpler form.`,
        };
      }
    },
  };
}

const NO_GRANTS: Grants = new Set();

/** What the rules let through, the person may still want to be asked about. */
function personsVerdict(
  call: ToolCall,
  { policy, paths, grants }: { policy: GatePolicy; paths: PathRules; grants: Grants },
): GateVerdict {
  const inCopy = policy.throwaway && call.agentId === undefined;
  const ask = policy.mode === "ask" && !inCopy ? permissionRequest(call, { policy, paths }) : undefined;
  if (ask === undefined || grants.has(ask.key)) return { allow: true, rule: "allowed" };
  return { allow: false, rule: "ask", reason: `${call.name} needs the person's word.`, ask };
}

function refusalOf(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  const onMain = call.agentId === undefined;
  if (policy.readOnly || (policy.throwaway && onMain)) return roleRefusal(call, policy, paths);
  if (policy.delegateOnly && onMain) return delegationRefusal(call, policy, paths);
  if (onMain && policy.mainAllowed?.includes(call.name) === false)
    return notAllowed(call, policy.mainAllowed);
  return workRefusal(call, policy, paths);
}

const READING = ["Read", "Grep", "Glob"];

/** Clarifier, judge, oracle: a list of tools and nothing beyond it. */
function roleRefusal(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  const allowed = policy.mainAllowed ?? (policy.readOnly ? READING : undefined);
  if (call.agentId !== undefined || call.name === "Agent" || call.name === "Task") {
    return { rule: "read-only", reason: "There are no subagents here. Look for yourself and answer." };
  }
  if (allowed?.includes(call.name) === false) return notAllowed(call, allowed);
  if (policy.throwaway) return workRefusal(call, policy, paths);
  if (call.name === "Bash") return glanceOnlyRefusal(call, policy, paths);
  if (Object.hasOwn(WRITING, call.name)) return notAllowed(call, allowed ?? READING);
  return readingRefusal(call, paths, undefined);
}

/** Why a tool that is not on a list is refused. */
export function notAllowed(call: ToolCall, allowed: readonly string[]): Refusal {
  const tools = allowed.length === 0 ? "none" : allowed.join(", ");
  return {
    rule: "read-only",
    reason: `${call.name} is not among your tools here (${tools}). Do without it, and say what you could not find out.`,
  };
}

/** Workers, and main threads that do the work themselves. */
function workRefusal(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  if (call.name === "Bash") {
    const { command } = call.input;
    if (typeof command !== "string") return { rule: "bad-input", reason: "Bash wants `command`, a text." };
    return bashRefusal(command, { policy, paths, cwd: call.cwd, isolated: isIsolated(call, policy) });
  }
  if (Object.hasOwn(WRITING, call.name)) return writingRefusal(call, policy, paths);
  return readingRefusal(call, paths, undefined);
}

function writingRefusal(call: ToolCall, policy: GatePolicy, paths: PathRules): Refusal | undefined {
  const key = WRITING[call.name] ?? "file_path";
  const path = call.input[key];
  if (typeof path !== "string" || path === "") {
    return { rule: "bad-input", reason: `${call.name} wants \`${key}\`, a path.` };
  }
  for (const place of paths.resolve({ text: path }, call.cwd)) {
    const refusal = paths.writeRefusal(place);
    if (refusal !== undefined) return refusal;
    if (policy.throwaway && !paths.isSharedCheckout(place)) {
      return {
        rule: "write-outside",
        reason: `${place} is not in the copy that you check. Write there only what a check needs, or nothing.`,
      };
    }
  }
  return undefined;
}
