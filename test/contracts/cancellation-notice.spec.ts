import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Inbox } from '../../src/inbox/inbox.js';
import type { MessageRepository } from '../../src/inbox/message.repository.js';
import { newId, systemClock } from '../../src/platform/index.js';
import type { Writer } from '../../src/storage/index.js';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';

const [postgres] = (await databaseKinds()).filter(({ name }) => name === 'postgres');

/** The part of a process that receives cancellation notifications; it reads and writes nothing. */
class Process {
  looks = 0;
  readonly inbox: Inbox;
  private readonly notices: PostgresNotifications;

  constructor(url: string) {
    this.notices = new PostgresNotifications(url);
    this.inbox = new Inbox({} as MessageRepository, {} as Writer, this.notices, systemClock);
  }

  async start(): Promise<void> {
    const nothing = (): void => undefined;
    const lookForCancelled = (): void => void (this.looks += 1);
    await this.inbox.connect({
      wake: nothing,
      nudge: nothing,
      look: nothing,
      stop: nothing,
      lookForCancelled,
    });
  }

  close(): Promise<void> {
    return this.notices.close();
  }
}

describe.runIf(postgres !== undefined)('the cancellation of held executions', () => {
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

  it('triggers a check in every other process, coalesced for many cancellations', async () => {
    const before = processes.map(({ looks }) => looks);
    const ids = Array.from({ length: 200 }, newId);
    for (const id of ids) processes[0]?.inbox.tellOfCancelled(id);
    const looks = (): readonly number[] => processes.map((process, index) => process.looks - before[index]!);
    await expect
      .poll(
        () =>
          looks()
            .slice(1)
            .every((count) => count > 0),
        { timeout: 10_000 },
      )
      .toBe(true);
    expect(looks()[0]).toBe(0);
    expect(Math.max(...looks())).toBeLessThan(ids.length);
  });
});
