import { describe, expect, it } from "vitest";
import type { Credentials } from "../../src/config/credentials.ts";
import type { BelievedWindow } from "../../src/config/window.ts";
import {
  checkContainment,
  checkCredentials,
  checkDisk,
  checkFiles,
  checkGit,
  checkLock,
  checkReach,
  checkRights,
  checkVersions,
  checkWindow,
  type FileFacts,
  type LockFacts,
  type Rights,
  type Versions,
  type WindowFacts,
} from "../../src/cli/doctor-checks.ts";
import { doctorLines } from "../../src/cli/doctor.ts";
import { EN } from "../../src/cli/doctor-texts/en.ts";
import { trialFinding, type Finding } from "../../src/cli/trial-line.ts";
import { TRIAL_TEXTS } from "../../src/cli/trial-texts.ts";
import { FlowerError } from "../../src/core/errors.ts";

/** Level and text on a line each, what to do behind an arrow. */
const brief = (findings: readonly Finding[]): string[] =>
  findings.map(({ level, text, todo }) => `${level} ${text}${todo === undefined ? "" : ` -> ${todo}`}`);

/** As many lines as patterns, and each fits. */
function expectLines(findings: readonly Finding[], patterns: readonly RegExp[]): void {
  const lines = brief(findings);
  expect(lines).toEqual(patterns.map((pattern) => expect.stringMatching(pattern) as string));
}

const VERSIONS: Versions = {
  node: "20.20.2",
  nodeRange: "^20.17.0 || >=22.9.0",
  flower: "0.1.0",
  sdk: "0.3.332",
  wantedSdk: "0.3.332",
  harness: "2.1.332",
  hasProgram: true,
  platform: "linux-x64",
};
const refusal = new FlowerError("workspace", "it cannot be", { nextStep: "do this" });

describe("versions", () => {
  it.each<[string, Partial<Versions>, RegExp[]]>([
    ["fine", {}, [/^ok Node 20\.20\.2$/, /^ok .*0\.1\.0.*0\.3\.332.*2\.1\.332$/]],
    ["newer Node", { node: "100.0.0" }, [/^ok/, /^ok/]],
    ["old Node", { node: "18.19.0" }, [/^wrong .*Node 18\.19\.0 -> .*\^20\.17\.0/, /^ok/]],
    ["Node of a right major that is too old", { node: "20.16.0" }, [/^wrong .*Node 20\.16\.0 ->/, /^ok/]],
    ["Node of a major that never fits", { node: "21.7.3" }, [/^wrong .*Node 21\.7\.3 ->/, /^ok/]],
    ["a nightly", { node: "27.0.0-nightly2026" }, [/^ok/, /^ok/]],
    ["another SDK", { sdk: "0.4.0" }, [/^ok/, /^ok/, /^note .*0\.4\.0.*0\.3\.332.*->/]],
    ["no program", { hasProgram: false }, [/^ok/, /^ok/, /^wrong .*linux-x64.*-> .*optional/]],
  ])("%s", (_, changed, lines) => expectLines(checkVersions({ ...VERSIONS, ...changed }, EN), lines));
});

