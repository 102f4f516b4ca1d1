import { expect, it } from 'vitest';
import { MemoryRateLimitStore } from '../../src/rate-limits/index.js';
import { rateLimitStoreContract } from './rate-limit-store.contract.js';

rateLimitStoreContract('memory', async () => ({
  replicas: [new MemoryRateLimitStore()],
  close: async () => {},
}));

it('the memory store forgets buckets that are full again', () => {
  const store = new MemoryRateLimitStore();
  const limits = { capacity: 10, refillPerMinute: 600 };
  for (let request = 0; request < 20_000; request += 1)
    store.take(`key ${request}`, limits, 1_000_000 + request);
  // Each bucket is full again after 100 ms, so about a hundred are not.
  expect(store.size).toBeLessThanOrEqual(202);
});
