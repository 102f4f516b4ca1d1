import type { Picture } from './picture.js';
import type { WireEvent } from './wire-event.js';

export interface Display {
  /** Shows a message that is not an event, for example that the server restarted. */
  note(text: string): void;
  /** Shows an event. `picture` is the state of the execution after the event. */
  event(event: WireEvent, picture: Picture): void;
  /** Shows lines about the outcome of the execution. These lines stay on the screen. */
  conclude(lines: readonly string[]): void;
  close(): void;
}
