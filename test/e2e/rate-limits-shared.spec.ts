import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { testRedis } from '../support/redis.js';
import { startSecond } from '../support/second-process.js';
import { TestService } from '../support/service.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
const redis = await testRedis();
const BURST = 40;

describe.runIf(postgres !== undefined && redis !== undefined)(
  'the rate limit shared by two processes',
  () => {
    let database: TestDatabase;
    let service: TestService;
    let second: Awaited<ReturnType<typeof startSecond>>;

    beforeAll(async () => {
      if (postgres === undefined || redis === undefined) return;
      database = await postgres.create();
      const environment = {
        ...redis.environment,
        RATE_LIMIT_PLANS: JSON.stringify({ enterprise: { requests_per_minute: 1, burst: BURST } }),
      };
      service = await TestService.start({ database: database.settings, environment });
      second = await startSecond(database.settings, environment);
    });

    afterAll(async () => {
      await second?.close();
      await service?.stop();
      await database?.drop();
      await redis?.close();
    });

    it('two processes share the rate limit of a key, and their response headers show the shared count', async () => {
      const key = await service.newKey({});
      const ask = async (url: string): Promise<readonly [number, number]> => {
        const response = await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
        await response.arrayBuffer();
        return [response.status, Number(response.headers.get('x-ratelimit-remaining'))];
      };
      const urls = [service.baseUrl, second.url] as const;
      for (let request = 1; request <= 6; request += 1)
        expect(await ask(urls[request % 2] ?? urls[0])).toEqual([200, BURST - request]);
      const together = await Promise.all(
        Array.from({ length: 2 * BURST }, (_, request) => ask(urls[request % 2] ?? urls[0])),
      );
      const allowed = together.filter(([status]) => status === 200);
      // The token bucket may refill by one token during the requests, so one more request may be allowed.
      expect(allowed.length).toBeGreaterThanOrEqual(BURST - 6);
      expect(allowed.length).toBeLessThanOrEqual(BURST - 5);
      expect(together.filter(([status]) => status !== 200 && status !== 429)).toEqual([]);
    });
  },
);
