/** The part of a run that the timeline shows, in milliseconds from its start. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Below this there is nothing more to see: times are whole milliseconds. */
const LEAST_MS = 5;

const ZOOM = /^(\d{1,13})-(\d{1,13})$/;

/** As it stands in the URL: `1200-3400`. Null where it says nothing that can be shown. */
export function windowOf(zoom: string | undefined): TimeWindow | null {
  const [, from, to] = ZOOM.exec(zoom ?? '') ?? [];
  if (from === undefined || to === undefined || Number(to) - Number(from) < LEAST_MS) return null;
  return { from: Number(from), to: Number(to) };
}

/** A window as it stands in the URL; undefined where it is all there is. */
export function zoomOf({ from, to }: TimeWindow, lengthMs: number): string | undefined {
  const [begin, end] = [Math.max(0, Math.round(from)), Math.round(Math.min(to, lengthMs))];
  // Times in the URL are rounded: zooming in and out again comes back to all of it.
  const slack = Math.max(2, lengthMs / 100);
  if (begin <= slack && end >= lengthMs - slack) return undefined;
  return `${begin}-${Math.max(end, begin + LEAST_MS)}`;
}

/** The window so many times as long, about the same middle, within the run. */
export function scaled({ from, to }: TimeWindow, factor: number, lengthMs: number): TimeWindow {
  const size = Math.min(Math.max((to - from) * factor, LEAST_MS), lengthMs);
  return within((from + to - size) / 2, size, lengthMs);
}

/** The window moved by a share of itself, within the run. */
export function moved({ from, to }: TimeWindow, share: number, lengthMs: number): TimeWindow {
  return within(from + (to - from) * share, to - from, lengthMs);
}

function within(from: number, size: number, lengthMs: number): TimeWindow {
  const begin = Math.min(Math.max(0, from), Math.max(0, lengthMs - size));
  return { from: begin, to: begin + size };
}
