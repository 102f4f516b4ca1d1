import type { Occurrence } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event as the API returns it, with the type of `data` selected by the event type. */
export type WireEvent = Omit<Envelope, keyof Occurrence> & Occurrence;
