import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';

/** Timeout of a Redis command in milliseconds. After a timeout, the caller continues without Redis. */
const ANSWER_MS = 1_000;

const CONNECT_MS = 2_000;

/** Maximum milliseconds between reconnection attempts. */
const MAX_RETRY_MS = 1_000;

/** Milliseconds for which Redis counts as unavailable after a failed command. */
const UNAVAILABLE_MS = 1_000;

/** Thrown when Redis does not respond to a command in time. */
class RedisSilentError extends Error {
  override readonly name = 'RedisSilentError';

  constructor() {
    super(`Redis did not respond within ${ANSWER_MS} ms.`);
  }
}

/**
 * Connection of this process to Redis. During an outage of Redis, commands fail immediately, and callers continue
 * without Redis.
 */
export class RedisLink {
  private readonly logger = new Logger(RedisLink.name);
  private distrustedUntil = 0;
  private wasAway = false;

  private constructor(
    readonly client: Redis,
    /** Prefix of all Redis keys and channels of this service. */
    readonly prefix: string,
  ) {
    client.on('ready', () => this.logRecovery());
    client.on('close', () => this.logOutage());
    // The client emits an error for each failed reconnection. Only the first error of an outage is logged.
    client.on('error', (error: unknown) => this.logOutage(error));
  }

  static async open(url: string, prefix: string): Promise<RedisLink> {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // Commands are not retried: commands in flight fail as soon as the connection breaks.
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: retryAfter,
      // After a failover, the connection may still lead to the previous primary, which is now a replica.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    });
    const link = new RedisLink(client, prefix);
    void client.connect().catch(() => undefined);
    return link;
  }

  /** Whether Redis is connected and no command has failed within the last second. */
  get isUp(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.distrustedUntil;
  }

  /**
   * Runs a Redis command. After a failed command, `isUp` is false for 1 s.
   *
   * @throws RedisSilentError when Redis does not respond within 1 s
   */
  async ask<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      // After the process was suspended, expired timers run before pending I/O. `setImmediate` delays the timeout until
      // replies that have already arrived were handled.
      timer = setTimeout(() => setImmediate(() => reject(new RedisSilentError())), ANSWER_MS);
    });
    try {
      const answer = await Promise.race([command(this.client), silence]);
      this.logRecovery();
      return answer;
    } catch (error) {
      this.distrustedUntil = performance.now() + UNAVAILABLE_MS;
      this.logOutage(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.wasAway = true;
    this.client.disconnect();
  }

  private logRecovery(): void {
    if (this.wasAway) this.logger.log('Redis responds again.');
    this.wasAway = false;
  }

  private logOutage(error?: unknown): void {
    if (this.wasAway) return;
    this.wasAway = true;
    this.logger.warn({ err: error }, 'Redis does not respond. Each process counts rate limits separately.');
  }
}

function retryAfter(attempts: number): number {
  return Math.min(attempts * 100, MAX_RETRY_MS);
}
