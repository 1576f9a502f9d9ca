import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

const FILES = { exists: (path: string) => /\/(src|Makefile)$/.test(path) };

describe("git", () => {
  it.each<[string, string]>([
    // throwing away
    ["git-discard", "git checkout src"],
    ["git-discard", "git checkout Makefile"],
    ["git-discard", "git checkout HEAD src"],
    ["git-discard", "git checkout HEAD Makefile"],
    ["git-discard", "git checkout -q HEAD -- lib"],
    ["git-discard", "git checkout -p"],
    ["git-discard", "git checkout --pathspec-from-file=x"],
    ["git-discard", "git checkout --ours a"],
    ["git-discard", "git checkout -fq"],
    ["git-discard", "git checkout --forc main"],
    ["git-discard", "git checkout :/"],
    ["git-discard", "git reset --har"],
    ["git-discard", "git reset --merge"],
    ["git-discard", "git reset HEAD --hard"],
    ["git-discard", "git -c a.b=c reset --hard"],
    ["git-discard", "git --no-pager reset --hard"],
    ["git-discard", "git --git-dir=.git --work-tree=. reset --hard"],
    ["git-discard", "git -C$PWD reset --hard"],
    ["git-discard", "cd /tmp && GIT_DIR=/home/me/ws/.git git reset --hard"],
    ["git-discard", "GIT_WORK_TREE=/home/me/ws git -C /tmp reset --hard"],
    ["git-discard", "cd /tmp && export GIT_WORK_TREE=/home/me/ws && git reset --hard"],
    ["git-discard", "cd /tmp && env GIT_DIR=/home/me/ws/.git git reset --hard"],
    ["git-discard", "git clean -fd -enothing"],
    ["git-discard", "git clean -fd -e -n"],
    ["git-discard", "git clean -fdx --exclude -n"],
    ["git-discard", "git clean -n --no-dry-run -f"],
    ["git-discard", "git restore -SW ."],
    ["git-discard", "git restore -S -W ."],
    ["git-discard", "git restore --staged --work ."],
    ["git-discard", "git rm -rf ."],
    ["git-discard", "git rm -f src/a.ts"],
    ["git-discard", "git rm --forc -r src"],
    ["git-discard", "git switch --disc main"],
    ["git-discard", "git stash drop stash@{0}"],
    ["git-discard", "git reflog expire --expire=now --all"],
    ["git-discard", "git update-ref -d refs/stash"],
    ["git-discard", "git checkout-index -f -a"],
    ["git-discard", "git checkout-index --force --all"],
    ["git-discard", "git read-tree --reset -u HEAD"],
    ["git-discard", "git submodule foreach 'git reset --hard'"],
    ["git-discard", "git submodule foreach --recursive git reset --hard"],
    ["git-discard", "git submodule update --force"],
    // what hides the command
    ["git-internals", "git -c alias.x='reset --hard' x"],
    ["git-internals", "git -c alias.p=push p"],
    ["git-internals", "git --exec-path=/x status"],
    ["git-internals", "git -calias.x='!rm -rf .' x"],
    ["git-internals", "git --config-env=alias.x=X x"],
    ["git-internals", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x"],
    ["git-internals", "git config alias.x 'reset --hard'"],
    ["git-internals", "cd /tmp/x && git config --add alias.p push"],
    ["git-internals", "git config -f .git/config a.b c"],
    // sending
    ["publish", "git push -nf --no-dry-run"],
    ["publish", "git push --dry-run --no-dry-run"],
    ["publish", "git push -o --dry-run"],
    ["publish", "git push --push-option --dry-run origin main"],
    ["publish", "git push origin -- --dry-run"],
    ["publish", "git -C x -c y=z push origin HEAD"],
    ["publish", "git send-pack origin"],
    ["publish", "git svn dcommit"],
    ["publish", "git subtree push --prefix x origin y"],
    ["publish", "git lfs push origin main"],
    ["publish", "git rebase --exec='git push' HEAD~1"],
    // writing elsewhere
    ["write-outside", "git clone a /srv/out"],
    ["write-outside", "git clone --depth 1 -b main u /srv/out"],
    ["write-outside", "git -C /srv clone u"],
    ["write-outside", "cd /srv && git clone u"],
    ["write-outside", "git clone --separate-git-dir /srv/g u x"],
    ["write-outside", "git init /srv/x"],
    ["write-outside", "git -C /srv/repo commit -am x"],
    ["write-outside", "cd /srv/repo && git pull"],
    ["write-outside", "git worktree add /srv/out"],
    ["write-outside", "git worktree add -b x /srv/wt"],
    ["write-outside", "git worktree remove --force /srv/wt"],
    ["write-outside", "git archive -o /srv/x HEAD"],
    ["write-outside", "git archive --output=/srv/x HEAD"],
    ["write-outside", "git bundle create /srv/x HEAD"],
    ["write-outside", "git format-patch -o /srv HEAD~1"],
    ["write-outside", "git format-patch -1 -o/srv"],
    ["write-outside", "git diff --output=/srv/x"],
    ["write-outside", "git config -f /srv/x a.b c"],
    ["write-outside", "git checkout-index -a --prefix=/srv/out/"],
    // running other things
    ["sudo", "git -c core.fsmonitor='sudo id' status"],
    ["sudo", "git -c diff.external='sudo id' diff"],
    ["sudo", "git -c core.sshCommand='sudo id' fetch"],
    ["sudo", "git rebase -x 'sudo id' HEAD~1"],
    ["sudo", "git bisect run sudo id"],
    ["sudo", "GIT_SSH_COMMAND='sudo id' git fetch"],
    ["sudo", "export EDITOR='sudo vi'; git commit"],
    ["sudo", "git filter-branch --tree-filter 'sudo id' HEAD"],
    ["sudo", "git difftool -x 'sudo id'"],
  ])("is refused (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }), FILES)).toBe(rule);
  });

  it.each([
    "git commit -am x && git log -1 --stat",
    "git stash list",
    "git stash show -p",
    "git stash push -m x",
    "git checkout main",
    "git checkout -b x origin/main",
    "git checkout main --",
    "git checkout -",
    "git checkout --detach HEAD~1",
    "git switch src",
    "git reset --soft HEAD~1",
    "git reset -q",
    "git rm -r --cached dist",
    "git rm src/a.ts",
    "git clean -nfd",
    "git restore -S .",
    "git push -n",
    "git push -v --dry-run origin main",
    "git -c user.email=a@b commit -m x",
    "git -c core.editor=true rebase --continue",
    "git worktree add /tmp/wt HEAD",
    "git worktree list",
    "git clone . /tmp/clone",
    "git archive -o /tmp/x.tar HEAD",
    "git format-patch -o /tmp HEAD~1",
    "git format-patch --stdout HEAD~1",
    "git bundle create /tmp/b HEAD",
    "git diff --output=/tmp/d",
    "git config --get-regexp alias",
    "git config alias.st",
    "git config -f package.cfg a.b c",
    "git -C /usr/src log",
    "git submodule update --init",
    "git submodule foreach 'git status'",
    "git fetch origin main",
    "git bisect run npm test",
    "GIT_PAGER=cat git log",
    "GIT_EDITOR=true git commit --amend",
    "GIT_CONFIG_GLOBAL=/dev/null git status",
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }), FILES);
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});

