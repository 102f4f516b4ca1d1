import type { Occurrence } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event as the service sends it, with the data that belongs to its type. */
export type WireEvent = Omit<Envelope, keyof Occurrence> & Occurrence;
