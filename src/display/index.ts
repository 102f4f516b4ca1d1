export { canRedraw, displayOn } from './display-on.js';
export type { Display } from './display.js';
export { eventDetail, printable } from './event-line.js';
export type { Screen } from './live-display.js';
export { blankPicture, type Picture, withEvent } from './picture.js';
export { printRows } from './rows.js';
export { paint, type Style, styleOf } from './style.js';
export type { WireEvent } from './wire-event.js';
