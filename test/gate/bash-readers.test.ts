import { describe, expect, it } from "vitest";
import { createGate, type GatePolicy } from "../../src/gate/gate.ts";
import { POLICY, decide, mainCall, ruleOf, workerCall } from "./policy.ts";

/** Files with credentials that exist. */
const there = (...paths: string[]) => ({ exists: (path: string) => paths.includes(path) });
const FILES = there("/home/me/ws/.env", "/home/me/.ssh", "/home/me/.config/gh");

describe("a search or copy through directories with credentials", () => {
  it.each<[string, string]>([
    ["credential", "grep -rn X ."],
    ["credential", "grep -R KEY ~"],
    ["credential", "grep -r KEY"],
    ["credential", "grep -re KEY ."],
    ["credential", "grep -rnH KEY ./"],
    ["credential", "grep -d recurse KEY ."],
    ["credential", "grep --directories=recurse KEY ."],
    ["credential", "grep --recursi KEY ."],
    ["credential", "egrep -rh KEY ."],
    ["credential", "grep -r KEY --include='.e*' ."],
    ["credential", "grep -r KEY --exclude-dir=.env ."],
    ["credential", "grep -r --exclude=.ssh KEY ~"],
    ["credential", "cd ~ && grep -r KEY"],
    ["credential", "grep -r KEY /home"],
    ["credential", "grep -r KEY /"],
    ["credential", "grep -r KEY /proc/self"],
    ["credential", "rg --hidden KEY"],
    ["credential", "rg -uu KEY"],
    ["credential", "rg -u -u KEY"],
    ["credential", "rg -. KEY"],
    ["credential", "rg -g '.env' KEY"],
    ["credential", "rg -g '*' KEY"],
    ["credential", "rg --hidden -g '!.envx' KEY"],
    ["credential", "rg KEY ~/.config"],
    ["credential", "ag --hidden KEY"],
    ["credential", "git grep --no-index KEY"],
    ["credential", "git grep --untracked KEY"],
    ["credential", "tar cf /tmp/a.tar ~"],
    ["credential", "tar c . | tar x -C /tmp"],
    ["credential", "tar -C ~ -cf /tmp/a.tar ."],
    ["credential", "tar -czf - ~ | wc"],
    ["credential", "zip -qr /tmp/a.zip ."],
    ["credential", "cp -r . /tmp/x"],
    ["credential", "cp -a ~ /tmp/x"],
    ["credential", "cp -R ~/.ssh /tmp"],
    ["credential", "rsync -a ./ /tmp/x"],
    ["credential", "diff -r . /tmp/x"],
    ["credential", "bash -c 'grep -r KEY .'"],
    ["credential", "find . -type f -exec cat {} +"],
    ["credential", "ls -A | xargs cat"],
    ["credential", "ls -a | grep env | xargs -I{} cat ./{}"],
    ["credential", "find . -name '.e*' -exec cat {} \\;"],
    ["credential", "find ~ -name id_rsa -exec cat {} \\;"],
    ["credential", "find ~ -type f | xargs grep KEY"],
    ["credential", "find / -name '.env' -exec cat {} +"],
  ])("is refused (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }), FILES)).toBe(rule);
  });

  it.each([
    "rg X",
    "rg X ~",
    "rg -u X",
    "rg --hidden -g '!.env' X",
    "rg --hidden -g '*.ts' X",
    "git grep -n X",
    "grep -rn X src test",
    "grep -rn X --include='*.ts' .",
    "grep -rn --exclude=.env X .",
    "grep -rn --exclude .env X .",
    "grep -rl X .",
    "grep -rc X .",
    "grep -n X *",
    "grep .env .gitignore",
    "tar czf /tmp/a.tgz src test",
    "tar czf /tmp/a.tgz --exclude=.env .",
    "tar xzf a.tgz",
    "rsync -a --exclude=.env ./ /tmp/x",
    "cp -r src /tmp/x",
    "cp -r .github /tmp/x",
    "zip -r /tmp/a.zip . -x .env",
    "find . -type f -name '*.ts' -exec grep -n X {} +",
    "find . -type f -not -name .env -exec grep -n X {} +",
    "find . -type f | xargs wc -l",
    "ls -laR .",
    "ls | xargs cat",
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }), FILES);
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});

describe("where there is no such file", () => {
  it.each([
    "grep -rn X .",
    "cp -r . /tmp/x",
    "find . -type f -exec cat {} +",
    "tar c ~ | wc",
    "rg --hidden X",
  ])("passes: %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }), there())).toBe("allowed");
  });

  it("is only known where somebody looks", () => {
    const policy = Object.fromEntries(Object.entries(POLICY).filter(([name]) => name !== "exists"));
    const verdict = createGate(policy as unknown as GatePolicy).decide(
      workerCall("Bash", { command: "grep -rn X ." }),
    );
    expect(verdict.rule).toBe("credential");
  });
});

describe("the tool Grep", () => {
  const content = (input: Record<string, unknown>) => ({ pattern: "x", output_mode: "content", ...input });

  it.each<[string, Record<string, unknown>]>([
    ["credential", content({ path: "." })],
    ["credential", content({})],
    ["credential", content({ path: "/home/me" })],
    ["credential", content({ glob: ".env" })],
    ["credential", content({ glob: ".e*" })],
    ["credential", content({ glob: "{.env,*.ts}" })],
    ["credential", content({ glob: "*.ts .env" })],
    ["allowed", content({ path: "src" })],
    ["allowed", content({ glob: "*.ts" })],
    ["allowed", content({ glob: "!.env" })],
    ["allowed", content({ type: "ts" })],
    ["allowed", { pattern: "x" }],
    ["allowed", { pattern: "x", path: ".", output_mode: "count" }],
  ])("%s: %j", (rule, input) => {
    expect(ruleOf(workerCall("Grep", input), FILES)).toBe(rule);
  });

  it("and a glance go by the same rules on the main thread", () => {
    expect(ruleOf(mainCall("Grep", content({ path: "." })), FILES)).toBe("credential");
    expect(ruleOf(mainCall("Bash", { command: "grep -rn x ." }), FILES)).toBe("credential");
    expect(ruleOf(mainCall("Bash", { command: "grep -rn x src" }), FILES)).toBe("allowed");
  });

  it("is told how to leave the file out", () => {
    const verdict = decide(workerCall("Grep", content({ path: "." })), FILES);
    expect(verdict.allow ? "" : verdict.reason).toContain("`!.env`");
    const command = decide(workerCall("Bash", { command: "grep -rn x ." }), FILES);
    expect(command.allow ? "" : command.reason).toContain("--exclude=.env");
  });
});
