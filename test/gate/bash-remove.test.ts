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
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});
