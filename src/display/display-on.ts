import type { Display } from './display.js';
import { LineDisplay } from './line-display.js';
import { type KeyHints, LiveDisplay, type Screen } from './live-display.js';
import type { Picture } from './picture.js';
import { styleOf } from './style.js';

export interface DisplayTarget {
  /** The screen on which a display redraws; undefined if the terminal cannot move its cursor. */
  readonly screen: Screen | undefined;
  readonly write: (text: string) => void;
  /** Environment variables of the process, of which `NO_COLOR` and `TERM` are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function canRedraw({ screen, environment }: Pick<DisplayTarget, 'environment' | 'screen'>): boolean {
  return screen !== undefined && environment['TERM'] !== 'dumb';
}

/**
 * Returns a display that redraws the screen. If the terminal cannot redraw, returns a display that prints one line per
 * event.
 */
export function displayOn(place: DisplayTarget, picture: Picture, keys: KeyHints): Display {
  const { screen, write, environment } = place;
  if (screen === undefined || !canRedraw(place)) return new LineDisplay(write);
  return new LiveDisplay(screen, styleOf(environment, true), picture, keys);
}
