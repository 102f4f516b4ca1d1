import type { Occurrence } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event of the API with `data` typed by event type. */
export type WireEvent = Omit<Envelope, keyof Occurrence> & Occurrence;
