/** The visible part of the timeline. Both ends are in milliseconds from the start of the execution. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Minimum width of the time window, in milliseconds. Timestamps of events have a resolution of 1 ms. */
const LEAST_MS = 5;

const ZOOM = /^(\d{1,13})-(\d{1,13})$/;

/** Parses a time window in milliseconds from the URL, such as `1200-3400`; null if the text is invalid. */
export function windowOf(zoom: string | undefined): TimeWindow | null {
  const [, from, to] = ZOOM.exec(zoom ?? '') ?? [];
  if (from === undefined || to === undefined || Number(to) - Number(from) < LEAST_MS) return null;
  return { from: Number(from), to: Number(to) };
}

/** Formats a time window for the URL; undefined if the window covers the whole execution. */
export function zoomOf({ from, to }: TimeWindow, lengthMs: number): string | undefined {
  const [begin, end] = [Math.max(0, Math.round(from)), Math.round(Math.min(to, lengthMs))];
  // Rounding may shorten a window that covers the whole execution. So a window still counts as the whole execution if
  // each of its ends is within 1% of the execution's duration, or within 2 ms.
  const slack = Math.max(2, lengthMs / 100);
  if (begin <= slack && end >= lengthMs - slack) return undefined;
  return `${begin}-${Math.max(end, begin + LEAST_MS)}`;
}

/** Scales a time window around its center. The result stays between the start and the end of the execution. */
export function scaled({ from, to }: TimeWindow, factor: number, lengthMs: number): TimeWindow {
  const size = Math.min(Math.max((to - from) * factor, LEAST_MS), lengthMs);
  return within((from + to - size) / 2, size, lengthMs);
}

export function moved({ from, to }: TimeWindow, share: number, lengthMs: number): TimeWindow {
  return within(from + (to - from) * share, to - from, lengthMs);
}

function within(from: number, size: number, lengthMs: number): TimeWindow {
  const begin = Math.min(Math.max(0, from), Math.max(0, lengthMs - size));
  return { from: begin, to: begin + size };
}
