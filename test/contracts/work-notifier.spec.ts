import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { DatabaseWorkNotifier } from '../../src/execution-runner/dispatch/database.work-notifier.ts';
import type { WorkNotifier } from '../../src/execution-runner/dispatch/work-notifier.ts';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import {
  CountingListener,
  type WorkNotifierHarness,
  workNotifierContract,
} from './work-notifier.contract.js';

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

  const byDatabase = async (): Promise<WorkNotifier> => {
    const notices = new PostgresNotifications(url);
    closing.push(() => notices.close());
    // Listens to a second topic on the same connection, as the journal does in the service.
    await notices.listen('something_else', () => undefined);
    return new DatabaseWorkNotifier(notices);
  };

  const harness = async (make: () => Promise<WorkNotifier>): Promise<WorkNotifierHarness> => {
    const listening = async () => {
      const [signal, listener] = [await make(), new CountingListener()];
      await signal.onWork(() => void (listener.notified += 1));
      return { signal, listener };
    };
    return { sender: await make(), processes: [await listening(), await listening()] };
  };

  describe('on PostgreSQL', () => {
    workNotifierContract(() => harness(byDatabase));
  });
});
