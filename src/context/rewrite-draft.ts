import { linked, withoutCalls, withResults } from "./transcript-edit.ts";
import { isProtected, readCalls, type Entry, type Exchange } from "./transcript.ts";

/**
 * A history while passes change it. It is read once for all of them: entries keep their places until the end, and an
 * edit touches those that it changes, found by the calls. The given entries are never changed.
 */
export class Draft {
  #given: readonly Entry[];
  #places: (Entry | undefined)[];
  /** Without those that share their id with another call: a result found by it may be the other's. */
  #calls: Exchange[];
  /** Further places of calls and results that a damaged file holds more than once, by call id. */
  #copies: ReadonlyMap<string, readonly number[]>;
  /** Parents of entries that went, by id. */
  #parentOfGone = new Map<string, unknown>();
  #changed = false;

  constructor(entries: readonly Entry[]) {
    this.#given = entries;
    this.#places = [...entries];
    const { exchanges, copies, reused } = readCalls(entries);
    this.#calls = exchanges.filter(({ id }) => !reused.has(id));
    this.#copies = copies;
  }

  /** The entries by place; undefined where one went. */
  get places(): readonly (Entry | undefined)[] {
    return this.#places;
  }

  /** The living calls in order. Texts of results are up to date; the entries are those that were read. */
  get calls(): readonly Exchange[] {
    return this.#calls;
  }

  /** The history as it is now; what hung on an entry that went hangs on its nearest living ancestor. */
  entries(): readonly Entry[] {
    if (!this.#changed) return this.#given;
    const living = this.#places.filter((entry) => entry !== undefined);
    return this.#parentOfGone.size === 0 ? living : living.map((entry) => linked(entry, this.#parentOfGone));
  }

  /** Goes on with another history. */
  restart(entries: readonly Entry[]): void {
    const fresh = new Draft(entries);
    this.#places = fresh.#places;
    this.#calls = fresh.#calls;
    this.#copies = fresh.#copies;
    this.#parentOfGone = fresh.#parentOfGone;
    this.#changed = true;
  }

  /** Puts another entry in a place; undefined takes it out. */
  put(place: number, entry: Entry | undefined): void {
    const before = this.#places[place];
    this.#places[place] = entry;
    this.#changed = true;
    if (entry === undefined && before?.uuid !== undefined)
      this.#parentOfGone.set(before.uuid, before["parentUuid"] ?? null);
  }

  /** Takes entries out, with the calls in them. */
  drop(places: ReadonlySet<number>): void {
    if (places.size === 0) return;
    for (const place of places) this.put(place, undefined);
    this.#calls = this.#calls.filter(({ callAt }) => !places.has(callAt));
  }

  /** Replaces result texts by call id; protected entries stay. */
  replaceResults(texts: ReadonlyMap<string, string>): void {
    if (texts.size === 0) return;
    const places = new Set<number>();
    for (const call of this.#calls) {
      const text = texts.get(call.id);
      if (text === undefined || call.answer === undefined) continue;
      for (const place of this.#placesOf(call)) places.add(place);
      if (!isProtected(call.answer.entry)) call.answer = { ...call.answer, text };
    }
    this.#edit(places, (entry) => withResults(entry, texts));
  }

  /** Removes calls with their results by call id; other blocks of the same message stay. */
  removeCalls(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    const gone = this.#calls.filter(({ id }) => ids.has(id));
    this.#edit(new Set(gone.flatMap((call) => this.#placesOf(call))), (entry) => withoutCalls(entry, ids));
    this.#calls = this.#calls.filter(({ id }) => !ids.has(id));
  }

  #edit(places: Iterable<number>, change: (entry: Entry) => Entry | undefined): void {
    for (const place of places) {
      const before = this.#places[place];
      if (before === undefined) continue;
      const after = change(before);
      if (after !== before) this.put(place, after);
    }
  }

  #placesOf({ id, callAt, answer }: Exchange): number[] {
    return [callAt, ...(answer === undefined ? [] : [answer.at]), ...(this.#copies.get(id) ?? [])];
  }
}
