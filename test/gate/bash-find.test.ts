import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

describe("a search that deletes or changes what it finds", () => {
  it.each<[string, string]>([
    // the whole tree
    ["remove-root", "find . -delete"],
    ["remove-root", "find -delete"],
    ["frozen-document", "find ./ -type f -delete"],
    ["remove-root", "find -L . -delete"],
    ["remove-root", "find $PWD -delete"],
    ["remove-root", 'find "$(pwd)" -delete'],
    ["remove-root", "find $(git rev-parse --show-toplevel) -delete"],
    ["remove-root", "find * -delete"],
    ["remove-root", "find . -exec rm -rf {} +"],
    ["remove-root", "find . -type d -exec rm -rf {} +"],
    ["remove-root", "find . ! -name '*.pyc' -delete"],
    ["remove-root", "find . -name '*.pyc' -o -delete"],
    ["remove-root", "find . -name '*.pyc' , -delete"],
    ["remove-root", "find . -maxdepth 1 -mindepth 1 -exec rm -rf {} +"],
    ["remove-root", "find . -maxdepth 1 -name '.*' -exec rm -rf {} +"],
    ["remove-root", "find .. -name ws -exec rm -rf {} +"],
    ["remove-root", "find . -mmin +5 | xargs rm -rf"],
    // by a name that is protected
    ["frozen-document", "find .flower/notes -name goal.md -exec rm -rf {} +"],
    ["frozen-document", "find . -name notes -exec rm -r {} \\;"],
    ["frozen-document", "find .flower -type f -name '*.md' -not -path '*/spill/*' -delete"],
    ["frozen-document", "find . -path '*/notes/*' -exec sed -i s/a/b/ {} +"],
    ["frozen-document", "find . -name goal.md -exec cp /dev/null {} \\;"],
    ["frozen-document", "find . -name goal.md -exec sh -c 'echo > {}' \\;"],
    ["frozen-document", "find . -name goal.md -exec sh -c 'echo > \"$1\"' _ {} \\;"],
    ["run-dir", "find . -name '*.db' -exec rm {} \\;"],
    ["run-dir", "find . -name '*.db' | xargs rm -f"],
    ["run-dir", "find . -name '*.json' -delete"],
    ["frozen-document", "find . -mindepth 1 -name brief.md -delete"],
    ["frozen-document", "find . -iname BRIEF.MD -delete"],
    ["frozen-document", "find . -name 'brief\\.md' -delete"],
    ["frozen-document", "find . -name '[b]rief.md' -delete"],
    ["git-internals", "find . -name HEAD -delete"],
    ["git-internals", "find . -name '*.sample' -delete"],
    ["git-internals", "find . -name config -not -path './runs/*' -exec sed -i s/a/b/ {} +"],
    ["spill", "find . -name '*.txt' -delete"],
    // in other places, and other actions
    ["write-outside", "find /srv -name '*.tmp' -delete"],
    ["write-outside", "find . /srv -name '*.tmp' -delete"],
    ["write-outside", "find . -name x -fprintf /srv/x %p"],
    ["git-discard", "find . -name '*.ts' -exec git checkout {} +"],
    // names in a pipe
    ["frozen-document", "find .flower/notes -name goal.md | xargs rm"],
    ["frozen-document", "find .flower/notes -name goal.md -print0 | xargs -0 -I% mv % /tmp/"],
    ["frozen-document", "find .flower/notes -name goal.md | sort | head -1 | xargs rm -f"],
    ["frozen-document", "find .flower/notes -name x -o -name goal.md | xargs rm"],
  ])("is refused (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe(rule);
  });

  it.each([
    "find . -name '*.pyc' -delete",
    "find . \\( -name '*.pyc' -o -name '*.pyo' \\) -delete",
    "find . -type d -name __pycache__ -exec rm -rf {} +",
    "find . -type d -name __pycache__ -prune -exec rm -rf {} +",
    "find . -name dist -type d -exec rm -rf {} \\;",
    "find . -name node_modules -prune -o -name '*.ts' -print",
    "find . -path ./node_modules -prune -o -name '*.log' -exec rm {} +",
    "find . -path ./.git -prune -o -path ./runs -prune -o -name '*.orig' -exec rm {} +",
    "find . -type f -not -path './.git*' -not -path './runs*' -not -path './.flower*' -exec sed -i s/a/b/ {} +",
    "find . -maxdepth 1 -name '*.json' -delete",
    "find . -mindepth 3 -path './.flower/*' -type d -empty -print",
    "find . -type f -exec grep -l foo {} +",
    "find . -type f | xargs wc -l",
    "find . -name '*.ts' | xargs sed -i s/a/b/",
    "find . -name '*.bak' -print0 | xargs -0 rm -f",
    "find src -mindepth 1 -delete",
    "find /tmp/x -mindepth 1 -delete",
    "find . -quit -o -delete",
    'find "$UNKNOWN" -name x -delete',
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});

it("says how to keep a search away", () => {
  const verdict = decide(workerCall("Bash", { command: "find . -name '*.db' -delete" }));
  expect(verdict.allow ? "" : verdict.reason).toContain("`-not -path './runs*'`");
});
