import { itemsOf, type LoopItem, type LoopRun } from './loop-run.ts';

/** Number of time slices in the bar of a loop. A slice is about 8 pixels wide on a wide screen. */
const SLICES = 48;

/** How many items of a loop ended within one time slice, and how many of them failed. */
export interface Slice {
  readonly ended: number;
  readonly failed: number;
}

/**
 * How many items of a loop ended in each time slice, from the start of the loop to its latest ended item. All slices
 * have the same length.
 */
export interface Density {
  /** End of the last slice, in epoch milliseconds. */
  readonly to: number;
  readonly slices: readonly Slice[];
}

/**
 * @param from start of the loop, in epoch milliseconds
 * @param bodySize number of nodes in the loop's body
 * @returns null before the first item ended
 */
export function densityOf(loop: LoopRun, from: number, bodySize: number): Density | null {
  const ends = itemsOf(loop).flatMap((item) => {
    const at = endOf(item, bodySize);
    return at === null ? [] : [{ at, isFailed: item.status === 'failed' }];
  });
  if (ends.length === 0) return null;
  const to = ends.reduce((latest, { at }) => Math.max(latest, at), from + 1);
  const slices = Array.from({ length: SLICES }, () => ({ ended: 0, failed: 0 }));
  for (const { at, isFailed } of ends) {
    const slice = slices[Math.min(SLICES - 1, Math.floor(((at - from) / (to - from)) * SLICES))];
    if (slice === undefined) continue;
    slice.ended += 1;
    if (isFailed) slice.failed += 1;
  }
  return { to, slices };
}

/**
 * Time at which an item ended, in epoch milliseconds; null if the item has not ended. A failed item ends without
 * running its remaining nodes.
 */
function endOf({ nodes, status }: LoopItem, bodySize: number): number | null {
  if (nodes.size < bodySize && status !== 'failed') return null;
  let latest = 0;
  for (const { endedAt } of nodes.values()) {
    if (endedAt === null) return null;
    latest = Math.max(latest, endedAt);
  }
  return latest;
}

/**
 * CSS backgrounds that draw the slices of a loop's bar. Slices with more ended items have a stronger color, and failed
 * items are red.
 */
export function densityBackground({ slices }: Density): string {
  const most = slices.reduce((highest, { ended }) => Math.max(highest, ended), 1);
  const stops = (color: string, countOf: (slice: Slice) => number): string =>
    slices
      .map((slice, index) => {
        const count = countOf(slice);
        const share = count === 0 ? 0 : Math.round(35 + (65 * count) / most);
        const place = (edge: number): string => `${Math.round((edge / slices.length) * 1000) / 10}%`;
        return `color-mix(in srgb, var(${color}) ${share}%, transparent) ${place(index)} ${place(index + 1)}`;
      })
      .join(', ');
  const failed = `linear-gradient(to right, ${stops('--failed', (slice) => slice.failed)}) bottom / 100% 40% no-repeat`;
  return `${failed}, linear-gradient(to right, ${stops('--completed', (slice) => slice.ended)})`;
}
