import type { Display } from './display.js';
import { draw } from './drawing.js';
import type { Picture } from './picture.js';
import { paint, type Style } from './style.js';
import type { WireEvent } from './wire-event.js';

const FRAME_MS = 100;
/** Maximum number of messages on the screen. A further message replaces the oldest message. */
const NOTES = 5;
/** Minimum width of a drawing in columns. On a narrower terminal, the drawing is wider than the terminal. */
const LEAST_COLUMNS = 40;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

export interface Screen {
  readonly columns: number;
  write(text: string): unknown;
}

/**
 * Hints about keys that the user can press, shown during the execution (`meanwhile`) and after its end (`atTheEnd`).
 * Empty if no key has an effect.
 */
export interface KeyHints {
  readonly meanwhile: string;
  readonly atTheEnd: string;
}

/** Redraws the state of an execution ten times a second until the execution ends. */
export class LiveDisplay implements Display {
  private notes: readonly string[] = [];
  private drawnLines = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly screen: Screen,
    private readonly style: Style,
    private picture: Picture,
    private readonly keys: KeyHints,
  ) {
    this.screen.write(HIDE_CURSOR);
    this.timer = setInterval(() => this.redraw(this.keys.meanwhile), FRAME_MS);
  }

  note(text: string): void {
    if (this.timer === undefined) {
      this.screen.write(`  ${text}\n`);
      return;
    }
    this.notes = [...this.notes, text].slice(-NOTES);
    this.redraw(this.keys.meanwhile);
  }

  event(_event: WireEvent, picture: Picture): void {
    this.picture = picture;
  }

  conclude(lines: readonly string[]): void {
    this.stop();
    this.redraw('');
    // Lines about the outcome are not cut to the width of the terminal, because these lines are never redrawn.
    this.screen.write(lines.map((line) => `  ${line}\n`).join(''));
    if (this.keys.atTheEnd !== '')
      this.screen.write(`\n  ${paint(this.style, 'grey', this.keys.atTheEnd)}\n\n`);
  }

  close(): void {
    this.stop();
    this.screen.write(SHOW_CURSOR);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private redraw(keys: string): void {
    const { style, picture, screen } = this;
    const width = Math.max(screen.columns, LEAST_COLUMNS);
    const lines = ['', ...draw({ picture, now: Date.now(), width, style }), ''];
    for (const note of this.notes) lines.push(`  ${note.slice(0, width - 3)}`);
    if (this.notes.length > 0) lines.push('');
    if (keys !== '') lines.push(`  ${paint(style, 'grey', keys.slice(0, width - 3))}`);
    const back = this.drawnLines === 0 ? '' : `\r\u001b[${this.drawnLines}A`;
    screen.write(`${back}${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join('')}`);
    this.drawnLines = lines.length;
  }
}
