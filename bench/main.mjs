// Figures of flower, each with its counterpart measured in the same run: `npm run bench [-- overhead handoff]`.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { handoff } from "./handoff.mjs";
import { overhead } from "./overhead.mjs";

const BENCHES = { overhead, handoff };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "5" },
    turns: { type: "string", default: "200" },
  },
});
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
console.log(`flower ${version}, Node ${process.version}`);
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  console.log(`\n# ${name}`);
  await BENCHES[name]({ pairs: Number(values.pairs), turns: Number(values.turns) });
}
