// Overhead of flower over the bare SDK: wall and CPU time of a scripted run, as ratios. Each variant runs in a process of its own; pairs alternate, so that a slow minute hits both sides.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./median.mjs";
import { watchTree } from "./tree-cpu.mjs";

const VARIANTS = ["hooks", "runtime", "bare"];
const script = fileURLToPath(new URL("variant.mjs", import.meta.url));

/** Wall and CPU time of one run. */
async function measure(variant, turns) {
  const child = spawn(process.execPath, [script, variant, String(turns)], {
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

const FIGURES = ["wallMs", "cpuMs"];

export async function overhead({ pairs, turns }) {
  const ratios = { hooks: { wallMs: [], cpuMs: [] }, bare: { wallMs: [], cpuMs: [] } };
  for (let pair = 0; pair < pairs; pair += 1) {
    const seen = {};
    // The order turns with every pair.
    for (const variant of VARIANTS.map((_, i) => VARIANTS[(i + pair) % VARIANTS.length]))
      seen[variant] = await measure(variant, turns);
    for (const base of ["hooks", "bare"])
      for (const figure of FIGURES) ratios[base][figure].push(seen.runtime[figure] / seen[base][figure]);
    const seconds = (ms) => (ms / 1000).toFixed(2);
    const shown = VARIANTS.map(
      (v) => `${v} ${seconds(seen[v].wallMs)} s wall, ${seconds(seen[v].cpuMs)} s cpu`,
    );
    console.log(`pair ${pair + 1}: ${shown.join(" · ")}`);
  }
  console.log(`${turns} turns, median of ${pairs} pairs, target 1.10`);
  for (const [base, name] of [
    ["hooks", "query() with the same hooks, empty, and a memory store"],
    ["bare", "query() without hooks"],
  ]) {
    const [wall, cpu] = FIGURES.map((figure) => median(ratios[base][figure]).toFixed(3));
    console.log(`against ${name}: wall ${wall}, cpu ${cpu}`);
  }
}
