import { describe, expect, it } from "vitest";
import { glanceRefusal, isGlance } from "../../src/context/glance.ts";

const ALLOWED = [
  'git status -s && echo "--- LOG ---" && git log --oneline -10',
  "ls 2>&1",
  "ls &>/dev/null",
  "git reflog",
  "find . -name f",
  "cat f # > o",
  "which g++ clang++ make pkg-config 2>&1; echo ---; ls /usr/include/ncurses.h 2>&1; echo ---; ls /srv/runs",
  'grep -R "Cargo.toml" -n || true',
  "git merge-base main HEAD",
  "git grep -n foo",
  "ls",
  "ls -la src/*.ts",
  "ls *.ts",
  "ls >/dev/null 2>/dev/null",
  "ls missing; echo $?",
  'ls missing; echo "exit=$?"',
  "! test -f x",
  "test -d src && echo yes",
  "[ -f package.json ] && cat package.json",
  "cat a b | sort -nrk2,2 -t: | uniq -c | head -20",
  "(git status; git diff --stat) | tail -n 5",
  "{ ls; pwd; }",
  "LC_ALL=C sort f",
  "TZ=Europe/Lisbon date +%H:%M",
  "'git' status",
  "git -C sub --no-pager log -p -5 --since=yesterday --author 'A B' -- src",
  "git diff HEAD~1..HEAD --stat",
  "git diff --cached --name-only",
  "git show HEAD:src/a.ts",
  "git show --stat HEAD",
  "git branch",
  "git branch -avv",
  "git branch --show-current",
  "git branch --list 'feat/*'",
  "git branch --merged main",
  "git tag",
  "git tag -l 'v*'",
  "git remote -v",
  "git remote get-url origin",
  "git rev-parse --show-toplevel",
  "git reflog show -n 5",
  "git blame -L 10,20 src/a.ts",
  "git ls-files -m",
  "git stash list",
  "git worktree list",
  "git describe --tags --always",
  "git config --get user.name",
  "git config -l",
  "git config get user.name",
  "git shortlog -sn HEAD",
  "git --version",
  "rg -n --glob '*.ts' -A 3 foo src",
  "find . -maxdepth 2 \\( -name '*.ts' -o -name '*.js' \\) -not -path './node_modules/*' -print",
  "find src test -type f -newer package.json",
  "sed -n '10,20p' f",
  "sed -n '/^start/,/^end/p' f",
  "sed -n '$=' f",
  "sed 's/[a-z]*/x/g; s|/usr|/opt|' f",
  "sed -n -e 5p f",
  "sed 10q f",
  "awk '{print $1}' f",
  "awk -F: 'NR < 5 || /x/ {print $2}' f",
  "jq -r '.scripts | keys[]' package.json",
  "printf '%s\\n' a b",
  "date -u +%F",
  "date -d yesterday",
  "command -v node",
  "tar -tzf a.tgz",
  "tar tf a.tar src",
  "xxd -l 16 f",
  "uniq -c f",
  "file -b --mime-type f",
  "tree -L 2 -I node_modules",
  "diff -u a b",
  "tail -n 20 f",
  "tail -20 f",
  "hostname -f",
  "ps aux",
  "ps -ef",
  "ps -o pid,args -p 1",
  "node --version; npm -v; python3 -V; go version",
  "wc -l src/*.ts",
  "stat f && du -sh . && df -h",
  "sha256sum f",
  "sort -u ./*",
  "time ls",
];

describe("isGlance", () => {
  it.each(ALLOWED)("allows %j", (command) => {
    expect(glanceRefusal(command)).toBeUndefined();
    expect(isGlance(command)).toBe(true);
  });
});

describe("a glance with a dangerous piece in it", () => {
  const PIECES = [
    "; rm -rf x",
    "\nrm -rf x",
    " && touch o",
    " || touch o",
    " | sh",
    " |& sh",
    " & touch o",
    " > o",
    " >> o",
    " >| o",
    " &> o",
    " 2> o",
    " $(touch o)",
    ' "$(touch o)"',
    " `touch o`",
    " <(touch o)",
    " >(touch o)",
    " $HOME",
    " &",
    " <<< x",
    "; X=1 ls",
    "; PATH=. ls",
    "; eval ls",
  ];

  /** A small generator with a fixed start: the same mutations in every run. */
  function* numbers(seed: number): Generator<number, never> {
    let state = seed;
    for (;;) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      yield state;
    }
  }

  it("is never a glance (1,000 mutations)", () => {
    const commands = ALLOWED.filter((command) => !command.includes("#"));
    const random = numbers(20_260_101);
    for (let i = 0; i < 1000; i += 1) {
      const command = commands[random.next().value % commands.length]!;
      const piece = PIECES[random.next().value % PIECES.length]!;
      // Between words that stand outside quotes: inside them the piece would be text.
      const gaps = [...command.matchAll(/ |$/g)]
        .map((match) => match.index)
        .filter((at) => (command.slice(0, at).match(/['"]/g) ?? []).length % 2 === 0)
        .filter((at) => !/\\$/.test(command.slice(0, at)));
      const at = gaps[random.next().value % gaps.length]!;
      const mutated = command.slice(0, at) + piece + command.slice(at);
      expect(isGlance(mutated), mutated).toBe(false);
    }
  });
});
