import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

describe("removing what only the shell can name", () => {
  it.each<[string, string]>([
    ["remove-root", "ls -A | xargs rm -rf"],
    ["remove-root", "ls | xargs -n1 rm -r"],
    ["remove-root", "ls -A | xargs -I{} rm -rf ./{}"],
    ["remove-root", "ls -A | grep -v x | xargs rm -rf"],
    ["remove-root", "xargs rm -rf < list"],
    ["remove-root", "xargs -a list rm -rf"],
    ["remove-root", "xargs rm -rf <<< ."],
    ["remove-root", "echo . | xargs rm -rf"],
    ["remove-root", "fd . -X rm -rf"],
    ["remove-root", "fd -H -x rm -rf {}"],
    ["remove-root", "rm -rf $(pwd)"],
    ["remove-root", "rm -rf `pwd`"],
    ["remove-root", 'rm -rf "$(realpath .)"'],
    ["remove-root", "rm -r -- $(cat list)"],
    ["remove-root", 'D=$(realpath .); rm -rf "$D"'],
    ["remove-root", "D=$(pwd); rm -rf $D"],
    ["remove-root", "D=$PWD; rm -rf $D"],
    ["remove-root", "export D=$(cat x); rm -rf $D"],
    ["remove-root", 'rm -rf "${PWD}"'],
    ["remove-root", "rm -rf ${PWD:?}"],
    ["remove-root", "rm -rf ${PWD%/}"],
    ["remove-root", "rm -rf ${HOME:-x}"],
    ["remove-root", "rm -r -- ."],
    ["remove-root", "rm -Rf ."],
    ["remove-root", "rm -rf ?*"],
    ["remove-root", "rm --recursive --force /home/me/ws"],
    ["remove-root", "rm --rec ."],
    ["remove-root", "X='-rf .'; rm $X"],
    ["remove-root", "rimraf ."],
    ["remove-root", "npx -y rimraf ."],
    ["remove-root", "trash ."],
    ["remove-root", "rsync -a --delete /tmp/empty/ ./"],
    ["remove-root", "tar --remove-files -cf /tmp/x.tar ."],
    ["git-internals", "echo .git | xargs -I{} rm -rf {}"],
    ["git-internals", "printf '.git\\0' | xargs -0 rm -rf"],
    ["git-internals", "parallel rm -rf ::: .git"],
    ["remove-root", "rm -rf .[!.]*"],
    ["git-internals", "rm -rf {.git,x}"],
    ["git-internals", "mv -t /tmp .git"],
    ["git-internals", "mv --target=/tmp .git"],
    ["frozen-document", "ls .flower/notes | xargs -I{} rm .flower/notes/{}"],
    ["write-outside", "rm --recursi -f /srv/ws"],
    ["write-outside", "export D=/srv; rm -rf $D/x"],
    ["write-outside", "rm -rf ${NOPE:-/srv}/x"],
    // what a search prints is judged as what it finds
    ["remove-root", "rm -rf $(find . -type d)"],
    ["remove-root", "rm -rf $(find . -type d -name x -o -maxdepth 1)"],
    ["remove-root", 'rm -rf "$(find .. -name ws)"'],
    ["remove-root", "rm -rf build `find . -maxdepth 0`"],
    ["frozen-document", "rm -rf $(find . -name notes)"],
    ["run-dir", "rm -rf $(find . -name runs 2>/dev/null | head -1)"],
    ["run-dir", "rm -f $(find . -name '*.db')"],
    ["frozen-document", "sed -i s/a/b/ $(find . -name goal.md)"],
    ["remove-root", "rm -rf . $(find . -name __pycache__)"],
    // a search that prints other words than names
    ["remove-root", "rm -rf $(find src -maxdepth 0 -printf .git)"],
    ["remove-root", "rm -rf $(find src -name x -exec echo .git \\;)"],
    ["remove-root", "rm -rf $(find src -name x; echo .git)"],
    ["remove-root", "rm -rf $(find src -name x | sed s/x/.git/)"],
    ["remove-root", "find src -maxdepth 0 -printf '.git\\n' | xargs rm -rf"],
    ["frozen-document", "find . -name goal.md -printf '%p\\n' | xargs rm"],
    // listings
    ["remove-root", "ls run* | xargs rm -rf"],
    ["run-dir", "ls -d run* | xargs rm -rf"],
    ["run-dir", "ls *.txt src | xargs rm"],
    ["run-dir", "ls -R *.txt | xargs rm"],
    ["run-dir", "ls conf.d | xargs rm"],
    ["frozen-document", "ls .flower/notes/*.md | xargs rm"],
    ["git-internals", "ls -d .g* | xargs rm -rf"],
    ["remove-root", "ls -d */ | xargs rm -rf"],
  ])("is refused (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe(rule);
  });

  it.each([
    "ls dist | xargs -I{} rm -rf dist/{}",
    "ls -t src | head -1 | xargs cat",
    "cat list | xargs rm -f",
    "cat list | xargs -n1 echo",
    "echo dist build | xargs rm -rf",
    "printf '%s\\n' dist build | xargs rm -rf",
    "git ls-files | xargs sed -i s/a/b/",
    "grep -rl foo src | xargs sed -i s/foo/bar/",
    "ls src | xargs -I{} cp src/{} /tmp/",
    'D=$(mktemp -d) && rm -rf "$D"',
    "D=$(mktemp -d); trap 'rm -rf \"$D\"' EXIT",
    'rm -rf "$UNKNOWN"',
    'rm -rf "${TMPDIR:-/tmp}/x"',
    "rm -rf $(pwd)/dist",
    "rm -rf {dist,build}",
    "rm -f $(git ls-files -o)",
    'for f in a b; do rm -rf "$f"; done',
    "rsync -a --delete src/ /tmp/copy/",
    "rm -rf $(find . -name __pycache__)",
    'rm -rf "$(find . -type d -name __pycache__)"',
    "rm -rf dist `find . -name '*.egg-info' -type d | sort`",
    "rm -f $(find . -name '*.pyc' 2>/dev/null)",
    "sed -i s/a/b/ $(find src -name '*.ts')",
    "cd $(find . -name pkg -type d | head -1) && touch x",
    "ls *.txt | xargs rm",
    "ls -1 *.txt | head -5 | xargs rm -f",
    "ls *.log *.tmp | xargs -I{} mv {} /tmp/",
    "ls -d build-* | xargs rm -rf",
    "ls src/*.orig | xargs rm",
    "find src -name '*.o' -printf '%p\\n' | xargs rm -f",
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});

describe("removing the directory of the harness's settings", () => {
  const settings = { exists: (path: string) => path === "/home/me/ws/pkg/.claude/settings.json" };
  const servers = { exists: (path: string) => path === "/home/me/ws/pkg/.mcp.json" };
  const directory = { exists: (path: string) => path === "/home/me/ws/.claude" };

  it.each<[string, string, Parameters<typeof ruleOf>[1]?]>([
    ["harness-settings", "rm -rf .claude"],
    ["harness-settings", "rm -rf .claude/"],
    ["harness-settings", "rm -rf dist .Claude"],
    ["harness-settings", "rm -rf .c*"],
    ["harness-settings", "mv .claude x"],
    ["harness-settings", "mv -t /tmp .claude"],
    ["harness-settings", "find .claude -delete"],
    ["harness-settings", "git rm -r .claude"],
    ["harness-settings", "git mv .mcp.json x"],
    ["frozen-document", "git mv a.md .flower/notes/goal.md"],
    ["remove-root", "git rm -r ."],
    ["write-outside", "cd /srv && git rm -r --cached x"],
    ["harness-settings", "git -C src mv ../.claude x"],
    ["harness-settings", "find . -name .claude -exec rm -rf {} +", directory],
    ["harness-settings", "rm -rf $(find . -name .claude)", directory],
    ["harness-settings", "rm -rf pkg", settings],
    ["harness-settings", "mv pkg lib", settings],
    ["harness-settings", "rm -rf pkg/.claude", settings],
    ["harness-settings", "rm -rf pkg", servers],
    ["allowed", "rm -rf pkg"],
    ["allowed", "rm -rf pkg/.claude"],
    ["allowed", "rm -rf pkg/src", settings],
    ["allowed", "rm -rf .claude/agents"],
    ["allowed", "git rm -r --cached .claude"],
    ["allowed", "git rm -r src/old && git mv a.ts src/"],
    ["allowed", "mv .claude/agents/a.md .claude/agents/b.md"],
    ["allowed", "rm -rf /tmp/x/.claude"],
    ["allowed", "find . -name .claude -exec rm -rf {} +"],
  ])("%s: %s", (rule, command, changes) => {
    expect(ruleOf(workerCall("Bash", { command }), changes)).toBe(rule);
  });
});

it("a recursive change of the workspace says to name directories", () => {
  for (const command of ["chmod -R 755 .", "chown -R me .", "setfacl -R -m u:x:r ."]) {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.rule).toBe("remove-root");
    expect(verdict.allow ? "" : verdict.reason).toMatch(/mode or owner.*Name the directories/s);
  }
});
