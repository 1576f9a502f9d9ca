import { dirname } from "node:path";
import ts from "typescript";
import { ROOT, type Block } from "./pages.ts";

/** What snippets of guides take for granted. */
const GIVEN = `
import type { HumanChannel, RewriteReport, Runtime, SessionStore } from "flower-agent";
declare global {
  const workspace: string;
  const runtime: Runtime;
  const channel: HumanChannel;
  const inner: SessionStore;
  const spill: (text: string) => string | undefined;
  const log: (report: RewriteReport) => void;
}
`;

/** Entry points of the package as the sources have them. */
const PATHS = {
  "flower-agent": ["./src/index.ts"],
  "flower-agent/testing": ["./src/testing/index.ts"],
  "flower-agent/stores": ["./src/store/index.ts"],
};

/**
 * Checks all blocks in one program under the repository's own options; each is a module of its own, beside its page.
 * Nothing is written: they exist in memory only.
 * @returns `page:line: message` for each error.
 */
export function typeErrors(blocks: readonly Block[]): string[] {
  const files = new Map(blocks.map((block) => [fileOf(block), block]));
  const given = `${ROOT}/docs/given.d.ts`;
  const texts = new Map([
    [given, GIVEN],
    ...[...files].map(([file, { text }]) => [file, asModule(text)] as const),
  ]);

  const options = ownOptions();
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile, directoryExists } = host;
  const folders = new Set([...texts.keys()].map((file) => dirname(file)));
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? false);
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = texts.get(file);
    return text === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, text, languageVersion);
  };

  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()]
    .flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    })
    .map((diagnostic) => told(diagnostic, files));
}

/**
 * In a folder of its page, so that blocks with a name (`[hello.mjs]` behind the language) can import each other. To the
 * compiler `hello.mjs` is what becomes of `hello.mts`.
 */
function fileOf({ page, line, meta }: Block): string {
  const [, name = `${line}.ts`] = /^\[(.+)\]$/.exec(meta) ?? [];
  return `${ROOT}/${page.replace(/\.md$/, "")}/${name.replace(/\.mjs$/, ".mts")}`;
}

/** A snippet without imports is a module as well: its names are its own. On the last line, so that lines stay. */
const asModule = (text: string): string => `${text}\nexport {};\n`;

function ownOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${ROOT}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  // What a snippet makes is for the reader to use.
  return { ...options, noUnusedLocals: false, paths: PATHS, pathsBasePath: ROOT };
}

function told({ file, start, messageText }: ts.Diagnostic, files: ReadonlyMap<string, Block>): string {
  const message = ts.flattenDiagnosticMessageText(messageText, " ");
  const block = files.get(file?.fileName ?? "");
  if (file === undefined || block === undefined) return message;
  const { line } = ts.getLineAndCharacterOfPosition(file, start ?? 0);
  return `${block.page}:${block.line + line}: ${message}`;
}
