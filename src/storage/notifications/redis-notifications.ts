import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { RedisLink } from '../../redis/index.js';
import { HintCoalescer } from '../hint-coalescer.ts';
import { LISTENER_GAP_MS, Notifications } from './notifications.ts';

/**
 * Sends notifications through Redis, which costs less than NOTIFY: PostgreSQL wakes every listening connection for each
 * NOTIFY. While Redis is down, notifications are sent through PostgreSQL. Every process always listens to both Redis
 * and PostgreSQL.
 */
export class RedisNotifications extends Notifications {
  private readonly listeners = new Map<string, HintCoalescer>();
  /** Id of this process, which is the content of every message. A process ignores messages that contain its own id. */
  private readonly sender = randomUUID();
  private subscriber: Redis | undefined;

  constructor(
    private readonly redis: RedisLink,
    private readonly byDatabase: Notifications,
  ) {
    super();
  }

  async listen(topic: string, onNotice: () => void): Promise<void> {
    const channel = this.channelOf(topic);
    this.listeners.set(channel, new HintCoalescer(onNotice, LISTENER_GAP_MS));
    await this.byDatabase.listen(topic, onNotice);
    this.subscriber ??= this.subscribed();
    // While Redis is down, no subscription is possible. `subscribeAgain` subscribes after the reconnection.
    if (this.subscriber.status === 'ready') await this.subscriber.subscribe(channel).catch(() => undefined);
  }

  async unlisten(topic: string): Promise<void> {
    const channel = this.channelOf(topic);
    this.listeners.delete(channel);
    await this.byDatabase.unlisten(topic);
    // While Redis is down, there is no subscription, and `subscribeAgain` subscribes only to the remaining topics.
    if (this.subscriber?.status === 'ready')
      await this.subscriber.unsubscribe(channel).catch(() => undefined);
  }

  async notify(...topics: readonly string[]): Promise<void> {
    if (!this.redis.isUp) return this.byDatabase.notify(...topics);
    try {
      await this.redis.run((client) =>
        Promise.all(topics.map((topic) => client.publish(this.channelOf(topic), this.sender))),
      );
    } catch {
      await this.byDatabase.notify(...topics);
    }
  }

  async close(): Promise<void> {
    this.subscriber?.disconnect();
    await this.byDatabase.close();
  }

  private channelOf(topic: string): string {
    return `${this.redis.prefix}:${topic}`;
  }

  /**
   * Opens a second connection to Redis for subscriptions, because a connection with subscriptions accepts no other
   * commands.
   */
  private subscribed(): Redis {
    const subscriber = this.redis.client.duplicate({ lazyConnect: false, autoResubscribe: false });
    subscriber.on('message', (channel: string, sender: string) => {
      if (sender !== this.sender) this.listeners.get(channel)?.notify();
    });
    subscriber.on('ready', () => void this.subscribeAgain(subscriber));
    // Errors of the connection for subscriptions are not logged, because the shared connection to Redis already logs
    // outages.
    subscriber.on('error', () => undefined);
    return subscriber;
  }

  /**
   * Subscribes to all topics after a reconnection. Also calls all listeners, because notifications may have been lost.
   */
  private async subscribeAgain(subscriber: Redis): Promise<void> {
    try {
      if (this.listeners.size > 0) await subscriber.subscribe(...this.listeners.keys());
      for (const listener of this.listeners.values()) listener.notify();
    } catch {
      // The connection was lost again. The next `ready` event repeats the subscription.
    }
  }
}
