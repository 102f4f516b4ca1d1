import type { Display } from './display.js';
import { LineDisplay } from './line-display.js';
import { type KeyHints, LiveDisplay, type Screen } from './live-display.js';
import type { Picture } from './picture.js';
import { styleOf } from './style.js';

/** Where a display writes. */
export interface DisplayTarget {
  /** The terminal if it can move its cursor; undefined if the output accepts only lines. */
  readonly screen: Screen | undefined;
  readonly write: (text: string) => void;
  /** Environment of the process: `NO_COLOR`, `TERM`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether the target is a terminal that can redraw earlier lines. */
export function canRedraw({ screen, environment }: Pick<DisplayTarget, 'environment' | 'screen'>): boolean {
  return screen !== undefined && environment['TERM'] !== 'dumb';
}

/** Draws the execution in place if the terminal can move its cursor; otherwise prints one line per event. */
export function displayOn(place: DisplayTarget, picture: Picture, keys: KeyHints): Display {
  const { screen, write, environment } = place;
  if (screen === undefined || !canRedraw(place)) return new LineDisplay(write);
  return new LiveDisplay(screen, styleOf(environment, true), picture, keys);
}
