import { expect, it } from "vitest";
import { rewriteTranscript, type RewriteOptions } from "./rewrite-options.ts";
import { rewriteTranscript as rewrite } from "../../src/context/rewrite.ts";
import { blocksOf, exchangesOf, type Entry } from "../../src/context/transcript.ts";
import { interruptedNote, staleNote } from "../../src/documents/wording.ts";
import { asLoaded } from "./as-loaded.ts";
import { PERSONS_WORDS, randomTranscript, seeded } from "./random-transcript.ts";

/** Random histories; `npm run fuzz` tries more. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 400);
const LINKS = ["parentUuid", "logicalParentUuid", "leafUuid", "compactMetadata"];
const CHAIN = new Set(["user", "assistant", "attachment", "system"]);

function optionsFor(seed: number): RewriteOptions {
  const random = seeded(seed + 10_000);
  const locale = random() < 0.5 ? "en" : "zh";
  return {
    notes: {
      stale: (command, rounds) => staleNote(command, rounds, locale),
      interrupted: interruptedNote(locale),
    },
    keepDenials: Math.floor(random() * 3),
    ...(random() < 0.8 ? { isGlance: (command: string) => /^(git status|ls)/.test(command) } : {}),
    ...(random() < 0.6 ? { spill: (text: string) => `[${text.length} characters are in /spill/x.txt]` } : {}),
  };
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

const idsOf = (entries: readonly Entry[], type: string, field: string): unknown[] =>
  entries.flatMap(blocksOf).flatMap((block) => (block.type === type ? [block[field]] : []));

const isError = (entry: Entry): boolean => entry["isApiErrorMessage"] === true;

/** What no rewrite may touch: everything but calls and results; without the links, which it may mend. */
function untouchable(entries: readonly Entry[]): unknown[] {
  return entries.flatMap((entry) => {
    if (isError(entry)) return [];
    const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !LINKS.includes(name)));
    const blocks = blocksOf(entry);
    if (blocks.length === 0) return [rest];
    const kept = blocks.filter(({ type }) => type !== "tool_use" && type !== "tool_result");
    return kept.length === 0 ? [] : [{ type: entry.type, uuid: entry.uuid, kept }];
  });
}

/** Ids of the links from the newest one up to a beginning. */
function wayUp(entries: readonly Entry[]): string[] {
  const links = new Map(
    entries.flatMap((e) => (CHAIN.has(e.type) && e.uuid !== undefined ? [[e.uuid, e]] : [])),
  );
  const way: string[] = [];
  let at: unknown = [...links.keys()].at(-1);
  while (typeof at === "string") {
    const link = links.get(at);
    if (link === undefined) throw new Error(`${at} is no link of the chain`);
    if (way.length > links.size) throw new Error("the chain is a ring");
    way.push(at);
    at = link["parentUuid"];
  }
  return way;
}

const runs = Array.from({ length: RUNS }, (_, seed) => {
  const before = freeze(randomTranscript(seed, 3 + (seed % 20)));
  const options = optionsFor(seed);
  const mended = rewrite(before, {}, options.notes).entries;
  return { seed, before, mended, options, after: rewriteTranscript(before, options).entries };
});

/** Runs a check on every transcript; the title of a failure names the seed. */
function forAll(check: (run: (typeof runs)[number]) => void): void {
  for (const run of runs) {
    try {
      check(run);
    } catch (error) {
      throw new Error(`seed ${run.seed}`, { cause: error });
    }
  }
}

it("pairs every call with one result, the call first", () => {
  forAll(({ after }) => {
    const blocks = after.flatMap(blocksOf);
    const places = (type: string, field: string): Map<unknown, number> =>
      new Map(blocks.flatMap((block, i) => (block.type === type ? [[block[field], i]] : [])));
    const calls = places("tool_use", "id");
    const results = places("tool_result", "tool_use_id");
    expect(idsOf(after, "tool_result", "tool_use_id")).toHaveLength(results.size);
    expect([...results.keys()].sort()).toEqual([...calls.keys()].sort());
    expect([...calls].filter(([id, place]) => (results.get(id) ?? 0) < place)).toEqual([]);
  });
});

it("keeps the chain whole: every parent is a living link, and the newest leads to a beginning", () => {
  forAll(({ after }) => {
    const chain = after.filter(({ type }) => CHAIN.has(type));
    const links = new Set<unknown>(chain.map(({ uuid }) => uuid));
    const broken = chain.filter((e) => e["parentUuid"] !== null && !links.has(e["parentUuid"]));
    expect(broken).toEqual([]);
    expect(wayUp(after).length).toBeGreaterThan(0);
  });
});

it("leaves everything but calls, results and errors of the API as it was", () => {
  forAll(({ before, after }) => expect(untouchable(after)).toEqual(untouchable(before)));
});

