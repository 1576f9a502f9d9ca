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
/** Histories are measured again and again for this long. */
const MINIMUM_MS = 4_000;
/** Pairs of processes; they alternate, so that a slow minute hits both. */
const PAIRS = 3;

function measure(way, file, { spillDir = "", minimumMs = 0 } = {}) {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--max-old-space-size=8192", child, way, file, spillDir, String(minimumMs)],
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
      const seen = Array.from({ length: PAIRS }, () => {
        const minimumMs = MINIMUM_MS;
        const [parse, both] = ["parse", "rewrite"].map((way) => measure(way, file, { minimumMs }));
        const [parsePeak, bothPeak] = ["parse", "rewrite"].map((way) => measure(way, file).peakBytes);
        return { parse, both, parsePeak, bothPeak };
      });
      // The first time each spilled text is written, after that it is found on disk.
      const disk = measure("rewrite", file, { spillDir, minimumMs: MINIMUM_MS });
      const of = (read) => median(seen.map(read));
      const [parseMs, firstParseMs] = [of(({ parse }) => parse.ms), of(({ parse }) => parse.firstMs)];
      const bothMs = of(({ both }) => both.ms);
      const [parsePeak, bothPeak] = [of((s) => s.parsePeak), of((s) => s.bothPeak)];
      console.log(
        `${sizeMb} MB, ${entries} entries: parse ${parseMs.toFixed(1)} ms, with rewrite ${bothMs.toFixed(1)} ms, ` +
          `ratio ${of(({ parse, both }) => both.ms / parse.ms).toFixed(3)}, target ${TARGETS.time} ` +
          `(first in their processes ${of(({ parse, both }) => both.firstMs / parse.firstMs).toFixed(3)}); ` +
          `with spill files on disk ${(disk.ms / parseMs).toFixed(3)} (all written anew ${(disk.firstMs / firstParseMs).toFixed(3)})`,
      );
      console.log(
        `  peak of memory ${(parsePeak / MEBIBYTE).toFixed(0)} MB parsed, ${(bothPeak / MEBIBYTE).toFixed(0)} MB rewritten: ` +
          `ratio ${(bothPeak / parsePeak).toFixed(3)}, target ${TARGETS.memory}`,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}
