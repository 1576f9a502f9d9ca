// Parses a transcript, or parses and rewrites it, in a process of its own: `node --expose-gc rewrite-child.mjs WAY FILE SPILLDIR MINIMUM_MS`.
// WAY: `time` measures both, again and again; `parse` and `rewrite` go once, for the peak of memory.
import { closeSync, openSync, readSync } from "node:fs";
import { loadPasses } from "../dist/runtime/load-passes.js";
import { spillPointer } from "../dist/context/spill-text.js";
import { spillWriter } from "../dist/workbench/spill-writer.js";
import { median } from "./median.mjs";

const [way, file, spillDir, minimumMs] = process.argv.slice(2);
const CHUNK_BYTES = 1 << 20;

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

/** The runtime's passes; without a directory the pointers are made up and nothing is written. */
function passes() {
  const writer = spillDir === "" ? undefined : spillWriter(spillDir, console.error);
  return loadPasses({ expire: true, trim: true, keepDenials: 1, locale: "en" }, (text) => {
    const path =
      writer === undefined ? "/workspace/.flower/spill/0123456789abcdef.txt" : writer.spill(text)?.path;
    return path === undefined
      ? undefined
      : spillPointer({ path, chars: text.length, lines: text.split("\n").length });
  });
}

const rewrite = (entries, all) => all.reduce((history, pass) => pass(history), entries);

function time() {
  const source = [...lines(file)];
  const all = passes();
  const rounds = [];
  const startedMs = performance.now();
  do {
    globalThis.gc();
    const t0 = performance.now();
    const entries = source.map((line) => JSON.parse(line));
    const t1 = performance.now();
    rewrite(entries, all);
    const t2 = performance.now();
    rounds.push({ parseMs: t1 - t0, rewriteMs: t2 - t1 });
  } while (performance.now() - startedMs < Number(minimumMs) || rounds.length < 3);
  const ratio = ({ parseMs, rewriteMs }) => (parseMs + rewriteMs) / parseMs;
  return {
    rounds: rounds.length,
    first: ratio(rounds[0]),
    ratio: median(rounds.map(ratio)),
    parseMs: median(rounds.map(({ parseMs }) => parseMs)),
    rewriteMs: median(rounds.map(({ rewriteMs }) => rewriteMs)),
  };
}

function once() {
  const all = passes();
  globalThis.gc();
  const beforeBytes = process.memoryUsage.rss();
  const entries = [];
  for (const line of lines(file)) entries.push(JSON.parse(line));
  const rewritten = way === "rewrite" ? rewrite(entries, all) : entries;
  // Kilobytes.
  const peakBytes = process.resourceUsage().maxRSS * 1024 - beforeBytes;
  return { entries: rewritten.length, peakBytes };
}

console.log(JSON.stringify(way === "time" ? time() : once()));
