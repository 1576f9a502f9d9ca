// What the rewrite at a resume adds to parsing the history, in CPU time and in memory, without a database.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./median.mjs";
import { transcript } from "./transcript.mjs";

const child = fileURLToPath(new URL("rewrite-child.mjs", import.meta.url));
const TARGETS = { time: 1.3, memory: 1.5 };
const MEBIBYTE = 1 << 20;
/** Small histories are measured again and again for this long. */
const MINIMUM_MS = 4_000;
const PEAKS = 3;

function measure(way, file, spillDir) {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--max-old-space-size=8192", child, way, file, spillDir, String(MINIMUM_MS)],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${way} ended with exit code ${status}: ${stderr}`);
  return JSON.parse(stdout.trim());
}

function writeTranscript(file, bytes) {
  const handle = openSync(file, "w");
  let entries = 0;
  for (const entry of transcript({
    bytes,
    sessionId: "00000000-0000-4000-8000-000000000000",
    cwd: "/workspace",
  })) {
    writeSync(handle, `${JSON.stringify(entry)}\n`);
    entries += 1;
  }
  closeSync(handle);
  return entries;
}

export async function rewrite({ sizesMb }) {
  for (const sizeMb of sizesMb) {
    const dir = mkdtempSync(join(tmpdir(), "flower-bench-"));
    const file = join(dir, "transcript.jsonl");
    const spillDir = join(dir, "spill");
    try {
      const entries = writeTranscript(file, sizeMb * MEBIBYTE);
      const pure = measure("time", file, "");
      // The first time each spilled text is written, after that it is found on disk.
      const disk = measure("time", file, spillDir);
      const peak = (way) =>
        median(Array.from({ length: PEAKS }, () => measure(way, file, "").peakBytes)) / MEBIBYTE;
      const [parse, both] = [peak("parse"), peak("rewrite")];
      console.log(
        `${sizeMb} MB, ${entries} entries: parse ${pure.parseMs.toFixed(0)} ms, rewrite ${pure.rewriteMs.toFixed(0)} ms, ` +
          `ratio ${pure.ratio.toFixed(3)} (first in its process ${pure.first.toFixed(3)}), target ${TARGETS.time}; ` +
          `with spill files on disk ${disk.ratio.toFixed(3)} (all written anew ${disk.first.toFixed(3)})`,
      );
      console.log(
        `  peak of memory ${parse.toFixed(0)} MB parsed, ${both.toFixed(0)} MB rewritten: ` +
          `ratio ${(both / parse).toFixed(3)}, target ${TARGETS.memory}`,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}
