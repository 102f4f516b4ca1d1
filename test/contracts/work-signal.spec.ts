import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { NoticesWorkSignal } from '../../src/execution-runner/dispatch/notices.work-signal.js';
import type { WorkSignal } from '../../src/execution-runner/dispatch/work-signal.js';
import { PostgresNotices } from '../../src/storage/notifications/postgres-notices.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { CountingListener, type WorkSignalHarness, workSignalContract } from './work-signal.contract.js';

// The service logs outages.
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

  const byDatabase = async (): Promise<WorkSignal> => {
    const notices = new PostgresNotices(url);
    closing.push(() => notices.close());
    // The journal also listens on the same connection.
    await notices.listen('something_else', () => undefined);
    return new NoticesWorkSignal(notices);
  };

  const harness = async (make: () => Promise<WorkSignal>): Promise<WorkSignalHarness> => {
    const listening = async () => {
      const [signal, listener] = [await make(), new CountingListener()];
      await signal.listen(() => void (listener.heard += 1));
      return { signal, listener };
    };
    return { teller: await make(), processes: [await listening(), await listening()] };
  };

  describe('on PostgreSQL', () => {
    workSignalContract(() => harness(byDatabase));
  });
});
