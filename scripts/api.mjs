// `npm run api`: builds, then writes the public surface of each entry to etc/*.api.md, from the declarations in dist/.
// `-- --check` writes nothing and fails where a report differs (exit code 1).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));
const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

/** Report by entry of the exports map. */
const ENTRIES = {
  "flower-agent": "dist/index.d.ts",
  testing: "dist/testing/index.d.ts",
  stores: "dist/store/index.d.ts",
};

const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] });
if (built.status !== 0) process.exit(built.status ?? 1);

const temp = mkdtempSync(join(tmpdir(), "flower-api-"));
try {
  mkdirSync(join(root, "etc"), { recursive: true });
  const changed = Object.entries(ENTRIES).filter(([name, entry]) => {
    const report = reportOf(name, entry);
    const path = join(root, "etc", `${name}.api.md`);
    const same = existsSync(path) && readFileSync(path, "utf8") === report;
    if (!same && !check) writeFileSync(path, report);
    return !same;
  });
  for (const [name] of changed)
    console.log(`etc/${name}.api.md ${check ? "differs from the code" : "written"}`);
  if (check && changed.length > 0) {
    console.error("The public surface changed. When that is meant: npm run api, and commit etc/.");
    process.exitCode = 1;
  }
} finally {
  rmSync(temp, { recursive: true, force: true });
}

function reportOf(name, entry) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, entry),
      newlineKind: "lf",
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: temp,
        reportTempFolder: join(temp, "new"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      compiler: {
        overrideTsconfig: {
          extends: join(root, "tsconfig.json"),
          compilerOptions: { skipLibCheck: true, rewriteRelativeImportExtensions: false },
          include: [join(root, entry)],
        },
      },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: {
          default: { logLevel: "warning", addToApiReportFile: true },
          // Every export is public: there are no other release tags here.
          "ae-missing-release-tag": { logLevel: "none" },
          // They carry line numbers, which would change with every comment.
          "ae-undocumented": { logLevel: "none" },
          "ae-unresolved-link": { logLevel: "none" },
        },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });
  const { errorCount } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      // The report is compared here.
      message.handled = message.logLevel !== "error";
    },
  });
  if (errorCount > 0) throw new Error(`${entry}: ${errorCount} errors`);
  return readFileSync(join(temp, `${name}.api.md`), "utf8");
}
