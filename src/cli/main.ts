#!/usr/bin/env node
import { cost } from "./cost.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { go } from "./go.ts";
import { endedBy, printError, wantedJson } from "./json-lines.ts";
import { finish } from "./finish.ts";
import { log } from "./log.ts";
import { once } from "./once.ts";
import { parseAndRun, program } from "./program.ts";
import { run } from "./run.ts";
import { sessions } from "./sessions.ts";
import { setup } from "./setup.ts";
import { show } from "./show.ts";
import { outliveReaders } from "./standard-streams.ts";
import { status } from "./status.ts";
import { versionText } from "./version.ts";

outliveReaders();
const argv = process.argv.slice(2);
try {
  await parseAndRun(
    program(
      { go, run, once, demo, status, cost, show, log, sessions, setup, doctor },
      versionText(),
      (code) => {
        process.exitCode = code;
      },
    ),
    argv,
  );
} catch (error) {
  const wanted = wantedJson(argv);
  process.exitCode = finish(endedBy(error), { json: wanted === "lines" });
  if (wanted === "object") printError(error);
}
