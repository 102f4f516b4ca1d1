import { expect, it } from 'vitest';
import type { Retry } from './delivery.js';
import { HeldExecutions } from './held-executions.js';

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

function retry(executionId: string, seconds: number, position = 1): Retry {
  return {
    webhookId: 'w',
    executionId,
    afterSequence: 0,
    position,
    deliveryId: `d-${executionId}`,
    attempts: 1,
    nextAttemptAt: at(seconds),
  };
}

const idsOf = (retries: readonly Retry[]): readonly string[] => retries.map(({ executionId }) => executionId);

it('the retry of a webhook delivery is due at its scheduled time, but not while the retry runs', async () => {
  const held = new HeldExecutions([retry('a', 10), retry('b', 20), retry('c', 10, 9)]);
  expect(idsOf(held.due(10_000, 5))).toEqual(['a']);
  expect(idsOf(held.due(20_000, 9))).toEqual(['a', 'b', 'c']);
  await held.run(retry('a', 10), async () => {
    expect(idsOf(held.due(20_000, 9))).toEqual(['b', 'c']);
  });
  expect(held.due(20_000, 9)).toHaveLength(3);
});

it('`HeldExecutions.nextAfter` returns the time of the first retry after a given time, or Infinity if no retry follows', () => {
  const held = new HeldExecutions([retry('a', 10), retry('b', 20)]);
  expect([held.nextAfter(0), held.nextAfter(10_000), held.nextAfter(20_000)]).toEqual([
    10_000,
    20_000,
    Infinity,
  ]);
  expect(held.firstDueAt).toBe(at(10));
  held.release('a');
  held.release('b');
  expect([held.size, held.firstDueAt]).toEqual([0, null]);
});

it('a client can make the retry of a webhook delivery due earlier but not later', () => {
  const held = new HeldExecutions([retry('a', 10), retry('b', 20)]);
  held.applyEarlierDueTimes([
    retry('a', 30),
    { ...retry('b', 5), deliveryId: 'another' },
    retry('unknown', 1),
  ]);
  expect(held.firstDueAt).toBe(at(10));
  held.applyEarlierDueTimes([retry('a', 3)]);
  expect(held.firstDueAt).toBe(at(3));
  expect(held.size).toBe(2);
});
