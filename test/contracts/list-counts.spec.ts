import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ListCounts1796083200000 } from '../../migrations/1796083200000-list-counts.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { DeliveriesRepository as HookDeliveriesRepository } from '../../src/hooks/deliveries.repository.js';
import { HookDeliveryEntity } from '../../src/hooks/delivery.entity.js';
import type { Delivery as HookDelivery } from '../../src/hooks/hook.js';
import { DeliveryRepeatedError } from '../../src/hooks/hooks.errors.js';
import { firstIdAt, isoTime, newId } from '../../src/platform/index.js';
import { FireEntity } from '../../src/schedules/fire.entity.js';
import { FiresRepository } from '../../src/schedules/fires.repository.js';
import type { Fire } from '../../src/schedules/schedule.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import type { Dialect, Write, Writer } from '../../src/storage/index.js';
import { writerOf } from '../../src/storage/storage.module.js';
import { DeliveriesRepository } from '../../src/webhooks/deliveries.repository.js';
import { type Delivery, DELIVERY_STATUSES, type DeliveryStatus } from '../../src/webhooks/delivery.js';
import { WebhookDeliveryEntity } from '../../src/webhooks/delivery.entity.js';
import { RetryEntity } from '../../src/webhooks/retry.entity.js';
import { WebhookEntity } from '../../src/webhooks/webhook.entity.js';
import { WebhooksRepository } from '../../src/webhooks/webhooks.repository.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { undoMigrationsTo } from '../support/migrations.js';

const PLACE = { limit: 5, offset: 0, order: 'desc' } as const;

/**
 * Length of a period in milliseconds. For each period, the database stores the number of list rows. `START`
 * is the start of a period.
 */
const PERIOD_MS = 2 ** 24;
const START = 104_000 * PERIOD_MS;

/** Creation times at the edges of counted periods, next to the edges, and between the edges. */
const INSTANTS = [0, 1, PERIOD_MS / 2, PERIOD_MS - 1, PERIOD_MS, PERIOD_MS + 1, 3 * PERIOD_MS + 7].map(
  (ms) => START + ms,
);

/** Returns a unique id with the given creation time. */
const idAt = (epochMs: number): string => firstIdAt(epochMs).slice(0, 15) + newId().slice(15);

/** Simulates a process of the service: its database connection, writer and repositories. */
class Process {
  readonly writer: Writer;
  readonly deliveries: DeliveriesRepository;
  readonly fires: FiresRepository;
  readonly hookDeliveries: HookDeliveriesRepository;
  readonly webhooks: WebhooksRepository;

  private constructor(
    readonly dataSource: DataSource,
    dialect: Dialect,
  ) {
    this.writer = writerOf(dataSource);
    this.deliveries = new DeliveriesRepository(dataSource.getRepository(WebhookDeliveryEntity));
    this.fires = new FiresRepository(dataSource.getRepository(FireEntity));
    this.hookDeliveries = new HookDeliveriesRepository(dataSource.getRepository(HookDeliveryEntity));
    this.webhooks = new WebhooksRepository(
      dataSource.getRepository(WebhookEntity),
      dataSource.getRepository(RetryEntity),
      dialect,
    );
  }

  static async on({ settings }: TestDatabase): Promise<Process> {
    const dataSource = await openDataSource(dataSourceOptions(settings, ENTITIES, MIGRATIONS), true);
    return new Process(dataSource, settings.dialect);
  }

  commit(...writes: readonly Write[]): Promise<void> {
    return this.writer.commit({ writes });
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.dataSource.destroy();
  }
}

function delivery(webhookId: string, status: DeliveryStatus, at = Date.now()): Delivery {
  return {
    ...{ id: idAt(at), webhookId, eventId: newId(), eventType: 'workflow.completed' },
    ...{ executionId: newId(), sequence: 1, status, attempts: [], nextAttemptAt: null },
    ...{ createdAt: isoTime(at), updatedAt: isoTime(at) },
  };
}

function fire(scheduleId: string, at: number, outcome: Fire['outcome'] = 'started'): Fire {
  const times = { scheduledFor: isoTime(at), firedAt: isoTime(at) };
  return { id: idAt(at), scheduleId, ...times, outcome, reason: null, executionId: null };
}

function hookDelivery(hookId: string, at: number, more: Partial<HookDelivery> = {}): HookDelivery {
  return {
    ...{ id: idAt(at), hookId, receivedAt: isoTime(at), method: 'POST', address: '127.0.0.1' },
    ...{ contentType: null, sizeBytes: 2, source: 'sender', outcome: 'started', status: 202 },
    ...{ code: null, reason: null, key: null, executionId: null },
    ...more,
  };
}

