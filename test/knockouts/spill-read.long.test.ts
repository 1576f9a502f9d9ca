import { symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { readsSpill } from "../../src/runtime/spill-read.ts";
import { call, say } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { tempDir } from "../support/rehearse.ts";
import { main, SPEC, stage } from "../support/stage.ts";

it("a part of a spilled result that is read back reaches the model as it is", async () => {
  const { runtime, rehearsal } = await stage([
    main([
      call("Bash", { command: "seq 1 30000" }),
      ({ toolResults: [result] }) =>
        call("Read", {
          file_path: /whole text is in (.*?\.txt);/.exec(result?.text ?? "")?.[1],
          limit: 1_500,
        }),
      ({ toolResults: [result] }) =>
        say(/characters, \d+ lines/.test(result?.text ?? "") ? "a pointer" : "text"),
    ]),
  ]);
  expect((await runtime.run(SPEC, "do it")).text).toBe("text");
  expect(JSON.stringify(rehearsal.body(2).messages)).toContain("1499");
});

describe("readsSpill", () => {
  it.each<[string, boolean]>([
    ["cat SPILLED", true],
    ["head -5 SPILLED; tail -5 SPILLED", true],
    ["cat SPILLED; cat other.txt", false],
    ["cat other.txt", false],
    ["cat 'SPILLED", false],
    ["grep -n x SPILLED | head -50", true],
    ["cat SPILLED | cut -d , -f 2 | sort | uniq -c", true],
    ["head -c 9000 < SPILLED", true],
    ["sed -n '1,90p' SPILLED | tr a-z A-Z", true],
    ["cd .flower/spill && grep -c x NAME; sed -n 1,9p NAME", true],
    ["cat RELATIVE LINKED", true],
    ["cat SPILLED | cat - other.txt", false],
    ["cat SPILLED | node filter.js", false],
    ["cat SPILLED | grep x other.txt", false],
    ["cat other.txt | grep SPILLED", false],
    ["cd .flower/spill && ls", false],
    ["cd .flower/spill", false],
    ["head -5 NAME", false],
    ["echo SPILLED; seq 1 9000", false],
    ["cat SPILLED & seq 1 9000", false],
    ["node gen.js SPILLED", false],
    ["python3 -c 'print(9)' < SPILLED", false],
    ["cat SPILLED big.txt", false],
    ["grep -f SPILLED big.txt", false],
    ["grep -f SPILLED SPILLED", true],
    ["grep -e x -e y -A 3 SPILLED", true],
    ["sed -n -e 1p -e '5w x' SPILLED", false],
    ["awk 'NR > 10 && /x/' SPILLED", true],
    ["awk '{print > \"/dev/stderr\"}' SPILLED", true],
    ["cut -d / -f 2 SPILLED | tr a b", true],
    ["jq -r .x SPILLED | head -n 9 -", true],
    ["ls -lR / SPILLED", false],
    ["cat WS/.flower/spill/0123*.txt | head -c 6000", true],
    ["grep -h line .flower/spill/*.txt | head -c 6000", true],
    ["cat .flower/spill/{a,b}.txt", true],
    ["cat .flower/spill/{a,../../big}.txt", false],
    ["cat .flower/*/NAME", false],
    ["cat .flower/spill/*/../../big.txt", false],
    ["cat .flower/spill/$x", false],
    ["cd .flower/spill && cat *.txt", true],
    ["cat *.txt", false],
    ["timeout 5 head -c 6000 SPILLED", true],
    ["timeout 5 seq 1 9000; cat SPILLED", false],
    ["timeout 5 cat SPILLED | timeout 1m head -n 9", true],
    ["head -c 6000 SPILLED || true", true],
    ["set -o pipefail; head -c 6000 SPILLED | head -n 9", true],
    ["set; head -c 6000 SPILLED", false],
    ["echo 'part 1:'; head -c 6000 SPILLED; printf '%s\\n' --", true],
    ["echo 'part 1:'; true", false],
    ["echo *; head -c 6000 SPILLED", false],
    ["printf '%9999999s' x; head -c 6000 SPILLED", false],
    ["for i in 1 2; do echo a line; done; head -c 6000 SPILLED", false],
    [`echo ${"x".repeat(5000)}; head -c 6000 SPILLED`, false],
    // What is done in a shell of its own ends with it.
    ["(cd .flower/spill; head -n 1 NAME); cat big.txt", false],
    ["(cd .flower/spill; head -n 1 NAME); cat SPILLED", true],
    ["(cd .flower/spill; cd .. ; head -n 1 NAME)", false],
    ["cd .flower/spill | true; cat big.txt", false],
    ["{ cd .flower/spill & }; cat big.txt", false],
    ["cd .flower/spill & cat big.txt", false],
    ["cd .flower/spill && head -1 NAME; cd -; cat big.txt", false],
    ["cd .flower/spill && head -1 NAME; cd ~; cat big.txt", false],
    ["cd .flower/spill && head -1 NAME; cd; cat big.txt", false],
    ["cd .flower/spill && head -1 NAME; cd -; cat SPILLED", true],
    ["cd .flower/spill; head -1 ~/big.txt", false],
    ["cd .flower/spill; head -1 NAME", true],
    // Nobody knows whether or how often these happen.
    ["false && cd .flower/spill; cat big.txt", false],
    ["if false; then cd .flower/spill; fi; cat big.txt", false],
    ["f() { cd .flower/spill; }; cat big.txt", false],
    ["cd .flower/spill; for i in 1 2; do cat NAME; cd ..; done", false],
    ["cd .flower/gone; cat big.txt", false],
    ["cat SPILLED 2026-11-30", false],
    ["head -n 5 2026 SPILLED", false],
    ["head -5 2026 SPILLED", false],
    ["cat -n 2026 SPILLED", false],
    ["head --lines 5 -v SPILLED", true],
    ["od -A d -j 16 SPILLED | fold -w 80", true],
    ["cat SPILLED | grep -r x", false],
    ["cat SPILLED | sed 'r big.txt'", false],
    ["awk '{while ((getline l < \"big.txt\") > 0) print l}' SPILLED", false],
    ["awk -f prog SPILLED", false],
    ["grep $x SPILLED", false],
    // The other way round.
    ['cat SPILLED; echo "exit: $?"', true],
    ['cat SPILLED; echo "$x"', false],
    ["grep -rn x .flower/spill", true],
    ["grep -rn x .flower", false],
    ["rg x .flower/spill/", true],
    ["pwd; cat SPILLED", true],
    ["pwd", false],
    ["while pwd; do cat SPILLED; done", false],
    ["timeout -s KILL 5 cat SPILLED", true],
    ["timeout --foreground -k 1 5 cat big.txt", false],
    ["F=SPILLED; cat $F", true],
    ['S=.flower/spill; cat "$S/NAME" | head -n 3; wc -l $S/*.txt', true],
    ["F=SPILLED; F=big.txt; cat $F", false],
    ["F=SPILLED; (F=big.txt); cat $F", true],
    ["F=SPILLED; true && F=big.txt; cat $F", false],
    ["F='SPILLED big.txt'; cat $F", false],
    ["F=SPILLED; printf -v F big.txt; cat $F", false],
    ["F=SPILLED; : ${F:=x}; cat $F", false],
    ["F=SPILLED cat $F", false],
    ["IFS=p; F=SPILLED; cat $F", false],
    ["F=~/big.txt; cat $F", false],
    ["for f in .flower/spill/*.txt; do head $f; done", true],
    ['S=.flower/spill; for f in $S/a.txt $S/b.txt; do tail -n 2 "$f"; done', true],
    ["for f in .flower/spill/*.txt big.txt; do head $f; done", false],
    ["for f in .flower/spill/*.txt; do f=big.txt; head $f; done", false],
    ["for f in .flower/spill/*.txt; do head $f; done; cat $f", false],
    ["f=SPILLED; for f in big.txt; do cat $f; done", false],
    ["", false],
  ])("%s: %s", async (command, expected) => {
    const workspace = await tempDir("plain");
    const workbench = Workbench.open({ workspace });
    const path = workbench.spill("long")?.path ?? "";
    await symlink(path, join(workspace, "linked.txt"));
    const places: Readonly<Record<string, string>> = {
      SPILLED: path,
      WS: workspace,
      NAME: basename(path),
      RELATIVE: relative(workspace, path),
      LINKED: "linked.txt",
    };
    // At once: a temporary directory may have one of these words in its name.
    const input = { command: command.replace(/[A-Z]{2,}/g, (word) => places[word] ?? word) };
    expect(readsSpill({ id: "t", name: "Bash", input, cwd: workspace }, workbench)).toBe(expected);
  });

  it.each<[string, string, string, boolean]>([
    ["Read", "file_path", "SPILLED", true],
    ["Read", "file_path", "linked.txt", true],
    ["Read", "file_path", "other.txt", false],
    ["Grep", "path", "SPILLED", true],
    ["Grep", "path", "linked.txt", true],
    ["Grep", "path", ".flower/spill", true],
    ["Grep", "path", ".flower", false],
    ["Grep", "path", ".flower/spill/..", false],
    ["Read", "file_path", ".flower/spill", false],
    ["Grep", "pattern", "SPILLED", false],
    ["Glob", "path", "SPILLED", false],
  ])("%s with %s %s: %s", async (name, field, value, expected) => {
    const workspace = await tempDir("plain");
    const workbench = Workbench.open({ workspace });
    const path = workbench.spill("long")?.path ?? "";
    await symlink(path, join(workspace, "linked.txt"));
    const input = { [field]: value.replace("SPILLED", path) };
    expect(readsSpill({ id: "t", name, input, cwd: workspace }, workbench)).toBe(expected);
  });
});
