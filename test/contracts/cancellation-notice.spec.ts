import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Inbox } from '../../src/inbox/inbox.js';
import type { MessageRepository } from '../../src/inbox/message.repository.js';
import { newId, systemClock } from '../../src/platform/index.js';
import type { Writer } from '../../src/storage/index.js';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';

const [postgres] = (await databaseKinds()).filter(({ name }) => name === 'postgres');

/**
 * Simulates a process that receives notifications of cancelled executions. `checks` counts how often the process looks
 * for cancelled executions. The simulated process does not access the database tables.
 */
class Process {
  checks = 0;
  readonly inbox: Inbox;
  private readonly notices: PostgresNotifications;

  constructor(url: string) {
    this.notices = new PostgresNotifications(url);
    this.inbox = new Inbox({} as MessageRepository, {} as Writer, this.notices, systemClock);
  }

  async start(): Promise<void> {
    const nothing = (): void => undefined;
    const checkCancelled = (): void => void (this.checks += 1);
    await this.inbox.connect({
      wake: nothing,
      nudge: nothing,
      checkInboxes: nothing,
      stop: nothing,
      checkCancelled,
    });
  }

  close(): Promise<void> {
    return this.notices.close();
  }
}

describe.runIf(postgres !== undefined)('the cancellation of executions with a lease', () => {
  let database: TestDatabase;
  let processes: readonly Process[] = [];

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    processes = [1, 2, 3].map(() => new Process(databaseUrl(database.settings)));
    for (const process of processes) await process.start();
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database?.drop();
  });

  it('after one process cancels 200 executions, each other process checks for cancellations at least once and fewer than 200 times', async () => {
    const before = processes.map(({ checks }) => checks);
    const ids = Array.from({ length: 200 }, newId);
    for (const id of ids) processes[0]?.inbox.notifyCancelled(id);
    const checks = (): readonly number[] =>
      processes.map((process, index) => process.checks - before[index]!);
    await expect
      .poll(() =>
        checks()
          .slice(1)
          .every((count) => count > 0),
      )
      .toBe(true);
    expect(checks()[0]).toBe(0);
    expect(Math.max(...checks())).toBeLessThan(ids.length);
  });
});
