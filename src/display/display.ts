import type { Picture } from './picture.js';
import type { WireEvent } from './wire-event.js';

/** Shows the progress of an execution to the user of a command. */
export interface Display {
  /** Shows a message that is not an event, such as a server restart. */
  note(text: string): void;
  /** Shows an event and the state of the execution after it. */
  event(event: WireEvent, picture: Picture): void;
  /** Shows the outcome of the execution, which stays on the screen. */
  conclude(lines: readonly string[]): void;
  close(): void;
}
