import type { ToolCall } from "../../src/core/tool-call.ts";
import { createGate, type GatePolicy, type GateVerdict } from "../../src/gate/gate.ts";

/** A worker's world: everything under /home/me. */
export const POLICY: GatePolicy = {
  workspace: "/home/me/ws",
  workbench: "/home/me/ws/.flower",
  runDir: "/home/me/ws/runs",
  tempDirs: ["/tmp"],
  home: "/home/me",
  protectedFiles: ["brief.md", "需求.md", "goal.md", "questions.md"]
    .map((name) => `/home/me/ws/.flower/notes/${name}`)
    .concat("/home/me/ws/.flower/INDEX.md"),
  credentialFiles: ["/etc/flower.env"],
  delegateOnly: true,
  readOnly: false,
  glance: true,
  throwaway: false,
  mode: "auto",
  allowPublish: false,
  // No credential file is there unless a test says so.
  exists: () => false,
};

export const mainCall = (name: string, input: Record<string, unknown> = {}): ToolCall => ({
  id: "t1",
  name,
  input,
  cwd: "/home/me/ws",
});

export const workerCall = (name: string, input: Record<string, unknown> = {}): ToolCall => ({
  ...mainCall(name, input),
  agentId: "a1",
  agentType: "coder",
});

export function decide(call: ToolCall, changes: Partial<GatePolicy> = {}): GateVerdict {
  return createGate({ ...POLICY, ...changes }).decide(call);
}

/** The rule that refuses, or `allowed`. */
export const ruleOf = (call: ToolCall, changes?: Partial<GatePolicy>): string => decide(call, changes).rule;
