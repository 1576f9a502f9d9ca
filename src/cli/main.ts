#!/usr/bin/env node
import { demo } from "./demo.ts";
import { errorLine, exitCodeOf } from "./exit.ts";
import { go } from "./go.ts";
import { once } from "./once.ts";
import { parseAndRun, program } from "./program.ts";
import { versionText } from "./version.ts";

try {
  await parseAndRun(
    program({ go, once, demo }, versionText(), (code) => {
      process.exitCode = code;
    }),
    process.argv.slice(2),
  );
} catch (error) {
  process.stderr.write(`${errorLine(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
