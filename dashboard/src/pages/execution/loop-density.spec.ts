import { expect, it } from 'vitest';
import { densityBackground, densityOf } from './loop-density.ts';
import { type LoopRun, NO_ITEMS, withRun } from './loop-run.ts';
import { NOT_BEGUN, type NodeStatus } from './node-run.ts';

function loopOf(...items: readonly (readonly [endedAt: number | null, status: NodeStatus])[]): LoopRun {
  return items.reduce(
    (loop, [endedAt, status], index) => withRun(loop, index, { ...NOT_BEGUN, id: 'work', endedAt, status }),
    NO_ITEMS,
  );
}

it('the density bar of a loop is empty before the first item ends', () => {
  expect(densityOf(loopOf([null, 'running']), 1000, 1)).toBeNull();
});

it('the density bar of a loop counts the ended and the failed items in each slice of time', () => {
  const loop = loopOf([1000, 'completed'], [1000, 'failed'], [1480, 'completed'], [null, 'running']);
  const density = densityOf(loop, 1000, 1);
  expect(density?.to).toBe(1480);
  expect(density?.slices[0]).toEqual({ ended: 2, failed: 1 });
  expect(density?.slices.at(-1)).toEqual({ ended: 1, failed: 0 });
  expect(density?.slices.reduce((sum, { ended }) => sum + ended, 0)).toBe(3);
});

it('the bar that shows when the items of a loop ended omits an item while one of its nodes has not started', () => {
  expect(densityOf(loopOf([1200, 'completed']), 1000, 2)).toBeNull();
});

it('`densityBackground` colors slices with failed items red and makes slices without ended items transparent', () => {
  const background = densityBackground({
    to: 2000,
    slices: [
      { ended: 4, failed: 0 },
      { ended: 0, failed: 0 },
      { ended: 2, failed: 2 },
    ],
  });
  expect(background).toContain('color-mix(in srgb, var(--completed) 100%, transparent) 0% 33.3%');
  expect(background).toContain('color-mix(in srgb, var(--completed) 0%, transparent) 33.3% 66.7%');
  expect(background).toContain('color-mix(in srgb, var(--failed) 68%, transparent) 66.7% 100%');
});