it("keeps a person's words", () => {
  forAll(({ before, after }) => {
    const persons = (entries: readonly Entry[]): Entry[] =>
      entries.filter((e) => e["holdsPersonsWords"] === true);
    expect(persons(after).flatMap(blocksOf)).toEqual(persons(before).flatMap(blocksOf));
    expect(persons(after).every((e) => JSON.stringify(e).includes(PERSONS_WORDS))).toBe(true);
  });
});

const isDenial = (entry: Entry): boolean =>
  entry["toolDenialKind"] === "permission-rule" && entry["holdsPersonsWords"] !== true;
const uuids = (entries: readonly Entry[]): unknown[] => entries.map(({ uuid }) => uuid);
const without = (entries: readonly Entry[], others: readonly Entry[]): Entry[] =>
  entries.filter(({ uuid }) => !others.some((other) => other.uuid === uuid));

it("leaves the harness what it had without it, but for errors of the API and all but the newest denials of that", () => {
  let boundaries = 0;
  forAll(({ mended, after, options }) => {
    const loaded = asLoaded(mended);
    boundaries += loaded.filter((e) => JSON.stringify(e["compactMetadata"] ?? "").includes("uuids")).length;
    const denials = loaded.filter(isDenial);
    const kept = asLoaded(after).filter(isDenial);
    expect(kept).toHaveLength(Math.min(denials.length, options.keepDenials ?? 1));
    const denied = new Set(
      without(denials, kept)
        .flatMap(blocksOf)
        .map((block) => block["tool_use_id"]),
    );
    const isCallOfDenied = (entry: Entry): boolean => blocksOf(entry).some(({ id }) => denied.has(id));
    const gone = loaded.filter(
      (e) => isError(e) || isCallOfDenied(e) || (isDenial(e) && !kept.some(({ uuid }) => uuid === e.uuid)),
    );
    expect(uuids(asLoaded(after))).toEqual(uuids(without(loaded, gone)));
    expect(uuids(without(after, loaded))).toEqual(uuids(without(mended, loaded).filter((e) => !isError(e))));
  });
  expect(boundaries).toBeGreaterThan(20);
});

it("lets all looks go stale that the harness has but the newest six, and no others", () => {
  forAll(({ mended, after, options }) => {
    const { isGlance } = options;
    if (isGlance === undefined) return;
    const loaded = new Set(asLoaded(mended));
    const looks = exchangesOf(mended).filter(
      ({ name, input, answer }) =>
        name === "Bash" &&
        isGlance(String(input["command"])) &&
        /^(result of )?call-/.test(answer?.text ?? ""),
    );
    const live = looks.filter(({ callAt }) => loaded.has(mended[callAt]!));
    const old = new Set(live.slice(0, Math.max(0, live.length - 6)));
    const texts = new Map(exchangesOf(after).map(({ id, answer }) => [id, answer?.text]));
    for (const look of looks) {
      // Long ones are left to trim, when it is on.
      if (options.spill !== undefined && look.answer!.text!.length >= 2_000) continue;
      expect(texts.get(look.id) !== look.answer?.text).toBe(old.has(look));
    }
  });
});

it("hits no call but denied ones", () => {
  forAll(({ before, after }) => {
    const denied = new Set(
      idsOf(
        before.filter((e) => e["toolDenialKind"] === "permission-rule"),
        "tool_result",
        "tool_use_id",
      ),
    );
    const kept = new Set(idsOf(after, "tool_use", "id"));
    expect(idsOf(before, "tool_use", "id").filter((id) => !denied.has(id) && !kept.has(id))).toEqual([]);
  });
});

it("changes nothing a second time", () => {
  forAll(({ after, options }) => {
    const { entries, report } = rewriteTranscript(after, options);
    expect(entries).toEqual(after);
    expect(Object.values(report).filter((n) => n !== 0)).toEqual([]);
  });
});

/** As the harness reads a file: the first entry of each id. */
function once(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)));
}

it("does to a file that holds its entries twice what it does to one that holds them once", () => {
  forAll(({ before, after, options }) => {
    const links = before.filter(({ uuid }) => uuid !== undefined);
    const single = rewriteTranscript(links, options);
    for (const twice of [links.flatMap((e) => [e, e]), [...links, ...links]])
      expect(once(rewriteTranscript(twice, options).entries)).toEqual(single.entries);
    expect(after.length).toBeGreaterThan(0);
  });
});

it("looks at each entry a fixed number of times", () => {
  const looks = (rounds: number): number => {
    let count = 0;
    const watched = randomTranscript(1, rounds).map(
      (entry) =>
        new Proxy(entry, { get: (target, name) => ((count += 1), Reflect.get(target, name) as unknown) }),
    );
    rewriteTranscript(watched, optionsFor(1));
    return count;
  };
  // Twice as many rounds, about twice as many entries; the square would be four times as many looks.
  expect(looks(400)).toBeLessThan(3 * looks(200));
});
