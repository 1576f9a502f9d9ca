import { describe, expect, it } from "vitest";
import { walkPath, type FileView } from "../../src/gate/path-walk.ts";
import { mainCall, ruleOf, workerCall } from "./policy.ts";

const WS = "/home/me/ws";

/** A workspace with links in it; other files are as they are named. */
const LINKS: Readonly<Record<string, string>> = {
  [`${WS}/link`]: "/etc",
  [`${WS}/inner`]: `${WS}/src`,
  [`${WS}/src/deep`]: "/srv/a/b",
  [`${WS}/src/keys`]: "/home/me/.ssh",
};
const DIRS: Readonly<Record<string, readonly string[]>> = {
  [WS]: ["link", "inner", "src", ".hidden", "a.txt"],
  [`${WS}/src`]: ["a.ts", "deep", "keys", "lib"],
  [`${WS}/src/lib`]: ["x.ts"],
  [`${WS}/many`]: Array.from({ length: 2_001 }, (_, n) => `${n}.txt`),
  "/etc": ["hostname", "passwd"],
  "/home/me": ["secret", "ws", ".ssh"],
  "/home/me/.ssh": ["id_rsa"],
};
const realpath = (path: string): string => {
  const link = Object.keys(LINKS).find((name) => path === name || path.startsWith(`${name}/`));
  return link === undefined ? path : (LINKS[link] ?? "") + path.slice(link.length);
};
const entries = (dir: string): readonly string[] => DIRS[realpath(dir)] ?? [];
const exists = (path: string): boolean => {
  const at = realpath(path);
  return (
    entries(at).length > 0 ||
    entries(at.slice(0, at.lastIndexOf("/"))).includes(at.slice(at.lastIndexOf("/") + 1))
  );
};
const VIEW: FileView = { realpath, entries, exists };

it.each<[string, boolean, string[]]>([
  [`${WS}/src/a.ts`, true, [`${WS}/src/a.ts`]],
  [`${WS}/./src//a.ts`, false, [`${WS}/src/a.ts`]],
  [`${WS}/src/../a.txt`, true, [`${WS}/a.txt`]],
  // As the system goes, not as the text reads.
  [`${WS}/src/deep/../x`, false, ["/srv/a/x"]],
  [`${WS}/lin?/hostname`, true, [`${WS}/link/hostname`]],
  [`${WS}/lin?/hostname`, false, [`${WS}/lin?/hostname`]],
  [`${WS}/*/passwd`, true, [`${WS}/link/passwd`]],
  [`${WS}/.?/secret`, true, ["/home/me/secret"]],
  [`${WS}/[.]?/secret`, true, []],
  [`${WS}/src/*/x.ts`, true, [`${WS}/src/lib/x.ts`]],
  [`${WS}/*.txt`, true, [`${WS}/a.txt`]],
  [`${WS}/none*/x`, true, []],
])("%s (patterns %s) leads to %j", (path, patterns, expected) => {
  expect(walkPath(path, VIEW, patterns)).toEqual(expected);
});

it("gives up on what matches too much", () => {
  expect(walkPath(`${WS}/many/*`, VIEW, true)).toBeUndefined();
  expect(walkPath(`${WS}/many/1*.txt`, VIEW, true)).toHaveLength(1_111);
});

describe("a pattern", () => {
  it.each<[string, string]>([
    ["glance-path", "cat link/hostname"],
    ["glance-path", "cat lin?/hostname"],
    ["glance-path", "cat */passwd"],
    ["glance-path", "cat {link,x}/pass*"],
    ["glance-path", "cat .?/secret"],
    ["glance-path", "cat src/deep/../x"],
    ["glance-path", "ls many/*"],
    ["glance-path", "cat /dev/zero"],
    ["credential", "cat src/key?/id_rsa"],
    ["allowed", "cat src/*/x.ts"],
    ["allowed", "ls -l *.txt inner/*.ts"],
    ["allowed", "cat 'lin?/hostname'"],
    ["allowed", "cat src/../a.txt /dev/null"],
  ])("%s: %s", (rule, command) => {
    expect(ruleOf(mainCall("Bash", { command }), { realpath, entries, exists })).toBe(rule);
  });

  it("shows a worker no credentials behind a link", () => {
    const of = (command: string) => ruleOf(workerCall("Bash", { command }), { realpath, entries, exists });
    expect(of("cat src/k*/id_rsa")).toBe("credential");
    expect(of("cat lin?/hostname")).toBe("allowed");
  });
});
