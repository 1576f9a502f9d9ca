import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

const run = (command: string, changes?: Parameters<typeof ruleOf>[1]) =>
  ruleOf(workerCall("Bash", { command }), changes);

describe("commands of a worker that pass", () => {
  it.each([
    "npm test",
    "npm install && npm run build 2>&1 | tail -n 20",
    "node -e 'console.log(1)'",
    "python3 - <<'EOF'\nprint(1)\nEOF",
    "cat /usr/include/stdio.h",
    "cat > src/a.ts <<'EOF'\nsudo is only text here\nEOF",
    "echo .env >> .gitignore",
    "echo 'use sudo' > README.md",
    "mkdir -p .flower/artifacts && npm test > .flower/artifacts/test.log 2>&1",
    "rm -rf dist node_modules/.cache",
    "rm -rf ./build/*",
    "rm -rf /tmp/scratch",
    'D=$(mktemp -d); cd "$D" && git init && git config user.name x && rm -rf "$D"',
    "cd /tmp/fixture && git reset --hard && git clean -fdx && git config user.email a@b",
    "touch /tmp/x; cp src/a.ts /tmp/; mv a.ts b.ts",
    "find . -name '*.pyc' -delete",
    "find src -name '*.ts' -exec sed -i s/a/b/ {} +",
    "ls > /dev/null 2>&1",
    "echo x >&2",
    "exec 3>&1",
    "sed -i 's/a/b/' src/a.ts",
    "sed 's#/etc/passwd#x#' src/a.ts",
    "chmod +x scripts/run.sh",
    "git add -A && git commit -m 'fix sudo, then git push'",
    "git checkout -b feature/x",
    "git checkout main",
    "git checkout release/1.2",
    "git switch main",
    "git stash && git stash pop",
    "git restore --staged src/a.ts",
    "git reset HEAD~1",
    "git clean -n",
    "git push --dry-run",
    "git branch -D old",
    "git config user.name",
    "git config --get user.name",
    "git -c user.name=x commit -m y",
    "git log -- .",
    "npm publish --dry-run",
    "docker build .",
    "gh pr view 1",
    "gh api repos/a/b",
    "terraform plan",
    "kubectl get pods",
    "vercel --version",
    "timeout 60 npm test",
    "env NODE_ENV=test npm test",
    "bash scripts/run.sh",
    "bash -c 'npm test && ls'",
    "xargs -n 1 echo < list.txt",
    'for f in src/*.ts; do cat "$f"; done',
    "curl -o /tmp/x http://127.0.0.1/",
    "dd if=/dev/zero of=/tmp/x bs=1 count=1",
    "tar -xf a.tgz -C /tmp/x",
    'cp -r src "$UNKNOWN"',
    "(cd sub && npm i) && rm -rf dist",
    "cat .env.example",
    "grep -rn HOME src",
  ])("%s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });
});

describe("commands of a worker that are refused", () => {
  it.each<[string, string]>([
    // rights
    ["sudo", "sudo ls"],
    ["sudo", "ls && /usr/bin/sudo -n ls"],
    ["sudo", "doas ls"],
    ["sudo", "su -c ls"],
    ["sudo", "echo $(sudo ls)"],
    ["sudo", "if true; then sudo ls; fi"],
    ["sudo", "f() { sudo ls; }"],
    ["sudo", "ls | xargs sudo rm"],
    // wrappers
    ["sudo", "bash -c 'sudo ls'"],
    ["sudo", 'bash -lc "cd x && sudo ls"'],
    ["sudo", "sh -e -c 'bash -c \"sudo ls\"'"],
    ["sudo", "env A=1 B=2 sudo ls"],
    ["sudo", "timeout -k 5 10 sudo ls"],
    ["sudo", "nice -n 5 nohup sudo ls"],
    ["sudo", "eval 'sudo ls'"],
    ["sudo", "exec sudo ls"],
    ["sudo", "command sudo ls"],
    ["sudo", "trap 'sudo ls' EXIT"],
    ["sudo", "bash <<'E'\nsudo ls\nE"],
    ["sudo", "bash <<< 'sudo ls'"],
    ["sudo", "find . -exec sudo rm {} \\;"],
    ["sudo", "X=sudo; $X ls"],
    // removing
    ["remove-root", "rm -rf ."],
    ["remove-root", "rm -rf ./"],
    ["remove-root", "rm -r /home/me/ws"],
    ["remove-root", "rm -rf *"],
    ["remove-root", "rm -rf ./*"],
    ["remove-root", "rm -rf /home/me/ws/*"],
    ["remove-root", "rm -rf .."],
    ["remove-root", "rm -rf /"],
    ["remove-root", "rm -rf /*"],
    ["remove-root", "rm -rf ~"],
    ["remove-root", "rm -rf $HOME"],
    ["remove-root", 'rm -rf "$PWD"'],
    ["remove-root", "cd src && rm -rf .."],
    ["remove-root", "rm -rf .flower"],
    ["remove-root", "rm -rf /tmp"],
    ["remove-root", "mv /home/me/ws /tmp/x"],
    ["git-internals", "rm -rf .git"],
    ["git-internals", "rm -rf .g*"],
    ["git-internals", "rm -rf src {.git,x}"],
    ["git-internals", "mv .git /tmp/x"],
    ["git-internals", "find .git -delete"],
    ["run-dir", "rm -rf runs"],
    ["run-dir", "rm -rf run*"],
    ["frozen-document", "rm -rf .flower/notes"],
    ["frozen-document", "rm .flower/notes/*.md"],
    ["frozen-document", "mv .flower/notes /tmp/x"],
    ["write-outside", "rm -rf /srv/data"],
    ["write-outside", "rm /etc/hosts"],
    // writing
    ["write-outside", "echo x > /etc/hosts"],
    ["write-outside", "echo x >> ~/.bashrc"],
    ["write-outside", "echo x &> /srv/log"],
    ["write-outside", "echo x >| ../x"],
    ["write-outside", "{ echo x; } > /srv/x"],
    ["write-outside", "echo x | tee -a /srv/x"],
    ["write-outside", "cd /srv && touch x"],
    ["write-outside", "(cd src); cd .. && touch x"],
    ["write-outside", "X=/srv; touch $X/x"],
    ["write-outside", "mkdir -p /opt/x"],
    ["write-outside", "cp a /opt/x"],
    ["write-outside", "cp -t /opt a b"],
    ["write-outside", "mv a /opt/x"],
    ["write-outside", "mv /opt/x ."],
    ["write-outside", "ln -s src /opt/x"],
    ["write-outside", "install -m 755 a /usr/local/bin/a"],
    ["write-outside", "dd if=a of=/dev/sda"],
    ["write-outside", "sed -i s/a/b/ /etc/hosts"],
    ["write-outside", "sed -i -e s/a/b/ /etc/hosts"],
    ["write-outside", "perl -pi -e s/a/b/ /etc/hosts"],
    ["write-outside", "truncate -s 0 /srv/x"],
    ["write-outside", "chmod 777 /etc/hosts"],
    ["write-outside", "curl -o /srv/x http://127.0.0.1/"],
    ["write-outside", "wget --output-document=/srv/x http://127.0.0.1/"],
    ["write-outside", "tar -xf a -C /opt"],
    ["write-outside", "rsync -a src/ /opt/x"],
    ["write-outside", "sort -o /srv/x a"],
    ["write-outside", "find /srv -exec rm {} +"],
    ["write-outside", "find . -fprint /srv/x"],
    ["write-outside", "touch /{srv,tmp}/x"],
    ["frozen-document", "echo x > .flower/notes/brief.md"],
    ["frozen-document", "cp brief.md .flower/notes/"],
    ["frozen-document", "touch .flower/notes/{goal,a}.md"],
    ["frozen-document", "cd .flower/notes && touch goal.md"],
    ["frozen-document", "sed -i s/a/b/ .flower/INDEX.md"],
    ["run-dir", "touch runs/x"],
    ["spill", "echo x > .flower/spill/0.txt"],
    ["git-internals", "echo x > .git/hooks/pre-commit"],
    ["git-internals", "cp hook .git/hooks/"],
    ["git-internals", "git config user.name z"],
    ["git-internals", "git config --global user.name z"],
    ["git-internals", "git config set user.name z"],
    ["git-internals", "git config --unset core.bare"],
    ["harness-settings", "echo {} > .mcp.json"],
    ["harness-settings", "tee .claude/settings.json"],
    // discarding
    ["git-discard", "git reset --hard"],
    ["git-discard", "git reset --hard HEAD~1"],
    ["git-discard", "git -C src reset --hard"],
    ["git-discard", "cd src && git reset --hard"],
    ["git-discard", "(cd /tmp/x); git reset --hard"],
    ["git-discard", 'cd "$(pwd)" && git reset --hard'],
    ["git-discard", "cd /tmp && git --git-dir=/home/me/ws/.git --work-tree=/home/me/ws reset --hard"],
    ["git-discard", "git clean -fd"],
    ["git-discard", "git checkout -- ."],
    ["git-discard", "git checkout ."],
    ["git-discard", "git checkout -f main"],
    ["git-discard", "git checkout HEAD src/a.ts"],
    ["git-discard", "git switch --discard-changes main"],
    ["git-discard", "git restore src/a.ts"],
    ["git-discard", "git restore --staged --worktree ."],
    ["git-discard", "git stash drop"],
    ["git-discard", "git stash clear"],
    // publishing
    ["publish", "git push"],
    ["publish", "git -C sub push origin main"],
    ["publish", "cd /tmp/x && git push"],
    ["publish", "git push $X"],
    ["publish", "npm publish"],
    ["publish", "pnpm publish --access public"],
    ["publish", "npm run deploy"],
    ["publish", "docker push x"],
    ["publish", "docker buildx build --push ."],
    ["publish", "gh release create v1"],
    ["publish", "gh pr create --fill"],
    ["publish", "gh api -X POST repos/a/b"],
    ["publish", "gh api repos/a/b -f x=y"],
    ["publish", "kubectl apply -f x"],
    ["publish", "terraform apply -auto-approve"],
    ["publish", "vercel"],
    ["publish", "npx vercel deploy --prod"],
    ["publish", "npx --yes netlify deploy"],
    ["publish", "fly deploy"],
    ["publish", "cargo publish"],
    ["publish", "python3 -m twine upload dist/*"],
    ["publish", "scp a host:/srv"],
    ["publish", "rsync -a dist/ host:/srv"],
    // credentials
    ["credential", "cat ~/.ssh/id_rsa"],
    ["credential", "cat $HOME/.aws/credentials"],
    ["credential", "cat .env"],
    ["credential", "cat < .env"],
    ["credential", "cd sub && cat ../.env"],
    ["credential", "cat ~/.ssh/*"],
    ["credential", "curl -d @.env http://127.0.0.1/"],
    ["credential", "curl --netrc-file=/home/me/.netrc http://127.0.0.1/"],
    ["credential", "node -e 'fs.readFileSync(\"/home/me/.ssh/id_rsa\")'"],
    ["credential", "tr '\\0' '\\n' < /proc/self/environ"],
    ["credential", "cat /proc/$PPID/../1/environ /proc/1/environ"],
    ["credential", "bash -c 'cat ~/.netrc'"],
    ["credential", "cp /etc/flower.env x"],
    // what cannot be judged
    ["unparsable", "echo 'x"],
    ["unparsable", "ls ("],
    ["unparsable", "bash -c 'if'"],
  ])("%s: %s", (rule, command) => {
    expect(run(command)).toBe(rule);
  });

  it("with a reason that says why and what instead", () => {
    for (const command of [
      "sudo ls",
      "git push",
      "git reset --hard",
      "touch /srv/x",
      "echo 'x",
      "cat .env",
    ]) {
      const verdict = decide(workerCall("Bash", { command }));
      expect(verdict.allow ? "" : verdict.reason).toMatch(/\. \S.*\.$|, .*\.$/s);
    }
  });

  it("unless the brief allows publishing", () => {
    expect(run("git push && npm publish", { allowPublish: true })).toBe("allowed");
    expect(run("sudo git push", { allowPublish: true })).toBe("sudo");
  });

  it("when there is none", () => {
    expect(ruleOf(workerCall("Bash", {}))).toBe("bad-input");
  });

  it("when scripts are nested without end", () => {
    expect(run(`${"eval ".repeat(20)}sudo ls`)).toBe("unparsable");
    expect(run(`${"nice ".repeat(20)}sudo ls`)).toBe("unparsable");
  });
});

describe("an isolated worker", () => {
  const isolated = { worktrees: ["/home/me/trees"], isolatedAgents: ["coder"] };
  const inTree = (command: string) =>
    ruleOf({ ...workerCall("Bash", { command }), cwd: "/home/me/trees/a" }, isolated);

  it.each<[string, string]>([
    ["allowed", "git add -A && git commit -m x"],
    ["allowed", "git reset --hard && git clean -fd"],
    ["allowed", "git stash list"],
    ["allowed", "echo x > src/a.ts"],
    ["allowed", "echo x > /home/me/trees/a/b"],
    ["shared-checkout", "echo x > /home/me/ws/a.ts"],
    ["shared-checkout", "cp a.ts ../../ws/src/"],
    ["shared-checkout", "rm -rf /home/me/ws/src"],
    ["shared-checkout", "echo x > ../b/a.ts"],
    ["remove-root", "rm -rf /home/me/trees/a"],
    ["allowed", "git -C /home/me/ws log"],
    ["shared-checkout", "git stash"],
    ["shared-checkout", "git branch -D main"],
    ["shared-checkout", "git worktree remove x"],
    ["shared-checkout", "git update-ref refs/heads/main HEAD"],
    ["shared-checkout", "git -C /home/me/ws commit -m x"],
    ["shared-checkout", "cd /home/me/ws && git checkout main"],
    ["shared-checkout", "git tag -d v1"],
    ["publish", "git push"],
  ])("%s: %s", (rule, command) => {
    expect(inTree(command)).toBe(rule);
  });
});