describe.each(await databaseKinds())('totals of lists on $name', ({ create }) => {
  let database: TestDatabase;
  let first: Process;

  beforeAll(async () => {
    database = await create();
    first = await Process.on(database);
  });
  afterAll(async () => {
    await first?.close();
    await database?.drop();
  });

  const countOf = async (sql: string): Promise<number> =>
    Number((await first.dataSource.query<readonly { readonly n: number | string }[]>(sql))[0]?.n);

  /** Expects that the delivery list of a webhook reports the correct total for each filter. */
  async function expectDeliveries(webhookId: string, all: readonly Delivery[]): Promise<void> {
    for (const status of [undefined, ...DELIVERY_STATUSES])
      for (const createdAfter of [undefined, 0, ...INSTANTS, Date.now() + PERIOD_MS]) {
        const filter = {
          ...(status === undefined ? {} : { status }),
          ...(createdAfter === undefined ? {} : { createdAfter }),
        };
        const expected = all.filter(
          (row) =>
            (status === undefined || row.status === status) &&
            (createdAfter === undefined || Date.parse(row.createdAt) >= createdAfter),
        );
        const { total, items } = await first.deliveries.list(webhookId, filter, PLACE);
        expect([total, items.length], JSON.stringify(filter)).toEqual([
          expected.length,
          Math.min(PLACE.limit, expected.length),
        ]);
      }
  }

  it('the total of deliveries of a webhook is exact for each filter by status and creation time', async () => {
    const [webhookId, other] = [newId(), newId()];
    const all = INSTANTS.flatMap((at) => DELIVERY_STATUSES.map((status) => delivery(webhookId, status, at)));
    await expectDeliveries(webhookId, []);
    await first.commit(
      ...all.map((row) => first.deliveries.insertion(row)),
      first.deliveries.insertion(delivery(other, 'failed', START)),
    );
    await expectDeliveries(webhookId, all);
  });

  it('the totals of deliveries by status change when a redelivery changes the status of a delivery', async () => {
    const webhookId = newId();
    const all = INSTANTS.map((at) => delivery(webhookId, 'failed', at));
    await first.commit(...all.map((row) => first.deliveries.insertion(row)));
    const next = all.map((row, index) => ({
      ...row,
      status: index % 2 === 0 ? ('delivered' as const) : row.status,
    }));
    for (const row of next) await first.commit(first.deliveries.update(row));
    await expectDeliveries(webhookId, next);
  });

  it('the totals of deliveries by status change when a webhook replay replaces pending retries', async () => {
    const webhookId = newId();
    const all = INSTANTS.map((at) => delivery(webhookId, 'retrying', at));
    await first.commit(
      ...all.map((row) => first.deliveries.insertion(row)),
      ...all.slice(2).flatMap((row, position) =>
        first.webhooks.retryReplacement({
          ...{ webhookId, executionId: row.executionId ?? '', afterSequence: 0, position },
          ...{ deliveryId: row.id, attempts: 1, nextAttemptAt: row.createdAt },
        }),
      ),
    );
    await first.commit(first.deliveries.supersession(webhookId, 1));
    await expectDeliveries(
      webhookId,
      all.map((row, index) => ({ ...row, status: index < 4 ? 'retrying' : 'failed' })),
    );
  });

  it('retention subtracts deleted deliveries from the total of deliveries, and keeps deliveries with a pending retry', async () => {
    const [webhookId, other] = [newId(), newId()];
    const rowsOf = (id: string): readonly Delivery[] =>
      INSTANTS.flatMap((at) => DELIVERY_STATUSES.map((status) => delivery(id, status, at)));
    const all = [...rowsOf(webhookId), ...rowsOf(other)];
    await first.commit(...all.map((row) => first.deliveries.insertion(row)));
    const before = START + PERIOD_MS;
    await first.commit(first.deliveries.deletionBefore(before));
    const left = all.filter(
      ({ status, createdAt }) => status === 'retrying' || Date.parse(createdAt) >= before,
    );
    for (const id of [webhookId, other])
      await expectDeliveries(
        id,
        left.filter((row) => row.webhookId === id),
      );
  });

  it('the deletion of a webhook removes the stored counts of its deliveries', async () => {
    const [webhookId, other] = [newId(), newId()];
    const kept = delivery(other, 'delivered', START);
    await first.commit(
      ...INSTANTS.map((at) => first.deliveries.insertion(delivery(webhookId, 'failed', at))),
      first.deliveries.insertion(kept),
    );
    const [, ...ofRows] = first.webhooks.deletion(webhookId, 1);
    await first.commit(...ofRows);
    await expectDeliveries(webhookId, []);
    await expectDeliveries(other, [kept]);
    expect(await countOf(`SELECT count(*) AS n FROM list_counts WHERE list_id = '${webhookId}'`)).toBe(0);
  });

  it('the total of past fires of a schedule is exact after insertions, deletion by retention, and deletion of the schedule', async () => {
    const { fires } = first;
    const [scheduleId, other] = [newId(), newId()];
    const totals = async (): Promise<readonly number[]> =>
      Promise.all([scheduleId, other].map(async (id) => (await fires.list(id, PLACE)).total));
    for (const at of INSTANTS)
      await first.commit(
        fires.insertion(fire(scheduleId, at)),
        fires.insertion(fire(scheduleId, at, 'skipped')),
        fires.insertion(fire(other, at)),
      );
    expect(await totals()).toEqual([14, 7]);
    await first.commit(fires.deletionBefore(isoTime(START + PERIOD_MS)));
    expect(await totals()).toEqual([6, 3]);
    await first.commit(fires.deletionOf(scheduleId));
    expect(await totals()).toEqual([0, 3]);
  });

  it('the total of deliveries to a hook counts accepted and repeated deliveries, and decreases when retention deletes some', async () => {
    const { hookDeliveries } = first;
    const hookId = newId();
    const total = async (): Promise<number> => (await hookDeliveries.list(hookId, PLACE)).total;
    for (const at of INSTANTS) {
      const accepted = hookDelivery(hookId, at, { key: `webhook-id:${at}` });
      await first.commit(hookDeliveries.claim(accepted));
      await first.commit(hookDeliveries.record({ ...accepted, id: newId(), outcome: 'repeated' }));
    }
    expect(await total()).toBe(14);
    const repeat = hookDelivery(hookId, START, { key: `webhook-id:${START}` });
    await expect(first.commit(hookDeliveries.claim(repeat))).rejects.toThrow(DeliveryRepeatedError);
    expect(await total()).toBe(14);
    await first.commit(hookDeliveries.deletionBefore(isoTime(START + PERIOD_MS)));
    expect(await total()).toBe(6);
    await first.commit(hookDeliveries.deletionOf(hookId));
    expect(await total()).toBe(0);
  });

  it('a commit that is rolled back does not change the total of a list', async () => {
    const webhookId = newId();
    const kept = delivery(webhookId, 'delivered', START);
    await first.commit(first.deliveries.insertion(kept));
    const absent = {
      ...first.deliveries.update(delivery(webhookId, 'failed')),
      orFail: () => new Error('absent'),
    };
    await expect(
      first.commit(
        first.deliveries.insertion(delivery(webhookId, 'failed', START)),
        first.deliveries.deletionBefore(START + 1),
        absent,
      ),
    ).rejects.toThrow('absent');
    await expectDeliveries(webhookId, [kept]);
  });

  it('totals of lists remain exact after concurrent commits of two processes', async () => {
    const second = await Process.on(database);
    try {
      const webhookIds = [newId(), newId(), newId()];
      const change = fc.record({
        process: fc.constantFrom(first, second),
        kind: fc.constantFrom('insert', 'insert', 'update', 'delete'),
        webhook: fc.nat({ max: webhookIds.length - 1 }),
        status: fc.constantFrom(...DELIVERY_STATUSES),
        instant: fc.constantFrom(...INSTANTS),
        row: fc.nat(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 40, maxLength: 80 }), async (changes) => {
          const written: Delivery[] = [];
          await Promise.all(
            changes.map(({ process: { deliveries, writer }, kind, webhook, status, instant, row }) => {
              const fresh = [0, 1].map(() => delivery(webhookIds[webhook] ?? '', status, instant));
              const old = written[row % Math.max(1, written.length)];
              if (kind === 'insert') written.push(...fresh);
              const write = (): readonly Write[] => {
                if (kind === 'delete') return [deliveries.deletionBefore(instant)];
                if (kind === 'update' && old !== undefined) return [deliveries.update({ ...old, status })];
                return fresh.map((one) => deliveries.insertion(one));
              };
              return writer.commit({ writes: write() });
            }),
          );
          for (const id of webhookIds)
            for (const status of DELIVERY_STATUSES) {
              const { total } = await first.deliveries.list(id, { status }, PLACE);
              const rows = `SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = '${id}' AND status = '${status}'`;
              expect(total).toBe(await countOf(rows));
            }
        }),
        { numRuns: 10, endOnFailure: true },
      );
      expect(await countOf('SELECT count(*) AS n FROM list_counts WHERE items <= 0')).toBe(0);
    } finally {
      await second.close();
    }
  });

  it('the migration for list counts includes existing rows in the counts, and reverting the migration keeps the rows', async () => {
    const [webhookId, scheduleId, hookId] = [newId(), newId(), newId()];
    await undoMigrationsTo(first.dataSource, new ListCounts1796083200000().name);
    const all = INSTANTS.flatMap((at) => DELIVERY_STATUSES.map((status) => delivery(webhookId, status, at)));
    await first.commit(
      ...all.map((row) => first.deliveries.insertion(row)),
      ...INSTANTS.map((at) => first.fires.insertion(fire(scheduleId, at))),
      ...INSTANTS.map((at) => first.hookDeliveries.record(hookDelivery(hookId, at))),
    );
    for (const _ of [1, 2]) {
      await first.dataSource.runMigrations();
      await expectDeliveries(webhookId, all);
      expect((await first.fires.list(scheduleId, PLACE)).total).toBe(INSTANTS.length);
      expect((await first.hookDeliveries.list(hookId, PLACE)).total).toBe(INSTANTS.length);
      await undoMigrationsTo(first.dataSource, new ListCounts1796083200000().name);
    }
    const rows = `SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = '${webhookId}'`;
    expect(await countOf(rows)).toBe(all.length);
  });
});
