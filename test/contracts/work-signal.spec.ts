import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BullWorkSignal } from '../../src/execution-runner/dispatch/bull.work-signal.js';
import { NoticesWorkSignal } from '../../src/execution-runner/dispatch/notices.work-signal.js';
import type { WorkSignal } from '../../src/execution-runner/dispatch/work-signal.js';
import { PostgresNotices } from '../../src/storage/notifications/postgres-notices.js';
import { newId } from '../../src/platform/index.js';
import { RedisLink } from '../../src/redis/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { testRedis } from '../support/redis.js';
import { Wire } from '../support/wire.js';
import {
  CountingListener,
  heard,
  until,
  type WorkSignalHarness,
  workSignalContract,
} from './work-signal.contract.js';

// An outage is logged.
Logger.overrideLogger(false);

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
const redis = await testRedis();

describe.runIf(postgres !== undefined)('work signals', () => {
  let database: TestDatabase;
  let url: string;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    if (database.settings.dialect === 'postgres') url = database.settings.url;
  });

  afterAll(async () => {
    await database.drop();
    await redis?.close();
  });

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const byDatabase = async (): Promise<WorkSignal> => {
    const notices = new PostgresNotices(url);
    closing.push(() => notices.close());
    // As the journal does.
    await notices.listen('something_else', () => undefined);
    return new NoticesWorkSignal(notices);
  };

  const harness = async (make: () => Promise<WorkSignal>): Promise<WorkSignalHarness> => {
    const listening = async () => {
      const [signal, listener] = [await make(), new CountingListener()];
      await signal.listen(listener);
      return { signal, listener };
    };
    return { teller: await make(), processes: [await listening(), await listening()] };
  };

  describe('of PostgreSQL', () => {
    workSignalContract(() => harness(byDatabase));
  });

  describe.runIf(redis !== undefined)('of BullMQ', () => {
    if (redis === undefined) return;
    let prefix = '';

    const byRedis = async (redisUrl = redis.url): Promise<WorkSignal> => {
      const link = await RedisLink.open(redisUrl, prefix);
      const signal = await BullWorkSignal.open(link, await byDatabase());
      await until(() => link.isUp);
      closing.push(async () => {
        await signal.close();
        link.close();
      });
      return signal;
    };
    const open = (redisUrl?: string): Promise<WorkSignalHarness> => {
      prefix = `${redis.prefix}:${newId()}`;
      return harness(() => byRedis(redisUrl));
    };
    /** Jobs in Redis, in whatever state. */
    const hints = async (): Promise<number> => {
      const link = await RedisLink.open(redis.url, prefix);
      await until(() => link.isUp);
      const ids = await link.client.lrange(`${prefix}:queue:work:wait`, 0, -1);
      link.close();
      return ids.length;
    };

    workSignalContract(open);

    it('goes to one process, not to all', async () => {
      const { teller, processes } = await open();
      await pause(100);
      const before = heard(processes);
      teller.tell();
      await until(() => heard(processes) > before);
      await pause(100);
      expect(heard(processes)).toBe(before + 1);
    });

    it('waits once while nobody has room, and goes to who has first', async () => {
      const { teller, processes } = await open();
      for (const { listener } of processes) listener.fill();
      for (let time = 0; time < 20; time += 1) {
        teller.tell();
        await pause(15);
      }
      await until(async () => (await hints()) === 1);
      const [, { listener: second }] = processes;
      const before = second.heard;
      second.empty();
      await until(() => second.heard > before);
    });

    it('comes through the database while Redis is away, and through Redis when it is back', async () => {
      const wire = await Wire.toServer(redis.url);
      closing.push(() => wire.close());
      const { teller, processes } = await open(wire.url);
      for (let round = 0; round < 2; round += 1) {
        wire.cut();
        for (let time = 0; time < 3; time += 1) {
          const before = heard(processes);
          teller.tell();
          await until(() => heard(processes) > before);
        }
        wire.mend();
        await pause(1_500);
        const before = heard(processes);
        teller.tell();
        await until(() => heard(processes) > before);
      }
    });

    it('comes again after Redis was emptied', async () => {
      const { teller, processes } = await open();
      for (let round = 0; round < 3; round += 1) {
        await redis.clear();
        const before = heard(processes);
        teller.tell();
        await until(() => heard(processes) > before);
      }
    });
  });
});
