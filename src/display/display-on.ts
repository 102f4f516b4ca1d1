import type { Display } from './display.js';
import { LineDisplay } from './line-display.js';
import { type KeyHints, LiveDisplay, type Screen } from './live-display.js';
import type { Picture } from './picture.js';
import { styleOf } from './style.js';

/** Where a display may show itself. */
export interface Place {
  /** A terminal that can move its cursor; undefined where lines are all that can be written. */
  readonly screen: Screen | undefined;
  readonly write: (text: string) => void;
  /** Of the process: `NO_COLOR`, `TERM`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The execution drawn in place, where that can be; else a line an event. */
export function displayOn(place: Place, picture: Picture, keys: KeyHints): Display {
  const { screen, write, environment } = place;
  if (screen === undefined || environment['TERM'] === 'dumb') return new LineDisplay(write);
  return new LiveDisplay(screen, styleOf(environment, true), picture, keys);
}
