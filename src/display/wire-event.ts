import type { Occurrence } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event as the API returns it. The type of `data` depends on the event type. */
export type WireEvent = Omit<Envelope, keyof Occurrence> & Occurrence;
