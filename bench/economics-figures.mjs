// What a scripted run cost and where its prefix broke, from the requests as they arrive.
import { promptBlocks } from "../dist/testing/prompt-blocks.js";

/** Prices of input in units of an uncached token: cached for five minutes or an hour, and served from the cache. */
const PRICE = { write5m: 1.25, write1h: 2, read: 0.1 };

const TOKENS_PER_BYTE = 0.25;

/** Blocks of a request in the order of `promptBlocks`, each with its place and its text. */
function places({ tools = [], system, messages }) {
  const list = (content) => (Array.isArray(content) ? content : [{ type: "text", text: content }]);
  const text = (block) => JSON.stringify({ ...block, cache_control: undefined });
  return [
    ...tools.map((tool) => ({ place: `tool ${tool.name}`, text: text(tool) })),
    ...list(system).map((block, i) => ({ place: `system ${i}`, text: text(block) })),
    ...messages.flatMap((message, i) =>
      list(message.content).map((block) => ({
        place: `message ${i} of ${messages.length} (${message.role}, ${block.type})`,
        text: text(block),
      })),
    ),
  ];
}

/** Where two texts part, with a little of both. */
function difference(before = "", after = "") {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const excerpt = (text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
  return `${excerpt(before)} became ${excerpt(after)}`;
}

/** Watches a rehearsal: call `seen` for each request that is answered, from the script. */
export function figures() {
  /** By thread: its last request. The main thread is one thread over all sessions. */
  const last = new Map();
  const breaks = [];
  const rows = [];
  return {
    /** `row` is the journal's row of this request, whose cache figures are filled in later. */
    seen(request, row, note) {
      const thread = request.agentId ?? "main";
      const prompt = { blocks: promptBlocks(request.raw), places: places(request.raw) };
      const before = last.get(thread);
      let commonTokens = 0;
      if (before !== undefined) {
        let same = 0;
        while (
          same < before.blocks.length &&
          before.blocks[same].prefixHash === prompt.blocks[same]?.prefixHash
        )
          same += 1;
        const bytesUpTo = (i) => before.blocks[i - 1]?.prefixBytes ?? 0;
        commonTokens = bytesUpTo(same) * TOKENS_PER_BYTE;
        const tokens = (bytesUpTo(before.blocks.length) - bytesUpTo(same)) * TOKENS_PER_BYTE;
        if (same < before.blocks.length)
          breaks.push({
            thread,
            tokens,
            note,
            place: before.places[same].place,
            difference: difference(before.places[same].text, prompt.places[same]?.text),
          });
      }
      last.set(thread, prompt);
      rows.push({ row, thread, commonTokens });
    },
    /** The figures of all that was seen. */
    result() {
      const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);
      const cost = ({ row }) =>
        row.inputTokens -
        row.cacheRead -
        row.cacheWrite +
        row.cacheRead * PRICE.read +
        (row.cacheWrite - row.cacheWrite1h) * PRICE.write5m +
        row.cacheWrite1h * PRICE.write1h;
      const main = rows.filter(({ thread }) => thread === "main");
      const [first, latest] = [main.at(0), main.at(-1)];
      return {
        requests: rows.length,
        mainRequests: main.length,
        inputTokens: sum(rows, ({ row }) => row.inputTokens),
        cost: sum(rows, cost),
        mainCost: sum(main, cost),
        hits: sum(rows, ({ row }) => row.cacheRead) / sum(rows, ({ row }) => row.inputTokens),
        /** Tokens that were the prefix of the request before and had left the cache by then. */
        coldTokens: sum(rows, ({ row, commonTokens }) => Math.max(0, commonTokens - row.cacheRead)),
        /** What a turn adds to the main thread; a compaction takes nothing from it. */
        slope:
          main
            .slice(1)
            .reduce(
              (total, { row }, i) => total + Math.max(0, row.inputTokens - main[i].row.inputTokens),
              0,
            ) / Math.max(1, main.length - 1),
        mainFrom: first.row.inputTokens,
        mainTo: latest.row.inputTokens,
        breaks,
        brokenTokens: sum(breaks, ({ tokens }) => tokens),
        meanContext: sum(rows, ({ row }) => row.inputTokens) / rows.length,
      };
    },
  };
}