describe("what git keeps in the repository's settings", () => {
  const repository = { exists: (path: string) => path === "/home/me/ws/.git/config" };
  it.each([
    "git init",
    "git init .",
    "git remote add up https://localhost/x",
    "git remote set-url origin y",
    "git branch -M main",
    "git branch -u origin/main",
    "git branch --unset-upstream",
    "git submodule add u lib",
    "git submodule update --init",
    "git sparse-checkout set src",
  ])("stays as it is: %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }), repository)).toBe("git-internals");
    expect(ruleOf(workerCall("Bash", { command }))).toBe("allowed");
    expect(ruleOf(workerCall("Bash", { command: `cd /tmp/scratch && ${command}` }), repository)).toBe(
      "allowed",
    );
  });

  it.each([
    "git init /tmp/scratch",
    "git init lib/new",
    "git remote -v",
    "git remote show origin",
    "git branch -a",
    "git branch topic",
    "git branch -d topic",
    "git switch -c topic origin/main",
    "git submodule status",
    "git submodule update",
  ])("is not touched by: %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }), repository)).toBe("allowed");
  });
});

describe("an isolated worker's git", () => {
  const isolated = { worktrees: ["/home/me/trees"], isolatedAgents: ["coder"] };
  it.each<[string, string]>([
    ["shared-checkout", "git branch -qD main"],
    ["shared-checkout", "git branch --del main"],
    ["shared-checkout", "git fetch . HEAD:main"],
    ["git-internals", "git config user.name x"],
    ["shared-checkout", "git branch x"],
    ["shared-checkout", "git checkout -b x"],
    ["shared-checkout", "git switch -c x"],
    ["shared-checkout", "git switch main"],
    ["shared-checkout", "git tag v1"],
    ["git-discard", "git branch -f flower/b/work"],
    ["git-discard", "git branch -D flower/b/work"],
    ["shared-checkout", "git add /home/me/ws/x && git -C /home/me/ws add ."],
    ["shared-checkout", "GIT_DIR=/home/me/ws/.git git commit -m x"],
    ["allowed", "git branch -a --contains HEAD"],
    ["allowed", "git branch flower/a/second"],
    ["allowed", "git switch -c flower/a/second"],
    ["allowed", "git switch -"],
    ["allowed", "git switch --detach main"],
    ["allowed", "git merge main"],
    ["allowed", "git tag -l"],
    ["allowed", "git fetch origin main"],
    ["allowed", "git fetch git@host:a/b"],
    ["allowed", "git config user.name"],
    ["allowed", "git commit -am x"],
  ])("%s: %s", (rule, command) => {
    expect(ruleOf({ ...workerCall("Bash", { command }), cwd: "/home/me/trees/a" }, isolated)).toBe(rule);
  });
});

// Fails when work that is merged nowhere can be thrown away: the branch is the only thing that holds it.
describe("a branch of an isolated worker", () => {
  it.each<[string, string]>([
    ["git-discard", "git branch -D flower/a1/work"],
    ["git-discard", "git branch -d -f flower/a1/work"],
    ["git-discard", "git branch --delete --force refs/heads/flower/a1/work"],
    ["git-discard", "git branch -f flower/a1/work main"],
    ["allowed", "git branch -d flower/a1/work"],
    ["allowed", "git merge flower/a1/work"],
    ["allowed", "git branch -D other"],
  ])("%s: %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe(rule);
  });
});
