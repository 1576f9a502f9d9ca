import { expect, expectTypeOf, test } from "vitest";
import type { Event, EventBase } from "../../src/core/events.ts";
import { collectEvents } from "../../src/testing/index.ts";

const BASE: EventBase = { runId: "r", step: "work", timeMs: 1 };

test("keeps events in order and finds them by type", async () => {
  const collector = collectEvents();
  const events: Event[] = [
    { ...BASE, type: "text", text: "a" },
    { ...BASE, type: "reset", reason: "x" },
    { ...BASE, type: "text", text: "b" },
  ];
  for (const event of events) await collector.listener(event);

  expect(collector.events).toEqual(events);
  const texts = collector.ofType("text");
  expectTypeOf(texts[0]!.text).toEqualTypeOf<string>();
  expect(texts.map((event) => event.text)).toEqual(["a", "b"]);
  expect(collector.ofType("error")).toEqual([]);
});
