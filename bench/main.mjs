// Overhead of flower over the bare SDK, as ratios measured in one run: `npm run bench [-- --pairs 5 --turns 200]`.
// Each variant runs in a process of its own; pairs alternate, so that a slow minute hits both sides.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { watchTree } from "./tree-cpu.mjs";

const { values } = parseArgs({
  options: { pairs: { type: "string", default: "5" }, turns: { type: "string", default: "200" } },
});
const pairs = Number(values.pairs);
const VARIANTS = ["hooks", "runtime", "bare"];
const script = fileURLToPath(new URL("variant.mjs", import.meta.url));

/** Wall and CPU time of one run. */
async function measure(variant) {
  const child = spawn(process.execPath, [script, variant, values.turns], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const tree = watchTree(child.pid);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const cpuMs = tree.stop() * 1_000;
  if (code !== 0) throw new Error(`${variant} ended with exit code ${code}`);
  return { ...JSON.parse(out.trim().split("\n").at(-1)), cpuMs };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

const FIGURES = ["wallMs", "cpuMs"];
const ratios = { hooks: { wallMs: [], cpuMs: [] }, bare: { wallMs: [], cpuMs: [] } };
for (let pair = 0; pair < pairs; pair += 1) {
  const seen = {};
  // The order turns with every pair.
  for (const variant of VARIANTS.map((_, i) => VARIANTS[(i + pair) % VARIANTS.length]))
    seen[variant] = await measure(variant);
  for (const base of ["hooks", "bare"])
    for (const figure of FIGURES) ratios[base][figure].push(seen.runtime[figure] / seen[base][figure]);
  const seconds = (ms) => (ms / 1000).toFixed(2);
  const shown = VARIANTS.map(
    (v) => `${v} ${seconds(seen[v].wallMs)} s wall, ${seconds(seen[v].cpuMs)} s cpu`,
  );
  console.log(`pair ${pair + 1}: ${shown.join(" · ")}`);
}
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
console.log(`flower ${version}, ${values.turns} turns, median of ${pairs} pairs`);
for (const [base, name] of [
  ["hooks", "query() with the same hooks, empty, and a memory store"],
  ["bare", "query() without hooks"],
]) {
  const [wall, cpu] = FIGURES.map((figure) => median(ratios[base][figure]).toFixed(3));
  console.log(`against ${name}: wall ${wall}, cpu ${cpu}`);
}
