// Facts about the harness that flower relies on, tried on the real one with a scripted model:
// `npm run probe [-- --only <words>] [-- --quick] [-- --long] [-- --sdk <version|latest|directory>] [-- --table]
// [-- --limit <seconds>]`.
// `--quick` leaves out the slow ones, `--long` lets a question wait as long as people do: more than half an hour.
// `--limit` is how long a probe may take (default 300, with `--long` 3,600); one that takes longer has seen nothing.
// Exit code 1 when a fact is not as expected, in the pinned version as in another; 2 when nothing could be tried.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { PROBES, table } from "./all.mjs";
import { describe, differences } from "./compare.mjs";
import { installSdk, versionsOf } from "./install.mjs";

/** Harness processes wait for each other on fewer cores. */
const AT_ONCE = 3;
/** Upper limits of a probe, the second for one that waits as long as people do, s. */
const LIMIT_S = 300;
const LONG_LIMIT_S = 3_600;

const { values } = parseArgs({
  options: {
    sdk: { type: "string" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    table: { type: "boolean", default: false },
    limit: { type: "string" },
  },
});
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.on(signal, () => process.exit(code));

if (values.table) console.log(table());
else
  process.exitCode = await tryAll().catch((error) => {
    console.error(error.message);
    return 2;
  });
// A version that leaves something running must not keep the command.
process.exit();

async function tryAll() {
  const words = values.only.toLowerCase();
  const chosen = PROBES.filter(
    ({ topic, name, mechanism, slow }) =>
      `${topic} ${name} ${mechanism}`.toLowerCase().includes(words) && !(values.quick && slow),
  );
  if (chosen.length === 0) {
    console.error(`no probe has "${values.only}" in its topic, name or mechanism`);
    return 2;
  }
  const limitS = Number(values.limit ?? (values.long ? LONG_LIMIT_S : LIMIT_S));
  if (!(limitS > 0)) throw new Error(`--limit takes seconds, not "${values.limit}"`);
  const pinned = dirname(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  const dir = values.sdk === undefined ? pinned : installSdk(values.sdk);
  const { sdk: version, harness } = versionsOf(dir);
  console.log(
    `SDK ${version}, harness ${harness}${dir === pinned ? "" : `, beside what is known of SDK ${versionsOf(pinned).sdk}`}`,
  );
  const sdkFile = join(dir, "sdk.mjs");
  const sdk = await import(pathToFileURL(sdkFile).href).catch((error) => {
    throw new Error(`${sdkFile} cannot be loaded: ${error.message}`, { cause: error });
  });

  const tally = { facts: 0, different: 0 };
  const rest = [...chosen];
  const work = async () => {
    for (let probe = rest.shift(); probe !== undefined; probe = rest.shift()) {
      let seen = {};
      let error;
      try {
        seen = await within(limitS, probe.look(sdk, { sdkFile, long: values.long }));
      } catch (thrown) {
        error = thrown instanceof Error ? thrown.message : String(thrown);
      }
      const different = differences(probe, seen, error);
      tally.facts += Object.keys(probe.expected).length;
      tally.different += different.length;
      report(probe, different);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const summary = tally.different === 0 ? "no difference" : `${tally.different} different`;
  console.log(`${summary} in ${tally.facts} facts of ${chosen.length} probes`);
  return tally.different === 0 ? 0 : 1;
}

/** What is looked at, unless it takes too long: another version may wait for something that never comes. */
async function within(limitS, looking) {
  let timer;
  const over = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitS} s`)), 1_000 * limitS);
  });
  try {
    return await Promise.race([looking, over]);
  } finally {
    clearTimeout(timer);
  }
}

function report({ topic, name, mechanism }, different) {
  const word = different.length === 0 ? "ok  " : values.sdk === undefined ? "FAIL" : "CHANGED";
  // Of another version only what changed is of interest.
  if (different.length === 0 && values.sdk !== undefined) return;
  console.log(`${word}  ${topic}: ${name}`);
  if (different.length === 0) return;
  for (const difference of different) console.log(`      ${describe(difference)}`);
  console.log(`      relied on by ${mechanism}`);
}
