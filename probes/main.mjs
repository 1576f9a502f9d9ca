// Facts about the harness that flower relies on, tried on the real one: `npm run probe [-- --long]`.
// `--long` waits as long as people do, which takes more than half an hour.
import { parseArgs } from "node:util";
import { askWaits } from "./ask-waits.mjs";

const { values } = parseArgs({ options: { long: { type: "boolean", default: false } } });

/** A probe takes `{ long }` and resolves to one line each of what was seen; it throws when the fact does not hold. */
const PROBES = [["a question may wait, in main thread and subagent", askWaits]];

let failed = 0;
for (const [fact, probe] of PROBES) {
  try {
    for (const line of await probe({ long: values.long })) console.log(`ok    ${fact}: ${line}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${fact}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
