#!/usr/bin/env node
import { cost } from "./cost.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { errorLine, exitCodeOf } from "./exit.ts";
import { go } from "./go.ts";
import { log } from "./log.ts";
import { once } from "./once.ts";
import { parseAndRun, program } from "./program.ts";
import { sessions } from "./sessions.ts";
import { setup } from "./setup.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { versionText } from "./version.ts";

try {
  await parseAndRun(
    program({ go, once, demo, status, cost, show, log, sessions, setup, doctor }, versionText(), (code) => {
      process.exitCode = code;
    }),
    process.argv.slice(2),
  );
} catch (error) {
  process.stderr.write(`${errorLine(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
