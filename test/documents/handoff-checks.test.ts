import { describe, expect, it } from "vitest";
import { Handoff } from "../../src/documents/handoff.ts";
import { checkHandoff } from "../../src/documents/handoff-checks.ts";
import { HEADINGS } from "../../src/documents/wording.ts";
import type { Sections } from "../../src/documents/sections.ts";

const SOUND: Sections<"handoff"> = {
  doing: "Porting the parser",
  decided: "",
  deadEnds: "",
  next: "Run `npm test` and mend `src/parser.ts`",
  scene: "",
};

/** A document as a session writes it, and what is read from it. */
function written(sections: Partial<Sections<"handoff">>): { source: string; handoff: Handoff } {
  const source = Object.entries({ ...SOUND, ...sections })
    .map(([name, text]) => `## ${HEADINGS.handoff[name as keyof typeof SOUND].en}\n\n${text}`)
    .join("\n\n");
  return { source, handoff: Handoff.parse(source, { step: "work" }) };
}

function check(sections: Partial<Sections<"handoff">>, there: readonly string[] = []): readonly string[] {
  const { source, handoff } = written(sections);
  return checkHandoff(handoff, { exists: (path) => there.includes(path), source });
}

/** Every path that the scene is taken to name. */
function pathsOf(scene: string): string[] {
  const asked: string[] = [];
  const { source, handoff } = written({ scene });
  checkHandoff(handoff, {
    exists: (path) => {
      asked.push(path);
      return true;
    },
    source,
  });
  return asked;
}

describe("paths of the scene", () => {
  const SCENES: ReadonlyArray<readonly [string, readonly string[]]> = [
    ["`src/a.ts` and `notes/`", ["src/a.ts", "notes/"]],
    ["`package.json`, `.env`, `.github/workflows`", ["package.json", ".env", ".github/workflows"]],
    ["half done: src/parser.ts, test/parser.test.ts.", ["src/parser.ts", "test/parser.test.ts"]],
    [
      "see /srv/out/report.md and ../lib/x.js and ~/notes/a.md",
      ["/srv/out/report.md", "../lib/x.js", "~/notes/a.md"],
    ],
    ["`src/a.ts:12:3`, `src/b.ts#L4-L9`, (src/c.ts:7)", ["src/a.ts", "src/b.ts", "src/c.ts"]],
    ["代码在 `src/甲.ts`\uff0c日志在 logs/run.log\u3002", ["logs/run.log"]],
    ["- src/a.ts\n- src/a.ts\n- `src/a.ts`", ["src/a.ts"]],
    ["`artifacts/run-1.log` (120 lines)", ["artifacts/run-1.log"]],
    ["on branch `port/parser`, pushed to `origin/main`", []],
    ["在分支 `port/parser` 上", []],
    ["on branch `port/parser`, file `src/a.ts`", ["src/a.ts"]],
    ["GET /api/users/all and `POST /api/x` and GET `/api/y`", []],
    ["http://localhost:3000/a/b.html, `https://x.y/z.js`", []],
    ["and/or, I/O, 3/4, `3/4`, `text/plain`, read/write, e.g. this, v1.2.3, `1.5`", []],
    ["`npm test`, `git status -s`, `foo()`, `@scope/name`, `src/**/*.ts`, `<name>.md`", []],
    ["`Handoff.parse` and `handoff.next` and `.map`", []],
    ["version `2.1.332` on port `8080`", []],
  ];

  it.each(SCENES)("%j", (scene, paths) => {
    expect(pathsOf(scene)).toEqual(paths);
  });

  it("are named when they do not exist, in one line", () => {
    expect(check({ scene: "`src/a.ts`, `src/gone.ts` and lib/gone.js" }, ["src/a.ts"])).toEqual([
      "The scene names paths that do not exist: src/gone.ts, lib/gone.js.",
    ]);
    const many = Array.from({ length: 13 }, (_, at) => `\`src/${at}.ts\``).join("\n");
    expect(check({ scene: many })[0]).toMatch(/src\/9\.ts and 3 more\.$/);
  });

  it("of other sections are not asked for", () => {
    expect(check({ doing: "`src/gone.ts`", decided: "`gone/`" })).toEqual([]);
  });
});

describe("a next step that says nothing", () => {
  const EMPTY = [
    ...["continue", "Continue.", "- Go on with the work", "Keep going!", "Proceed as planned", "tbd", "none"],
    ...[
      "Continue with the next step",
      "Carry on where I stopped",
      "Keep working on the feature",
      "Pick up where I left off.",
      "Finish the remaining tasks",
      "**Continue**",
      "Continue the implementation",
      "Keep building the project.",
    ],
    ...[
      "weiter",
      "Weitermachen wie geplant.",
      "Mit der Arbeit fortfahren",
      "Mit dem nächsten Schritt weitermachen",
      "Implementierung fortsetzen",
    ],
    ...["继续", "继续工作\u3002", "接着做", "继续完成剩下的任务", "按计划继续推进", "继续实现", "无"],
    ...[
      "continuar",
      "Continuar o trabalho.",
      "Prosseguir com a tarefa",
      "Seguir em frente",
      "continuar de onde parei",
      "Continuar a implementação",
    ],
  ];

  it.each(EMPTY)("%s", (next) => {
    expect(check({ next })).toEqual(["The next step says nothing that could be acted on."]);
  });

  const CONCRETE = [
    ...[
      "Continue with the parser",
      "Run npm test",
      "`make`",
      "Fix #12",
      "Go on with src/a.ts",
      "Ask the person",
    ],
    ...["Weiter mit dem Parser", "Tests laufen lassen", "继续写解析器", "跑 npm test", "接着修登录页"],
    ...["Continuar o analisador", "Rodar os testes", "Step 3 of the plan"],
  ];

  it.each(CONCRETE)("is not: %s", (next) => {
    expect(check({ next })).toEqual([]);
  });

  it("is not what is missing altogether: that is another matter", () => {
    expect(check({ next: "" })).toEqual([]);
  });
});

describe("pasted contents", () => {
  const lines = (count: number, indent = ""): string =>
    Array.from({ length: count }, (_, at) => `${indent}line(${at});`).join("\n");

  it.each([
    ["fenced", `A\n\`\`\`ts\n${lines(8)}\n\`\`\``, true],
    ["fenced and left open", `A\n~~~\n${lines(8)}`, true],
    ["indented", `A\n\n${lines(8, "    ")}`, true],
    ["a command or two", `A\n\`\`\`sh\n${lines(7)}\n\`\`\``, false],
    ["a few indented lines", `A\n\n${lines(7, "    ")}`, false],
    ["a long list of two levels", `- a\n${lines(9, "    - ")}`, false],
    ["a long text", lines(30), false],
  ])("%s", (_name, doing, pasted) => {
    expect(check({ doing })).toEqual(
      pasted ? ["What is under way holds pasted code or output instead of a path to it."] : [],
    );
  });

  it("are said for each section", () => {
    const code = `X\n\n${lines(9, "\t")}`;
    expect(check({ decided: code, scene: code })).toHaveLength(2);
  });
});

it("a sound handoff gets no annotation", () => {
  expect(check({})).toEqual([]);
});
