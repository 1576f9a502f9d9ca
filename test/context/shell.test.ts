import { describe, expect, it } from "vitest";
import { parseShell, type ShellScript } from "../../src/context/shell.ts";
import { wordText } from "../../src/context/shell-word.ts";

function script(command: string): ShellScript {
  const parsed = parseShell(command);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

describe("parseShell", () => {
  it("lists simple commands in source order, those in substitutions too", () => {
    const { commands } = script("a 1 && b | c; (d); echo $(e) <(f) `g`; if h; then i; fi");
    expect(commands.map((command) => command.program?.value)).toEqual([
      "a",
      "b",
      "c",
      "d",
      "echo",
      "e",
      "f",
      "g",
      "h",
      "i",
    ]);
  });

  it.each<[string, string, string]>([
    ["'a b'", "literal", "a b"],
    ['"a b"', "literal", "a b"],
    ["a\\ b", "literal", "a b"],
    ["$'a\\tb'", "literal", "a\tb"],
    ["*.ts", "glob", "*.ts"],
    ["'*'.ts", "literal", "*.ts"],
    ["{a,b}*", "brace", "{a,b}*"],
    ["$X", "dynamic", "$X"],
    ["a*$X", "dynamic", "a*$X"],
    ['"$(x)"', "dynamic", "$(x)"],
    ["@(a|b)", "dynamic", "@(a|b)"],
  ])("reads the word %s as %s", (source, kind, value) => {
    expect(script(`p ${source}`).commands[0]?.args[0]).toMatchObject({ source, kind, value });
  });

  it("reads assignments, redirections and here-documents", () => {
    const [first, second] = script("A=1 B=(x) C+=y p 2>&1 >f; cat <<'EOF'\nbody $X\nEOF").commands;
    expect(first?.assignments.map(({ name, value }) => [name, value?.value])).toEqual([
      ["A", "1"],
      ["B", undefined],
      ["C", undefined],
    ]);
    expect(first?.redirects.map((r) => [r.descriptor, r.operator, r.target?.value])).toEqual([
      [2, ">&", "1"],
      [undefined, ">", "f"],
    ]);
    expect(second?.redirects[0]).toMatchObject({ operator: "<<", body: "body $X\n" });
  });

  it("tells which commands share a shell", () => {
    const { commands } = script("a; (b; c); d | e; f $(g) & h");
    const shells = new Map(commands.map((c) => [c.program?.value, c.subshells.join()]));
    expect([shells.get("a"), shells.get("h")]).toEqual(["", ""]);
    expect(shells.get("b")).toBe(shells.get("c"));
    expect(new Set(["a", "b", "d", "e", "f", "g"].map((name) => shells.get(name))).size).toBe(6);
    expect(shells.get("g")?.startsWith(`${shells.get("f")},`)).toBe(true);
  });

  it("keeps declarations as words", () => {
    expect(script("export A=b").commands[0]?.args.map((word) => word.value)).toEqual(["A=b"]);
  });

  it.each<[string, string]>([
    ["a &", "background job"],
    ["f() { a; }", "function"],
    ["coproc a", "coprocess"],
    ["while a; do b; done", "control structure"],
    ["[[ a ]]", "control structure"],
    ["a <<E\nE", "here-document"],
    ["a $(b)", "command substitution"],
    ["a >(b)", "process substitution"],
  ])("notices in %j a %s", (command, feature) => {
    expect([...script(command).features]).toContain(feature);
  });

  it("notices redirections of groups and here-documents without an end", () => {
    expect(script("{ a; } >f").groupRedirects[0]?.target?.value).toBe("f");
    expect(script("cat <<E\nx\nE").hereDocsClosed).toBe(true);
    expect(script("cat <<E\nx").hereDocsClosed).toBe(false);
  });

  it.each([
    "a 'b",
    'a "b',
    "a )",
    "( a",
    "a &&",
    "a |",
    "if a",
    "a $(b",
    "a ;; b",
    "ls (x",
    "ls (",
    "ls \\\n(x",
    "b; ls (\nrm",
    "echo `ls (x`",
    "A=1 (ls)",
    "a\u0000b",
    "ls\r",
  ])("fails on %j", (command) => {
    expect(parseShell(command).ok).toBe(false);
  });
});

describe("wordText", () => {
  const variables = new Map([
    ["HOME", "/home/me"],
    ["X", "x"],
  ]);
  it.each<[string, string | undefined]>([
    ["a", "a"],
    ["~", "/home/me"],
    ["~/a", "/home/me/a"],
    ["~other/a", undefined],
    ["'~/a'", "~/a"],
    ["$HOME/a", "/home/me/a"],
    ['"${HOME}/a"', "/home/me/a"],
    ["${X:-y}", "x"],
    ["${X:?missing}", "x"],
    ["${NEW:-y}/z", "y/z"],
    ["${NEW:-$X}", undefined],
    ["${NEW:?missing}", undefined],
    ["${X:+y}", undefined],
    ["${X%y}", undefined],
    ["${!X}", undefined],
    ["{a,$X}", "{a,x}"],
    ["$UNKNOWN", undefined],
    ["$(pwd)", undefined],
    ["a*", "a*"],
  ])("of %s", (source, expected) => {
    expect(wordText(script(`p ${source}`).commands[0]!.args[0]!, variables)).toBe(expected);
  });

  it("asks what a substitution prints", () => {
    const [word] = script('p "$(pwd)/`pwd`"').commands[0]!.args;
    const printed = (text: string) => (text === "pwd" ? "here" : undefined);
    expect(wordText(word!, variables, printed)).toBe("here/here");
  });
});

it("tells what feeds a command in a pipe", () => {
  const { commands } = script("echo a | sh; ls | (cat) | wc; b");
  const feeding = commands.map(({ program, fedBy }) => [program?.value, fedBy?.program?.value]);
  expect(feeding).toEqual([
    ["echo", undefined],
    ["sh", "echo"],
    ["ls", undefined],
    ["cat", undefined],
    ["wc", undefined],
    ["b", undefined],
  ]);
});
