import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import { RedisThrottlerStorage } from '../../src/rate-limits/redis.throttler-storage.js';
import { RedisLink } from '../../src/redis/index.js';
import { testRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const MINUTE = 60_000;

interface Replicas {
  /** One throttler storage per process. All storages share their request counts. */
  readonly storages: readonly [ThrottlerStorage, ...ThrottlerStorage[]];
  readonly close: () => Promise<void>;
}

function throttlerStorageContract(name: string, open: () => Promise<Replicas>): void {
  const withStorages = (test: (...storages: Replicas['storages']) => Promise<void>) => async () => {
    const { storages, close } = await open();
    try {
      await test(...storages);
    } finally {
      await close();
    }
  };

  describe(`throttler storage: ${name}`, () => {
    it(
      'the throttler blocks the first request over the limit of a route',
      withStorages(async (first, second = first) => {
        const key = newId();
        const allowed = [
          await first.increment(key, MINUTE, 2, MINUTE, 'default'),
          await second.increment(key, MINUTE, 2, MINUTE, 'default'),
        ];
        expect(allowed.map(({ totalHits, isBlocked }) => [totalHits, isBlocked])).toEqual([
          [1, false],
          [2, false],
        ]);
        const refused = await first.increment(key, MINUTE, 2, MINUTE, 'default');
        expect(refused).toMatchObject({ totalHits: 3, isBlocked: true });
        expect(refused.timeToBlockExpire).toBeGreaterThan(55);
        expect(refused.timeToBlockExpire).toBeLessThanOrEqual(60);
      }),
    );

    it(
      'the throttler counts the requests of each key separately',
      withStorages(async (storage) => {
        const [one, other] = [newId(), newId()];
        for (let request = 0; request < 2; request += 1)
          await storage.increment(one, MINUTE, 1, MINUTE, 'default');
        expect((await storage.increment(one, MINUTE, 1, MINUTE, 'default')).isBlocked).toBe(true);
        expect((await storage.increment(other, MINUTE, 1, MINUTE, 'default')).isBlocked).toBe(false);
      }),
    );

    it(
      'after a block has ended, the throttler counts the next request as the first request',
      withStorages(async (storage) => {
        const key = newId();
        for (let request = 0; request < 3; request += 1) await storage.increment(key, 80, 2, 80, 'default');
        const allowed = await until('the end of the block', async () => {
          const record = await storage.increment(key, 80, 2, 80, 'default');
          return !record.isBlocked && record;
        });
        expect(allowed.totalHits).toBe(1);
      }),
    );
  });
}

throttlerStorageContract('memory', () =>
  Promise.resolve({ storages: [new ThrottlerStorageService()], close: () => Promise.resolve() }),
);

const redis = await testRedis();

describe.runIf(redis !== undefined)('with Redis', () => {
  if (redis === undefined) return;
  const replica = async (prefix: string): Promise<{ link: RedisLink; storage: ThrottlerStorage }> => {
    const link = await RedisLink.open(redis.url, prefix);
    await until('the connection to Redis', () => link.isUp);
    return { link, storage: new RedisThrottlerStorage(link, new ThrottlerStorageService()) };
  };

  throttlerStorageContract('Redis, two processes', async () => {
    const prefix = `${redis.prefix}:${newId()}`;
    const [first, second] = [await replica(prefix), await replica(prefix)];
    return {
      storages: [first.storage, second.storage],
      close: async () => {
        for (const { link } of [first, second]) link.close();
        await redis.clear();
      },
    };
  });

  it('the throttler counts requests per process while Redis is down', async () => {
    const { link, storage } = await replica(`${redis.prefix}:${newId()}`);
    link.close();
    const key = newId();
    const records = [];
    for (let request = 0; request < 2; request += 1)
      records.push(await storage.increment(key, MINUTE, 1, MINUTE, 'default'));
    expect(records.map(({ isBlocked }) => isBlocked)).toEqual([false, true]);
  });
});
