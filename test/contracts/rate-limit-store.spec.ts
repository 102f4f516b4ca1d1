import { describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import { RedisLink } from '../../src/redis/index.js';
import { MemoryRateLimitStore } from '../../src/rate-limits/memory.store.js';
import { RedisRateLimitStore } from '../../src/rate-limits/redis.store.js';
import { testRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';
import { rateLimitStoreContract } from './rate-limit-store.contract.js';

rateLimitStoreContract('memory', async () => ({
  replicas: [new MemoryRateLimitStore()],
  close: async () => {},
}));

it('the in-memory rate limit store removes full token buckets', () => {
  const store = new MemoryRateLimitStore();
  const limits = { capacity: 10, refillPerMinute: 600 };
  for (let request = 0; request < 20_000; request += 1)
    store.take({ key: `key ${request}`, limits }, { key: 'team', limits }, 1_000_000 + request);
  // The time advances by 1 ms per request, and a bucket is full again after 100 ms. So only the buckets of
  // the last hundred requests are not full.
  expect(store.size).toBeLessThanOrEqual(202);
});

const redis = await testRedis();

/** Creates the store of one process, and waits until the store is connected to Redis. */
async function replica(
  url: string,
  prefix: string,
): Promise<{ store: RedisRateLimitStore; link: RedisLink }> {
  const link = await RedisLink.open(url, prefix);
  const store = new RedisRateLimitStore(link, new MemoryRateLimitStore());
  await until('the connection to Redis', () => link.isUp);
  return { store, link };
}

describe.runIf(redis !== undefined)('the Redis rate limit store', () => {
  if (redis === undefined) return;

  rateLimitStoreContract('Redis, three processes', async () => {
    const prefix = `${redis.prefix}:${newId()}`;
    const [first, ...others] = [
      await replica(redis.url, prefix),
      await replica(redis.url, prefix),
      await replica(redis.url, prefix),
    ];
    return {
      replicas: [first.store, ...others.map(({ store }) => store)],
      close: async () => {
        for (const { link } of [first, ...others]) link.close();
        await redis.clear();
      },
    };
  });

  it('Redis deletes a token bucket at most 5 s after the bucket is full', async () => {
    const { store, link } = await replica(redis.url, redis.prefix);
    const limits = { capacity: 10, refillPerMinute: 600 };
    await store.take({ key: 'short', limits }, { key: 'team', limits }, Date.now());
    const lifetime = await link.client.pttl(`${redis.prefix}:rate:short`);
    expect(lifetime).toBeGreaterThan(0);
    // The bucket is full after 100 ms. Redis keeps the bucket for another 5 s, because the clocks of
    // processes may differ by up to 5 s.
    expect(lifetime).toBeLessThanOrEqual(5_100);
    link.close();
  });

  it('the service connects again after Redis refused a write because the server has become a replica', async () => {
    const { link } = await replica(redis.url, redis.prefix);
    const connection = async (): Promise<number> => link.run((client) => client.client('ID'));
    const first = await connection();
    const refusal = `return redis.error_reply("READONLY You can't write against a read only replica.")`;
    await expect(link.run((client) => client.eval(refusal, 0))).rejects.toThrow('READONLY');
    await until('another connection', async () => (await connection().catch(() => first)) !== first);
    link.close();
  });

  it('rate limits count requests per process while Redis is down, and across processes again afterwards', async () => {
    const wire = await Wire.toServer(redis.url);
    const here = await replica(wire.url, redis.prefix);
    const there = await replica(redis.url, redis.prefix);
    const limits = { capacity: 4, refillPerMinute: 1 };
    const [key, team] = [newId(), newId()];
    const now = Date.now();
    const remaining = async (store: RedisRateLimitStore): Promise<number> =>
      (await store.take({ key, limits }, { key: team, limits: { capacity: 40, refillPerMinute: 1 } }, now))
        .remaining;
    expect([await remaining(here.store), await remaining(there.store)]).toEqual([3, 2]);
    // These requests are in progress when the connection to Redis is cut. Each request must nevertheless get a result.
    const underWay = [remaining(here.store), remaining(here.store)];
    wire.cut();
    for (const left of await Promise.all(underWay)) expect(left).toBeGreaterThanOrEqual(0);
    await until('the loss of the connection to Redis', () => !here.link.isUp);
    expect(await remaining(here.store)).toBeGreaterThanOrEqual(1);
    wire.mend();
    await until('the connection to Redis', () => here.link.isUp);
    const shared = await remaining(there.store);
    expect(await remaining(here.store)).toBe(Math.max(0, shared - 1));
    here.link.close();
    there.link.close();
    await wire.close();
  });
});
