// Figures of flower, each with its counterpart measured in the same run: `npm run bench [-- overhead handoff]`.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { economics } from "./economics.mjs";
import { glance } from "./glance.mjs";
import { handoff } from "./handoff.mjs";
import { overhead } from "./overhead.mjs";
import { resume } from "./resume.mjs";
import { rewrite } from "./rewrite.mjs";

const BENCHES = { overhead, handoff, economics, rewrite, glance, resume };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "5" },
    turns: { type: "string", default: "200" },
    calls: { type: "string", default: "552" },
    sizes: { type: "string", default: "1,10,50,200" },
    megabytes: { type: "string", default: "50" },
  },
});
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);

const options = {
  pairs: Number(values.pairs),
  turns: Number(values.turns),
  calls: Number(values.calls),
  sizesMb: values.sizes.split(",").map(Number),
  sessionMb: Number(values.megabytes),
};
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
console.log(`flower ${version}, Node ${process.version}`);
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  console.log(`\n# ${name}`);
  await BENCHES[name](options);
}
