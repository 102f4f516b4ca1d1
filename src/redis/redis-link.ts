import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';

/** Longest wait for an answer; who asks goes on without it then. */
const ANSWER_MS = 1_000;

/** Longest wait for a connection. */
const CONNECT_MS = 2_000;

/** Between attempts to connect again, at most. */
const MAX_RETRY_MS = 1_000;

/** After an answer that did not come, this long nobody waits for another. */
const DISTRUST_MS = 1_000;

/** Thrown when Redis is connected and does not answer. */
class RedisSilentError extends Error {
  override readonly name = 'RedisSilentError';

  constructor() {
    super(`Redis did not answer within ${ANSWER_MS} ms.`);
  }
}

/**
 * The connection of this process to Redis, which may be away at any time. Nothing waits in memory for its
 * return: a command that cannot be sent now fails now, and its caller goes on without Redis.
 */
export class RedisLink {
  private readonly logger = new Logger(RedisLink.name);
  private distrustedUntil = 0;
  private wasAway = false;

  private constructor(
    readonly client: Redis,
    /** First part of every name that this service uses there. */
    readonly prefix: string,
  ) {
    client.on('ready', () => this.tellBack());
    client.on('close', () => this.tellAway());
    // Each attempt to connect again fails with one; the outage was told of.
    client.on('error', (error: unknown) => this.tellAway(error));
  }

  /** Begins to connect; the service does not wait for it. */
  static async open(url: string, prefix: string): Promise<RedisLink> {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // What was under way when the connection broke fails at once.
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: retryAfter,
    });
    const link = new RedisLink(client, prefix);
    void client.connect().catch(() => undefined);
    return link;
  }

  /** Whether it is worth while to ask it now. */
  get isUp(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.distrustedUntil;
  }

  /**
   * What a command answers. Rejects where it failed or took too long; then for a moment nobody else asks.
   * @throws RedisSilentError
   */
  async ask<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      // After a pause of this process the timer is looked at before what has arrived meanwhile.
      timer = setTimeout(() => setImmediate(() => reject(new RedisSilentError())), ANSWER_MS);
    });
    try {
      const answer = await Promise.race([command(this.client), silence]);
      this.tellBack();
      return answer;
    } catch (error) {
      this.distrustedUntil = performance.now() + DISTRUST_MS;
      this.tellAway(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.wasAway = true;
    this.client.disconnect();
  }

  private tellBack(): void {
    if (this.wasAway) this.logger.log('Redis answers again.');
    this.wasAway = false;
  }

  private tellAway(error?: unknown): void {
    if (this.wasAway) return;
    this.wasAway = true;
    this.logger.warn({ err: error }, 'Redis does not answer: rate limits are counted by each process.');
  }
}

function retryAfter(attempts: number): number {
  return Math.min(attempts * 100, MAX_RETRY_MS);
}
