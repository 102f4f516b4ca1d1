import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** A key prefix of a Redis server that only one test uses. */
export interface TestRedis {
  readonly url: string;
  readonly prefix: string;
  /** Settings of a service that uses this prefix. */
  readonly environment: Readonly<Record<string, string>>;
  /** Deletes all keys with this prefix, as if the server had been emptied. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** Connects to Redis. Undefined if no server responds; throws if a server was configured explicitly. */
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
