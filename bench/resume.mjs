// Time from a resume of a large stored session to its first request, against the bare SDK with a plain store of the
// same content. Each in a process of its own; pairs alternate, so that a slow minute hits all.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./median.mjs";

const child = fileURLToPath(new URL("resume-child.mjs", import.meta.url));
const VARIANTS = ["plain", "library", "command"];
const TARGET = 1.15;

function measure(variant, sessionMb) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, variant, String(sessionMb)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${variant} ended with exit code ${status}: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

export async function resume({ pairs, sessionMb }) {
  const ratios = { library: [], command: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const seen = {};
    for (const variant of VARIANTS.map((_, i) => VARIANTS[(i + pair) % VARIANTS.length]))
      seen[variant] = measure(variant, sessionMb);
    for (const variant of Object.keys(ratios)) ratios[variant].push(seen[variant].ms / seen.plain.ms);
    const shown = VARIANTS.map(
      (v) =>
        `${v} ${(seen[v].ms / 1_000).toFixed(2)} s (${seen[v].messages} messages, ${seen[v].inputTokens} kB)`,
    );
    console.log(`pair ${pair + 1}: ${shown.join(" · ")}`);
  }
  console.log(
    `${sessionMb} MB, median of ${pairs} pairs against the bare SDK: with the library's defaults ` +
      `${median(ratios.library).toFixed(3)}, with those of the command ${median(ratios.command).toFixed(3)}, target ${TARGET}`,
  );
}
