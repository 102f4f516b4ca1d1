import type { Picture } from './picture.js';
import type { WireEvent } from './wire-event.js';

/** Where the demonstration is shown. */
export interface Display {
  /** Something that is no event: what the demonstration itself does. */
  note(text: string): void;
  /** An event, and what the execution looks like with it. */
  event(event: WireEvent, picture: Picture): void;
  /** The last word on the execution; it stays. */
  conclude(lines: readonly string[]): void;
  close(): void;
}
