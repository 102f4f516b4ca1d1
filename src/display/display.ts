import type { Picture } from './picture.js';
import type { WireEvent } from './wire-event.js';

export interface Display {
  /** For messages that are not events, such as a server restart. */
  note(text: string): void;
  /** `picture` is the state after the event. */
  event(event: WireEvent, picture: Picture): void;
  /** The outcome stays on the screen. */
  conclude(lines: readonly string[]): void;
  close(): void;
}
