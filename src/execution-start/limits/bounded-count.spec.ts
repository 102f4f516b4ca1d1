import { describe, expect, it } from 'vitest';
import { BoundedCount } from './bounded-count.js';

/** A `BoundedCount` of rows in a simulated table. Each admitted row is added after a short delay. */
function stored(limit: number): {
  readonly bounded: BoundedCount;
  readonly start: () => Promise<boolean>;
  readonly end: () => void;
  readonly state: { rows: number; counts: number };
} {
  const state = { rows: 0, counts: 0 };
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const bounded = new BoundedCount(limit, async (_, atMost) => {
    state.counts += 1;
    const { rows } = state;
    await tick();
    return Math.min(rows, atMost);
  });
  return {
    bounded,
    state,
    start: async () => {
      if (!(await bounded.admit('key'))) return false;
      await tick();
      state.rows += 1;
      bounded.settle('key');
      return true;
    },
    end: () => (state.rows -= 1),
  };
}

describe('BoundedCount', () => {
  it.each([1, 3, 7, 100, 250])(
    'BoundedCount with the limit %i admits exactly as many concurrent start requests as its limit',
    async (limit) => {
      const { start, state } = stored(limit);
      const admitted = await Promise.all(Array.from({ length: limit * 3 }, start));
      expect(admitted.filter(Boolean)).toHaveLength(limit);
      expect(state.rows).toBe(limit);
    },
  );

  it('BoundedCount queries the row count at most 21 times for 1,000 requests if the limit is 10,000 rows', async () => {
    const { start, state } = stored(10_000);
    for (let n = 0; n < 1_000; n += 1) expect(await start()).toBe(true);
    expect(state.counts).toBeLessThanOrEqual(1_000 / 50 + 1);
  });

  it('BoundedCount admits start requests again after executions have ended', async () => {
    const { start, end, state } = stored(2);
    await start();
    await start();
    expect(await start()).toBe(false);
    end();
    for (let tries = 0; tries < 300 && state.rows < 2; tries += 1)
      if (!(await start())) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(state.rows).toBe(2);
  });

  it('BoundedCount counts the rows at most once for 100 refused requests', async () => {
    const { start, state } = stored(1);
    await start();
    await start();
    const { counts } = state;
    for (let n = 0; n < 100; n += 1) expect(await start()).toBe(false);
    expect(state.counts).toBeLessThanOrEqual(counts + 1);
  });

  it('BoundedCount does not count an admission whose commit failed', async () => {
    const { bounded } = stored(1);
    expect(await bounded.admit('key')).toBe(true);
    bounded.settle('key');
    expect(await bounded.admit('key')).toBe(true);
  });

  it('BoundedCount rejects with the error of the count query', async () => {
    const bounded = new BoundedCount(5, () => Promise.reject(new Error('away')));
    await expect(bounded.admit('key')).rejects.toThrow('away');
  });
});
