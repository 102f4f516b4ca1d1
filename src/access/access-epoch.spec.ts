import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { AccessEpoch } from './access-epoch.js';

/** An access epoch whose reads of the database end when the test resolves them. */
function withSlowReads(): { readonly epoch: AccessEpoch; readonly reads: ((epoch: number) => void)[] } {
  const reads: ((epoch: number) => void)[] = [];
  const repository = {
    read: () => new Promise<number>((resolve) => reads.push(resolve)),
    increment: () => ({ sql: 'increment', parameters: [] }),
  };
  return { epoch: new AccessEpoch(repository, new ManualClock()), reads };
}

it('concurrent callers share one read of the access epoch, and later callers use its result', async () => {
  const { epoch, reads } = withSlowReads();
  const both = Promise.all([epoch.current(), epoch.current()]);
  reads[0]?.(7);
  expect([await both, epoch.fresh(), reads.length]).toEqual([[7, 7], 7, 1]);
});

it('after `expire`, a read of the access epoch that began earlier is not used', async () => {
  const { epoch, reads } = withSlowReads();
  const before = epoch.current();
  epoch.expire();
  const after = epoch.current();
  expect(reads).toHaveLength(2);
  reads[1]?.(8);
  expect(await after).toBe(8);
  reads[0]?.(7);
  expect(await before).toBe(7);
  expect(epoch.fresh()).toBe(8);
});
