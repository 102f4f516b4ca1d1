import type { Occurrence } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';

/** An event as the service sends it, with data typed by its event type. */
export type WireEvent = Omit<Envelope, keyof Occurrence> & Occurrence;
