import type { Event, EventListener, EventType } from "../core/events.ts";

/** Events of a run, kept in the order in which they came. */
export interface EventCollector {
  /** Hand this to the run. */
  listener: EventListener;
  events: readonly Event[];
  /** The events of one type. */
  ofType<T extends EventType>(type: T): Array<Extract<Event, { type: T }>>;
}

/** A listener that keeps what it hears. */
export function collectEvents(): EventCollector {
  const events: Event[] = [];
  return {
    events,
    listener: (event) => {
      events.push(event);
    },
    ofType: <T extends EventType>(type: T) =>
      events.filter((event): event is Extract<Event, { type: T }> => event.type === type),
  };
}
