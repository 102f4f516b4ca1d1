import type { EventDataByType, EventType } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event as the service sends it, with the data that belongs to its type. */
export type WireEvent = {
  readonly [T in EventType]: Omit<Envelope, 'type' | 'data'> & {
    readonly type: T;
    readonly data: EventDataByType[T];
  };
}[EventType];
