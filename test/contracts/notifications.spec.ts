import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import { RedisLink } from '../../src/redis/index.js';
import { NoNotifications } from '../../src/storage/notifications/notifications.ts';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { RedisNotifications } from '../../src/storage/notifications/redis-notifications.ts';
import {
  hasRedis,
  privateRedis,
  type PrivateServer,
  QUICK_REDIS,
} from '../../tools/scripts/private-servers.mjs';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { notificationsContract } from './notifications.contract.js';

// Silences the logger, because the service logs the outages of these tests.
Logger.overrideLogger(false);

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.runIf(postgres !== undefined)('notifications over PostgreSQL', () => {
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    if (database.settings.dialect === 'postgres') url = database.settings.url;
  });

  afterAll(() => database.drop());

  notificationsContract(() => ({
    open: async () => new PostgresNotifications(url),
    cut: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await client.end();
    },
  }));
});

// The tests need their own Redis server, because they cut all connections of the server.
describe.runIf(hasRedis())('notifications over Redis', () => {
  let server: PrivateServer;
  const links: RedisLink[] = [];

  beforeAll(async () => {
    server = await privateRedis(QUICK_REDIS);
  });

  afterAll(() => server.stop());

  afterEach(() => {
    for (const link of links.splice(0)) link.close();
  });

  /** A process that is connected to Redis, and to no PostgreSQL. */
  async function open(): Promise<RedisNotifications> {
    const link = await RedisLink.open(server.url, 'test');
    links.push(link);
    await expect.poll(() => link.isUp).toBe(true);
    const notifications = new RedisNotifications(link, new NoNotifications());
    // Waits until the subscription begins. At that moment, the listener is called without a notification.
    await new Promise<void>((resolve) => void notifications.listen(`ready ${newId()}`, resolve));
    return notifications;
  }

  notificationsContract(() => ({
    open,
    cut: async () => {
      // Connections with subscriptions are killed first, because the second command also kills the connection
      // that sends the commands.
      for (const type of ['pubsub', 'normal'])
        await links[0]?.client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'no').catch(() => undefined);
    },
  }));

  it('the Redis adapter for notifications sends notifications through PostgreSQL while Redis is down', async () => {
    const sent: (readonly string[])[] = [];
    class Recorded extends NoNotifications {
      override async notify(...topics: readonly string[]): Promise<void> {
        sent.push(topics);
      }
    }
    const link = await RedisLink.open('redis://127.0.0.1:1', 'test');
    links.push(link);
    const notifications = new RedisNotifications(link, new Recorded());
    await notifications.listen('topic', () => undefined);
    await notifications.notify('topic', 'other');
    expect(sent).toEqual([['topic', 'other']]);
    await notifications.close();
  });
});