describe("credentials", () => {
  const KEY = "sk-ant-secret-1";
  it.each<[string, Credentials["values"], RegExp[]]>([
    ["a key", { ANTHROPIC_API_KEY: KEY }, [/^ok ANTHROPIC_API_KEY = sk-a… \(here\)$/]],
    ["none", {}, [/^wrong there are no credentials -> .*flower setup/]],
    [
      "a gateway without a token",
      { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
      [/^ok ANTHROPIC_BASE_URL = http:\/\/127\.0\.0\.1:1 /, /^wrong .*no token -> set ANTHROPIC_AUTH_TOKEN/],
    ],
    [
      "both",
      { ANTHROPIC_API_KEY: KEY, ANTHROPIC_AUTH_TOKEN: "other-secret" },
      [/^ok ANTHROPIC_API_KEY = sk-a…/, /^ok ANTHROPIC_AUTH_TOKEN = othe… /, /^note .*both are sent ->/],
    ],
    [
      "an address with a password and a key in it",
      { ANTHROPIC_BASE_URL: "https://me:secret@gate.example/x?key=secret", ANTHROPIC_API_KEY: KEY },
      [/^ok ANTHROPIC_API_KEY/, /^ok ANTHROPIC_BASE_URL = https:\/\/…@gate\.example\/x\?… \(here\)$/],
    ],
  ])("%s", (_, values, lines) => {
    const sources = Object.fromEntries(Object.keys(values).map((key) => [key, "here"]));
    const findings = checkCredentials({ values, sources, warnings: [] }, EN);
    expectLines(findings, lines);
    expect(JSON.stringify(findings)).not.toContain("secret");
  });

  it("says what is refused, and what is odd", () => {
    expectLines(checkCredentials(refusal, EN), [/^wrong it cannot be -> do this$/]);
    const odd = { values: { ANTHROPIC_API_KEY: KEY }, sources: {}, warnings: ["x, line 2: odd"] };
    expectLines(checkCredentials(odd, EN), [/^ok/, /^note x, line 2: odd$/]);
  });
});

describe("the endpoint", () => {
  it.each([
    [{ host: "h", port: 1, viaProxy: false }, true, /^ok h:1 takes/],
    [{ host: "h", port: 1, viaProxy: true }, false, /^wrong proxy h:1 .*->/],
  ])("%j, reachable: %s", (target, isReachable, line) =>
    expectLines(checkReach(target, isReachable, EN), [line]),
  );

  it("says what came back on one line, without the token that was sent", () => {
    const trial = { kind: "refused", status: 400, detail: "Bearer tok-1234 is\n\u001b[31mnot good" } as const;
    const finding = trialFinding(trial, TRIAL_TEXTS.en, ["tok-1234", ""]);
    expect(brief([finding])).toEqual([
      "wrong the endpoint refuses the request (HTTP 400): Bearer … is not good -> see what it says",
    ]);
  });

  it.each([
    ["works", { kind: "works", model: "m" }, "ok"],
    ["limited", { kind: "limited", detail: "" }, "note"],
    ["busy", { kind: "busy", status: 529 }, "note"],
    ["refusedKey", { kind: "refusedKey", status: 401 }, "wrong"],
    ["silent", { kind: "silent", seconds: 60 }, "wrong"],
  ] as const)("%s", (_, trial, level) => expect(trialFinding(trial, TRIAL_TEXTS.en, []).level).toBe(level));
});

describe("the window", () => {
  const assumed: BelievedWindow = { window: 1_000_000, source: "assumed", certain: false };
  const set: BelievedWindow = { window: 128_000, source: "FLOWER_WINDOW", certain: true };
  const row = { endpoint: "http://h", model: "glm", window: 65_536, learnedAtMs: Date.UTC(2026, 0, 2) };
  it.each<[string, WindowFacts, RegExp[]]>([
    [
      "one of the harness's own",
      { belief: assumed, model: "claude-opus-5", hasBaseUrl: false, learned: [] },
      [/^ok window 1M for claude-opus-5, by assumption/],
    ],
    [
      "the harness's default",
      { belief: assumed, model: undefined, hasBaseUrl: false, learned: [] },
      [/^ok window 1M for the harness's default model/],
    ],
    [
      "one that nobody knows",
      { belief: assumed, model: "glm", hasBaseUrl: true, learned: [] },
      [/^note .*glm is not known.*-> .*FLOWER_WINDOW/],
    ],
    [
      "one that is set",
      { belief: set, model: "glm", hasBaseUrl: true, learned: [] },
      [/^ok window 128K for glm, by FLOWER_WINDOW$/],
    ],
    [
      "a gateway without a model",
      { belief: set, model: undefined, hasBaseUrl: true, learned: [] },
      [/^ok/, /^note no model is set.*-> set ANTHROPIC_MODEL/],
    ],
    [
      "a learned one whose name a shell would take apart",
      { belief: set, model: "glm", hasBaseUrl: true, learned: [{ ...row, model: "glm[1m]" }] },
      [/^ok window/, /^ok .*--forget-window 'glm\[1m\]'$/],
    ],
    [
      "learned ones",
      { belief: set, model: "glm", hasBaseUrl: true, learned: [row] },
      [/^ok/, /^ok learned: glm at http:\/\/h has 65\.5K \(since 2026-01-02\) -> .*--forget-window glm$/],
    ],
    [
      "one that cannot be read",
      { belief: refusal, model: "glm", hasBaseUrl: true, learned: [] },
      [/^wrong it cannot be -> do this/],
    ],
  ])("%s", (_, facts, lines) => expectLines(checkWindow(facts, EN), lines));
});

describe("git", () => {
  it.each([
    ["none", undefined, undefined, [/^note git is not installed ->/]],
    ["and isolation", "git version 2", undefined, [/^ok git version 2$/, /^ok .*isolated/]],
    ["without it", "git version 2", refusal, [/^ok/, /^note it cannot be -> do this$/]],
  ])("%s", (_, version, isolation, lines) => expectLines(checkGit({ version, isolation }, EN), lines));
});

describe("disk", () => {
  it.each([
    [20 * 1024 ** 3, /^ok 20\.0 GB free at \/w$/],
    [1024 ** 3, /^ok 1\.0 GB/],
    [1024 ** 3 - 1, /^note only 1023 MB free at \/w ->/],
    [100 * 1024 ** 2 - 1, /^wrong 99 MB free at \/w.*->/],
    [0, /^wrong 0 MB/],
  ])("%d bytes", (freeBytes, line) => expectLines(checkDisk([{ path: "/w", freeBytes }], EN), [line]));
});

describe("permissions", () => {
  const file = (mode: number, secret = false): Rights["own"][number] => ({ path: "/f", mode, secret });
  it.each<[string, Partial<Rights>, RegExp[]]>([
    ["private", { own: [file(0o100600), file(0o40700)] }, [/^ok/]],
    ["nothing there", {}, [/^ok/]],
    [
      "a token that others read",
      { own: [file(0o100644, true)] },
      [/^wrong .*\/f \(mode 644\) -> chmod go= \/f$/],
    ],
    [
      "a path that a shell would take apart",
      { own: [{ path: "/tmp/it's 花/.flower", mode: 0o40755, secret: false }] },
      [/^note .*-> chmod go= '\/tmp\/it'\\''s 花\/\.flower'$/],
    ],
    ["a group that reads a document", { own: [file(0o100640)] }, [/^note .*mode 640/]],
    ["a place to write that is none", { notWritable: ["/w"] }, [/^ok/, /^wrong \/w cannot be written ->/]],
    ["no workspace", { noWorkspace: "/w" }, [/^wrong \/w is no directory ->/, /^ok/]],
    [
      "what stands in the place of a directory",
      {
        blocked: [
          { path: "/r", code: "ELOOP", isNeeded: true },
          { path: "/b", code: "ENOTDIR", isNeeded: false },
        ],
      },
      [/^ok/, /^wrong \/r must be a directory.*\(ELOOP\) -> move away/, /^note \/b .*\(ENOTDIR\) ->/],
    ],
  ])("%s", (_, rights, lines) =>
    expectLines(
      checkRights({ noWorkspace: undefined, own: [], blocked: [], notWritable: [], ...rights }, EN),
      lines,
    ),
  );
});

describe("the lock", () => {
  const holder = {
    run: "r",
    since: "2026-01-02",
    step: "work",
    process: { pid: 7, host: "here" },
    alive: true,
  };
  it.each<[string, Partial<LockFacts>, RegExp]>([
    ["no run yet", { exists: false }, /^ok no run here yet \(\/r\)$/],
    ["free", {}, /^ok no run holds \/r$/],
    ["held", { holder }, /^ok .*pid 7, here, since 2026-01-02, work$/],
    ["between steps", { holder: { ...holder, step: null } }, /since 2026-01-02$/],
    ["left behind", { holder: { ...holder, alive: false } }, /^note pid 7, here .*-> nothing/],
    ["of another machine", { holder, host: "there" }, /^note .*-> .*remove \/r\/lock\.json$/],
  ])("%s", (_, facts, line) =>
    expectLines(checkLock({ runDir: "/r", exists: true, holder: undefined, host: "here", ...facts }, EN), [
      line,
    ]),
  );
});

describe("files", () => {
  const FILES: FileFacts = { looked: 3, problems: [], store: undefined, aside: [] };
  it.each<[string, Partial<FileFacts>, RegExp[]]>([
    ["sound", {}, [/^ok 3 files/]],
    ["none", { looked: 0 }, []],
    [
      "damaged",
      { problems: [{ path: "/f", kind: "damaged", detail: "no valid JSON" }] },
      [/^wrong \/f is damaged \(no valid JSON\) ->/],
    ],
    [
      "newer",
      { problems: [{ path: "/f", kind: "newer", detail: "v 2" }] },
      [/^wrong \/f is from a newer flower \(v 2\) -> update/],
    ],
    [
      "unreadable",
      { problems: [{ path: "/f", kind: "unreadable", detail: "EACCES" }] },
      [/^wrong \/f cannot be read \(EACCES\) ->/],
    ],
    ["a database that is none", { store: refusal }, [/^wrong it cannot be -> do this$/]],
    [
      "a damaged one",
      {
        store: new FlowerError("store", "the store cannot be opened: malformed", {
          nextStep: "do that",
          data: { path: "/s.db", damaged: true },
          cause: new Error("malformed"),
        }),
      },
      [/^wrong \/s\.db is damaged \(malformed\) -> .*the next run sets it aside/],
    ],
    ["what was set aside", { aside: ["/f.damaged-1"] }, [/^ok/, /^note \/f\.damaged-1 .*-> remove/]],
  ])("%s", (_, facts, lines) => expectLines(checkFiles({ ...FILES, ...facts }, EN), lines));
});

describe("containment", () => {
  it.each([
    [{ works: true, program: "/bin/bwrap" } as const, /^ok .*bubblewrap/],
    [{ works: false, missing: "not there" } as const, /^note .*not there -> install bubblewrap/],
  ])("%j", (sandbox, line) => expectLines(checkContainment(sandbox, EN), [line]));
});

it("prints a line for each finding, what to do below it, and the sum", () => {
  const rows: Finding[] = [
    { level: "ok", text: "a" },
    { level: "note", text: "b" },
    { level: "wrong", text: "c", todo: "d" },
  ];
  expect(doctorLines(rows, EN)).toEqual([
    "ok     a",
    "note   b",
    "wrong  c",
    "       -> d",
    "",
    "wrong: 1, notes: 1",
  ]);
  expect(doctorLines(rows.slice(0, 2), EN).at(-1)).toBe("nothing is wrong (notes: 1)");
});
