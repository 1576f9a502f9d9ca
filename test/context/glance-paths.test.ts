import { describe, expect, it } from "vitest";
import { readGlance } from "../../src/context/glance.ts";

describe("words that may name files", () => {
  const paths = (command: string): string[] => {
    const glance = readGlance(command);
    if (glance.refusal !== undefined) throw new Error(glance.refusal);
    return glance.paths.map((path) => path.text);
  };

  it.each<[string, string[]]>([
    ["cat a /etc/x", ["a", "/etc/x"]],
    ["grep -rn /pat src", ["src"]],
    ["grep -A 3 pat f", ["f"]],
    ["grep -f /etc/x f", ["f", "/etc/x"]],
    ["grep -f/etc/x f", ["f", "/etc/x"]],
    ["grep --regex=. /etc/x", ["/etc/x", "."]],
    ["grep -- -x /etc/x", ["/etc/x"]],
    ["grep -e pat /etc/x", ["/etc/x"]],
    ["grep -n -e '/api/users' src/x.ts", ["src/x.ts"]],
    ["grep -rn --include '*.ts' /api src", ["src"]],
    ["grep --include --exclude x /etc/x", ["/etc/x"]],
    ["grep --incl x pat /etc/x", ["/etc/x"]],
    ["grep --exclude-from /etc/x pat f", ["f", "/etc/x"]],
    ["grep --fil /etc/x f", ["f", "/etc/x"]],
    ["grep -nef /etc/x", ["/etc/x"]],
    ["grep /etc/pass*", ["/etc/pass*"]],
    ["grep -e /etc/* x", ["x", "/etc/*"]],
    ["cut -d / -f1 f", ["f"]],
    ["cut -f 1 -d / /etc/x", ["/etc/x"]],
    ["paste -d / a /etc/x", ["a", "/etc/x"]],
    ["[ a = /b ]", []],
    ["[ -n /a -o -f /b ]", ["/b"]],
    ["test /a -nt /b", ["/a", "/b"]],
    ["awk 'NR>10' /etc/x", ["/etc/x"]],
    ["tar --list -f /etc/x.tar", ["/etc/x.tar"]],
    ["tar -t --file=/etc/x.tar name", ["/etc/x.tar"]],
    ["git show :0:.env", [".env"]],
    ["git show :.env", [".env"]],
    ["rg /pat src", ["src"]],
    ["rg --files /etc", ["/etc"]],
    ["find /etc -name x -newer /etc/y", ["/etc", "/etc/y"]],
    ["sed -n 1p /etc/x", ["/etc/x"]],
    ["sed -n -e 1p /etc/x", ["/etc/x"]],
    ["awk '{print}' /etc/x", ["/etc/x"]],
    ["jq . /etc/x", ["/etc/x"]],
    ["git -C /etc status", ["/etc"]],
    ["git show HEAD:../x", ["HEAD:../x", "../x"]],
    ["git diff --no-index /etc/x y", ["/etc/x", "y"]],
    ["git grep pat -- ':(top)sub'", ["sub"]],
    ["git show 'HEAD^{/fix: bug}:.env'", ["HEAD^{/fix: bug}:.env", " bug}:.env", ".env"]],
    ["git show 'main@{2099-01-01 10:00}:.env'", ["main@{2099-01-01 10:00}:.env", "00}:.env", ".env"]],
    ["git log -L1,1:.env", [".env"]],
    ["git log -L 1,1:a -L 1,1:.env", ["a", ".env"]],
    ["git log -pL:x:.env", ["x:.env", ".env"]],
    ["git show HEAD -- ':(top,glob)**/.env'", ["HEAD", ".env", "**/.env"]],
    ["git show HEAD -- '*.env' src/**/.env", ["HEAD", ".env", "*.env", "src/.env", "src/**/.env"]],
    ["date -r /etc/x", ["/etc/x"]],
    ["wc --files0-from=/etc/x", ["/etc/x"]],
    ["cut -d/ -f1 f", ["f"]],
    ["echo /etc/x", []],
    ["echo /etc/*", ["/etc/*"]],
    ["test -f /etc/x", ["/etc/x"]],
    ["ls | tail -n 3 /etc/x", ["/etc/x"]],
    ["od -c -w16 /etc/x", ["/etc/x"]],
    ["hexdump -C -n 64 /etc/x", ["/etc/x"]],
    ["nl -s /a -w 4 /etc/x", ["/etc/x"]],
    ["base64 -w 0 /etc/x", ["/etc/x"]],
    ["unzip -l /etc/x.zip 'src/*'", ["/etc/x.zip", "/etc/x.zip.zip"]],
    ["jq --arg a /b .x /etc/x", ["/etc/x"]],
    ["jq .x --argjson a 1 /etc/x", ["/etc/x"]],
    ["sed -n -e 1p -e 3p /etc/x", ["/etc/x"]],
    ["git submodule status /etc", ["/etc"]],
  ])("of %j", (command, expected) => {
    expect(paths(command)).toEqual(expected);
  });
});
