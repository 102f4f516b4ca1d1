import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';

/** Timeout of a Redis command in milliseconds. After a timeout, the caller continues without Redis. */
const RESPONSE_TIMEOUT_MS = 1_000;

const CONNECT_TIMEOUT_MS = 2_000;

/** Maximum milliseconds between reconnection attempts. */
const MAX_RECONNECT_DELAY_MS = 1_000;

/** Milliseconds for which Redis counts as unavailable after a failed command. */
const UNAVAILABLE_MS = 1_000;

/** Thrown when Redis does not respond to a command in time. */
class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';

  constructor() {
    super(`Redis did not respond within ${RESPONSE_TIMEOUT_MS} ms.`);
  }
}

/**
 * Connection of this process to Redis. During an outage of Redis, commands fail immediately, and callers continue
 * without Redis.
 */
export class RedisLink {
  private readonly logger = new Logger(RedisLink.name);
  private unavailableUntil = 0;
  private isOutageLogged = false;

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
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: reconnectDelayMs,
      // After a failover, the connection may still lead to the previous primary, which is now a replica.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    });
    const link = new RedisLink(client, prefix);
    void client.connect().catch(() => undefined);
    return link;
  }

  /** Whether Redis is connected and no command has failed within the last second. */
  get isUp(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.unavailableUntil;
  }

  /**
   * Runs a Redis command. After a failed command, `isUp` is false for 1 s.
   *
   * @throws RedisTimeoutError when Redis does not respond within 1 s
   */
  async run<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      // After the process was suspended, expired timers run before pending I/O. `setImmediate` delays the timeout until
      // replies that have already arrived were handled.
      timer = setTimeout(() => setImmediate(() => reject(new RedisTimeoutError())), RESPONSE_TIMEOUT_MS);
    });
    try {
      const reply = await Promise.race([command(this.client), timeout]);
      this.logRecovery();
      return reply;
    } catch (error) {
      this.unavailableUntil = performance.now() + UNAVAILABLE_MS;
      this.logOutage(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    // Closing the connection on purpose must not be logged as an outage.
    this.isOutageLogged = true;
    this.client.disconnect();
  }

  private logRecovery(): void {
    if (this.isOutageLogged) this.logger.log('Redis responds again.');
    this.isOutageLogged = false;
  }

  private logOutage(error?: unknown): void {
    if (this.isOutageLogged) return;
    this.isOutageLogged = true;
    this.logger.warn({ err: error }, 'Redis does not respond. Each process counts rate limits separately.');
  }
}

function reconnectDelayMs(attempts: number): number {
  return Math.min(attempts * 100, MAX_RECONNECT_DELAY_MS);
}
