import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import type { CommitListener } from '../storage/index.js';
import { CommitLatency } from './commit-latency.js';

const NONE = { count: 0, p50Ms: null, p95Ms: null, maxMs: null };

it('the commit latency covers the last five minutes and at most 1,024 commits', () => {
  const clock = new ManualClock(0);
  let commit: CommitListener = () => undefined;
  const latency = new CommitLatency({ onCommit: (listener) => (commit = listener) }, clock);
  expect(latency.read()).toEqual(NONE);
  for (let n = 0; n < 5_000; n += 1) commit(1_000, 1);
  for (let n = 1; n <= 1_024; n += 1) commit(n, 1);
  expect(latency.read()).toEqual({ count: 1_024, p50Ms: 513, p95Ms: 973, maxMs: 1_024 });
  clock.advance(5 * 60_000 + 1);
  expect(latency.read()).toEqual(NONE);
});
