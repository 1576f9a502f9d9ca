// What isGlance adds to the bare parse of the same commands.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { forEachChild, parse } from "unbash";
import { isGlance } from "../dist/context/glance.js";
import { cpuMs } from "./cpu.mjs";
import { median } from "./median.mjs";

const TARGET = 2;
const ROUNDS = 60;
const REPEATS = 20;

/** The commands that the tests hold isGlance to, allowed and refused. */
async function corpus(name) {
  const source = readFileSync(new URL(`../test/context/${name}.ts`, import.meta.url), "utf8");
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

/** Unbash works the parts of words out on demand: here all are asked for. */
function readWhole(node) {
  if (node.type === "Word" && node.parts !== undefined && node.value === undefined)
    throw new Error(node.text);
  forEachChild(node, readWhole);
}

export async function glance() {
  const { ALLOWED } = await corpus("glance-corpus");
  const { REFUSED } = await corpus("glance-refused-corpus");
  const wrong = [...ALLOWED.filter((c) => !isGlance(c)), ...REFUSED.filter(isGlance)];
  for (const [name, commands] of [
    ["allowed", ALLOWED],
    ["refused", REFUSED],
    ["all", [...ALLOWED, ...REFUSED]],
  ]) {
    const ways = {
      parse: (command) => parse(command),
      readWhole: (command) => readWhole(parse(command)),
      isGlance: (command) => isGlance(command),
    };
    const times = { parse: [], readWhole: [], isGlance: [] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [way, judge] of Object.entries(ways))
        times[way].push(
          cpuMs(() => {
            for (let i = 0; i < REPEATS; i += 1) for (const command of commands) judge(command);
          }).ms,
        );
    // The first rounds warm up.
    const [bare, whole, ours] = Object.values(times).map((list) => median(list.slice(ROUNDS / 3)));
    const each = (ms) => ((1_000 * ms) / REPEATS / commands.length).toFixed(1);
    console.log(
      `${commands.length} commands, ${name}: parse ${each(bare)} µs, isGlance ${each(ours)} µs: ratio ${(ours / bare).toFixed(2)}, ` +
        `target ${TARGET}; against a parse whose tree is read ${(ours / whole).toFixed(2)}`,
    );
  }
  console.log(`${wrong.length} wrong answers${wrong.map((command) => `\n  ${command}`).join("")}`);
}
