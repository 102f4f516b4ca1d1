/** Benchmarks BullMQ: three sequential jobs in Redis. */
import type { Contender } from './contender.ts';
import { startProgram } from './driven.ts';
import { versionOf } from './installed.ts';

export function bullmq(): Contender {
  return {
    name: 'BullMQ',
    version: versionOf('bullmq'),
    durable: 'up to a second is lost: Redis, appendonly yes, appendfsync everysec',
    ours: false,
    start: async (servers) => {
      const redis = await servers.redis();
      return startProgram('tools/bench/peers/bullmq.program.ts', { REDIS_URL: redis.url }, [redis.pid]);
    },
  };
}
