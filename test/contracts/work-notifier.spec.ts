import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RotatingWorkNotifier } from '../../src/execution-runner/dispatch/rotating.work-notifier.ts';
import type { WorkNotifier } from '../../src/execution-runner/dispatch/work-notifier.ts';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { CountingListener, workNotifierContract } from './work-notifier.contract.js';

/** Replaces the list of live processes: contains the ids of the workers other than this process. */
class Instances {
  readonly id = randomUUID();
  join: (id: string) => void = () => undefined;

  constructor(readonly otherWorkers: readonly string[] = []) {}

  onWorkerJoin(onJoin: (id: string) => void): void {
    this.join = onJoin;
  }
}

function notifiedOnce(counts: readonly number[]): number {
  return counts.filter((count) => count > 0).length;
}

// Silences the logger, because the service logs the outages of these tests.
Logger.overrideLogger(false);

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.runIf(postgres !== undefined)('work notifications', () => {
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
  });

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const byDatabase = async (instances: Instances): Promise<WorkNotifier> => {
    const notices = new PostgresNotifications(url);
    closing.push(() => notices.close());
    // Listens to a second topic on the same connection, as the journal does in the service.
    await notices.listen('something_else', () => undefined);
    return new RotatingWorkNotifier(notices, instances);
  };

  const listening = async (instances = new Instances()) => {
    const [signal, listener] = [await byDatabase(instances), new CountingListener()];
    await signal.onWork(() => {
      listener.notified += 1;
      return listener.hasFreeSlot;
    });
    return { signal, listener, instances };
  };

  describe('on PostgreSQL', () => {
    workNotifierContract(async () => ({
      sender: await byDatabase(new Instances()),
      processes: [await listening(), await listening()],
    }));
  });

  describe('on PostgreSQL with many processes', () => {
    const open = async () => {
      const processes = await Promise.all(Array.from({ length: 6 }, () => listening()));
      const instances = new Instances(processes.map((process) => process.instances.id));
      const sender = await byDatabase(instances);
      const counts = () => processes.map(({ listener }) => listener.notified);
      return { sender, instances, processes, counts };
    };

    it('each work notification wakes two of six processes, so three work notifications wake all six', async () => {
      const { sender, counts } = await open();
      for (const woken of [2, 4, 6]) {
        sender.notify();
        await until('the notified workers', () => notifiedOnce(counts()) === woken);
      }
      expect(counts()).toEqual([1, 1, 1, 1, 1, 1]);
    });

    it('a process without a free slot passes a work notification on to all other processes', async () => {
      const { sender, processes, counts } = await open();
      for (const { listener } of processes.slice(0, 5)) listener.hasFreeSlot = false;
      sender.notify();
      await until('six notified workers', () => notifiedOnce(counts()) === 6);
    });

    it('a closed work notifier passes a received work notification on to all other processes', async () => {
      const { sender, processes, counts } = await open();
      for (const { signal } of processes.slice(0, 5)) await signal.close();
      const [before] = counts().slice(-1);
      sender.notify();
      await until('a notification of the last worker', () => counts().at(-1) !== before);
    });

    it('when a process learns of a new process, the new process receives a work notification', async () => {
      const { instances } = await open();
      const late = await listening();
      instances.join(late.instances.id);
      await until('a notification of the late worker', () => late.listener.notified > 0);
    });
  });
});
