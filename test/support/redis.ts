import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** A Redis server, with a key prefix that only one test uses. */
export interface TestRedis {
  readonly url: string;
  readonly prefix: string;
  /** Settings with which a service stores its Redis keys under the prefix of the test. */
  readonly environment: Readonly<Record<string, string>>;
  /** Deletes all keys with the prefix of the test, which simulates the loss of the data in Redis. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/**
 * Connects to the Redis server at `TEST_REDIS_URL`, or else to a local server. Returns undefined if no local server
 * responds.
 * @throws Error if the server at `TEST_REDIS_URL` does not respond
 */
export async function testRedis(): Promise<TestRedis | undefined> {
  const client = new Redis(REDIS_URL, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: null });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (process.env['TEST_REDIS_URL'] !== undefined) throw error;
    return undefined;
  }
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const clear = async (): Promise<void> => {
    const keys = await client.keys(`${prefix}:*`);
    if (keys.length > 0) await client.del(keys);
  };
  return {
    url: REDIS_URL,
    prefix,
    environment: { REDIS_URL, REDIS_PREFIX: prefix },
    clear,
    close: async () => {
      await clear();
      client.disconnect();
    },
  };
}
