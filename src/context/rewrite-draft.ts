import { liveMessages, type Leaf } from "./live-branch.ts";
import { linked, withoutCalls, withResults } from "./transcript-edit.ts";
import { isProtected, messageIdOf, readCalls, type Entry, type Exchange } from "./transcript.ts";

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
  readonly #leaf: Leaf | undefined;
  #ages: ReadonlyMap<string | undefined, number> | undefined;

  /** @param leaf where the conversation goes on; undefined = from the newest entry. */
  constructor(entries: readonly Entry[], leaf?: Leaf) {
    this.#given = entries;
    this.#leaf = leaf;
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

  /**
   * How many of the model's messages ago a call was made, on the branch that the conversation goes on from; undefined for
   * calls that the session does not have before it.
   */
  roundsAgo(call: Exchange): number | undefined {
    return this.#live().get(this.#messageOf(call));
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
    this.#given = entries;
    this.#places = fresh.#places;
    this.#calls = fresh.#calls;
    this.#copies = fresh.#copies;
    this.#parentOfGone = fresh.#parentOfGone;
    this.#changed = true;
  }

  /** Puts another entry in a place; undefined takes it out. */
  put(place: number, entry: Entry | undefined): void {
    // The way up leads over what goes.
    if (entry === undefined) this.#live();
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
    this.#leadOverSiblings(gone);
  }

  /**
   * The harness finds parallel calls only from one of their message that is on the way (0.3.332). Where the first of them
   * went and its result came last, what followed on that follows on another call, or else the way would pass by all.
   */
  #leadOverSiblings(gone: readonly Exchange[]): void {
    const siblings = new Map<string | undefined, Exchange[]>();
    for (const call of gone) siblings.set(this.#messageOf(call), []);
    for (const call of this.#calls) siblings.get(this.#messageOf(call))?.push(call);
    for (const call of gone) {
      const { callAt, answer } = call;
      const others = siblings.get(this.#messageOf(call)) ?? [];
      if (answer?.entry.uuid === undefined || this.#places[answer.at] !== undefined) continue;
      if (others.some((other) => other.callAt < callAt)) continue;
      // What was made after the result may hang on it.
      const heir = others.findLast((other) => other.callAt < answer.at);
      if (heir !== undefined)
        this.#parentOfGone.set(answer.entry.uuid, this.#given[heir.callAt]?.uuid ?? null);
    }
  }

  #messageOf({ callAt }: Exchange): string | undefined {
    const entry = this.#given[callAt];
    return entry === undefined ? undefined : messageIdOf(entry);
  }

  #live(): ReadonlyMap<string | undefined, number> {
    return (this.#ages ??= liveMessages(this.#places, this.#leaf));
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
