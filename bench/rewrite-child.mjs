// Parses a transcript (WAY `parse`), or parses and rewrites it (`rewrite`), in a process of its own, so that the garbage
// of one is not collected at the other's expense: `node --expose-gc rewrite-child.mjs WAY FILE SPILLDIR MINIMUM_MS`.
// Goes again and again for that long, for the time; with 0 once, for the peak of memory.
import { closeSync, openSync, readSync } from "node:fs";
import { isGlance } from "../dist/context/glance.js";
import { rewriteTranscript } from "../dist/context/rewrite.js";
import { spillPointer } from "../dist/context/spill-text.js";
import { interruptedNote, staleNote } from "../dist/documents/wording.js";
import { spillWriter } from "../dist/workbench/spill-writer.js";
import { cpuMs } from "./cpu.mjs";
import { median } from "./median.mjs";

const [way, file, spillDir, minimumMs] = process.argv.slice(2);
const CHUNK_BYTES = 1 << 20;
const LEAST_ROUNDS = 4;
const NOTES = {
  stale: (command, rounds) => staleNote(command, rounds, "en"),
  interrupted: interruptedNote("en"),
};
const writer = spillDir === "" ? undefined : spillWriter(spillDir, console.error);

/** Line by line, so that the text itself takes no memory beside what is made of it. */
function* lines(path) {
  const handle = openSync(path, "r");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = [];
  for (let read; (read = readSync(handle, chunk)) > 0;) {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) >= 0 && end < read; start = end + 1) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString("utf8");
      rest = [];
    }
    rest.push(Buffer.from(chunk.subarray(start, read)));
  }
  closeSync(handle);
}

/** What a runtime with all rewrites on does at a resume; without a directory the pointers are made up and nothing is written. */
function rewrite(entries) {
  const spill = (text) => {
    const path =
      writer === undefined ? "/workspace/.flower/spill/0123456789abcdef.txt" : writer.spill(text)?.path;
    return path === undefined ? undefined : spillPointer(text, path);
  };
  return rewriteTranscript(entries, { prune: {}, expire: { isGlance }, trim: { spill } }, NOTES).entries;
}

function time() {
  const source = [...lines(file)];
  const rounds = [];
  const startedMs = performance.now();
  // Not between rounds: a forced collection throws optimised code away (Node 20), which no resume has to bear.
  globalThis.gc();
  do {
    const { ms } = cpuMs(() => {
      const entries = source.map((line) => JSON.parse(line));
      return way === "rewrite" ? rewrite(entries) : entries;
    });
    rounds.push(ms);
  } while (performance.now() - startedMs < Number(minimumMs) || rounds.length < LEAST_ROUNDS);
  return { firstMs: rounds[0], ms: median(rounds.slice(1)) };
}

function once() {
  globalThis.gc();
  const beforeBytes = process.memoryUsage.rss();
  const entries = [];
  for (const line of lines(file)) entries.push(JSON.parse(line));
  const rewritten = way === "rewrite" ? rewrite(entries) : entries;
  // Kilobytes.
  const peakBytes = process.resourceUsage().maxRSS * 1024 - beforeBytes;
  return { entries: rewritten.length, peakBytes };
}

console.log(JSON.stringify(Number(minimumMs) > 0 ? time() : once()));
