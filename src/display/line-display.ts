import type { Display } from './display.js';
import { eventLine } from './event-line.js';
import type { WireEvent } from './wire-event.js';

/** Prints one line per event, for pipes, files and terminals that cannot move their cursor. */
export class LineDisplay implements Display {
  private startedAt: number | undefined;

  constructor(private readonly write: (text: string) => void) {}

  note(text: string): void {
    this.write(`${text}\n`);
  }

  event(event: WireEvent): void {
    this.startedAt ??= Date.parse(event.created_at);
    this.write(`${eventLine(event, this.startedAt)}\n`);
  }

  conclude(lines: readonly string[]): void {
    for (const line of lines) this.note(line);
  }

  close(): void {}
}
