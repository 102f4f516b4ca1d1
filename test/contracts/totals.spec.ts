import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpansRevision1763870000000 } from '../../migrations/1763870000000-spans-revision.js';
import { ExecutionSpans1763880000000 } from '../../migrations/1763880000000-execution-spans.js';
import { ExecutionCountRepository } from '../../src/execution-totals/execution-count.repository.js';
import { TotalsKeeper } from '../../src/execution-totals/totals-keeper.js';
import { TotalsRepository } from '../../src/execution-totals/totals.repository.js';
import { ExecutionListRepository } from '../../src/executions/execution-list.repository.js';
import type { ExecutionFilter } from '../../src/execution-store/execution-conditions.js';
import { type Execution, hasEnded } from '../../src/execution-store/execution.js';
import { ResultRepository } from '../../src/node-results/result.repository.js';
import { RetentionSweeper } from '../../src/retention/retention-sweeper.ts';
import { EndedWindows } from '../../src/execution-reports/stats/ended-windows.js';
import { StatsRepository } from '../../src/execution-reports/stats/stats.repository.js';
import { firstIdAt, isoTime, newId } from '../../src/platform/index.js';
import { DiskReclaimer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { cancelled, completed, ExecutionStore, started } from '../support/execution-store.js';
import { ManualClock } from '../support/manual-clock.js';

const LIVE = new AbortController().signal;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PROJECTS = [newId(), newId(), newId()];
const WORKFLOWS = [newId(), newId(), newId()];

/** A midnight in UTC, at least four days ago. Creation times and ranges of these tests are relative to this time. */
const MIDNIGHT = Math.floor(Date.now() / DAY - 4) * DAY;
const INSTANTS = [
  ...[-1, 0, 1, HOUR - 1, HOUR, HOUR + 1, HOUR + 30 * MINUTE, DAY - 1, DAY, DAY + 1],
  ...[2 * DAY, 2 * DAY + 5 * HOUR + 17 * MINUTE, 3 * DAY - HOUR, 3 * DAY + 90 * MINUTE],
].map((ms) => MIDNIGHT + ms);

/**
 * Returns a unique id for a creation time. The time in the id may be some milliseconds earlier, as if a slower clock
 * had made the id.
 */
const idAt = (epochMs: number): string => firstIdAt(epochMs).slice(0, 15) + newId().slice(15);

class NothingToReclaim extends DiskReclaimer {
  vacuum(): Promise<number> {
    return Promise.resolve(0);
  }
}

for (const kind of await databaseKinds())
  describe(`totals on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    let clock: ManualClock;
    let totals: TotalsRepository;
    let counts: ExecutionCountRepository;
    let lists: ExecutionListRepository;
    let stats: StatsRepository;
    let sweeper: RetentionSweeper;
    let keepers: readonly TotalsKeeper[];
    /** The executions that the database must contain. */
    let all: Execution[];

    beforeEach(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      clock = new ManualClock();
      const { dataSource, journalRepository, writer } = store;
      totals = new TotalsRepository(dataSource, kind.name, journalRepository, writer);
      counts = new ExecutionCountRepository(dataSource, kind.name, store.slowQueries);
      lists = new ExecutionListRepository(dataSource, kind.name, counts, store.slowQueries);
      stats = new StatsRepository(dataSource, kind.name, totals, journalRepository, store.slowQueries);
      sweeper = new RetentionSweeper(
        totals,
        new ResultRepository(dataSource, kind.name, writer),
        new NothingToReclaim(),
      );
      keepers = [new TotalsKeeper(totals, clock), new TotalsKeeper(totals, clock)];
      all = [];
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function insert(count: number, ...instants: readonly number[]): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const at = instants[n % instants.length];
        const created =
          at === undefined ? {} : { id: idAt(at + ((n % 3) - 1) * 59_000), createdAt: isoTime(at) };
        const owners = { projectId: PROJECTS[n % 2] ?? '', workflowId: WORKFLOWS[n % 3] ?? '' };
        all.push(await store.insert({ ...owners, ...created }));
      }
    }

    /** Ends each unfinished execution for whose index `which` returns true. */
    async function end(which: (index: number) => boolean): Promise<void> {
      for (const [index, execution] of all.entries()) {
        if (hasEnded(execution) || !which(index)) continue;
        const begun = await store.executions.advance(execution, [started()], false);
        const last = index % 4 === 0 ? cancelled() : completed('x'.repeat(index % 5 === 0 ? 20_000 : 10));
        all[index] = await store.executions.advance(begun, [last], true);
      }
    }

    const keep = (): Promise<unknown> => Promise.all(keepers.map((keeper) => keeper.update(1)));

    /** Expects that the execution list returns the correct total and page for each combination of filters. */
    async function expectAll(): Promise<void> {
      for (const projectIds of [PROJECTS, PROJECTS.slice(0, 1), PROJECTS.slice(2)])
        for (const statuses of [undefined, ['completed'], ['queued', 'cancelled'], ['failed']] as const)
          for (const workflowId of [undefined, WORKFLOWS[0] ?? ''])
            for (const trigger of [undefined, 'api', 'schedule'] as const) {
              const filter: ExecutionFilter = {
                projectIds,
                ...(statuses === undefined ? {} : { statuses }),
                ...(workflowId === undefined ? {} : { workflowId }),
                ...(trigger === undefined ? {} : { trigger }),
              };
              const expected = all.filter(
                (execution) =>
                  projectIds.includes(execution.projectId) &&
                  (statuses === undefined ||
                    (statuses as readonly string[]).includes(execution.progress.status)) &&
                  (workflowId === undefined || execution.workflowId === workflowId) &&
                  (trigger === undefined || execution.trigger.type === trigger),
              );
              for (const order of ['asc', 'desc'] as const) {
                const ids = expected.map(({ id }) => id).sort();
                if (order === 'desc') ids.reverse();
                const page = await lists.list(filter, { limit: 7, offset: 3, order });
                expect([page.total, page.items.map(({ id }) => id)]).toEqual([ids.length, ids.slice(3, 10)]);
              }
            }
    }

    /** Expects that the execution count is correct for each range of creation times. */
    async function expectRanges(): Promise<void> {
      const [projectId = ''] = PROJECTS;
      const [workflowId = ''] = WORKFLOWS;
      const bounds = [undefined, ...INSTANTS];
      for (const isNarrow of [false, true]) {
        const alike: ExecutionFilter = isNarrow
          ? { projectIds: [projectId], statuses: ['completed'], trigger: 'api', workflowId }
          : { projectIds: PROJECTS };
        const alikes = all.filter(
          (execution) =>
            !isNarrow ||
            (execution.projectId === projectId &&
              execution.workflowId === workflowId &&
              execution.progress.status === 'completed'),
        );
        for (const after of bounds) {
          const found = bounds.map(async (before) => ({
            after,
            before,
            total: await counts.count({
              ...alike,
              ...(after === undefined ? {} : { createdAfter: isoTime(after) }),
              ...(before === undefined ? {} : { createdBefore: isoTime(before) }),
            }),
          }));
          const expected = bounds.map((before) => ({
            after,
            before,
            total: alikes.filter(({ createdAt }) => {
              const at = Date.parse(createdAt);
              return at > (after ?? -Infinity) && at < (before ?? Infinity);
            }).length,
          }));
          expect(await Promise.all(found)).toEqual(expected);
        }
      }
    }

    /** Returns the stored totals of executions by creation time, without totals of zero. */
    async function spans(): Promise<readonly object[]> {
      const columns = 'project_id, unit, began, workflow_id, trigger_type, status';
      return store.dataSource.query<object[]>(
        `SELECT ${columns}, executions FROM execution_spans WHERE executions <> 0 ORDER BY ${columns}`,
      );
    }

    it('execution totals stay exact even if executions end after they were included in the stored totals', async () => {
      await insert(20);
      await end((index) => index % 3 !== 0);
      await expectAll();
      await keep();
      expect((await totals.watermark()).revision).toBe(0);
      clock.advance(6 * MINUTE);
      await keep();
      expect((await totals.watermark()).revision).toBeGreaterThan(0);
      await expectAll();
      await insert(10);
      await end((index) => index % 2 === 0);
      await expectAll();
      clock.advance(6 * MINUTE);
      await keep();
      await end(() => true);
      await expectAll();
      await keep();
      await expectAll();
    });

    it('execution totals are exact for every range of creation times, however much of it stored totals cover', async () => {
      await insert(2 * INSTANTS.length, ...INSTANTS);
      await end((index) => index % 3 !== 0);
      await expectRanges();
      clock.advance(MIDNIGHT + DAY + 6 * MINUTE - clock.now());
      await keep();
      await expectRanges();
      clock.advance(3 * DAY);
      await keep();
      await insert(3);
      await expectRanges();
      await end((index) => index % 2 === 0);
      await expectRanges();
      await keep();
      await expectRanges();
      expect(await spans()).not.toEqual([]);
    });

    it('execution totals stay exact while two processes count executions and retention deletes some of them', async () => {
      await insert(30, ...INSTANTS);
      await end((index) => index % 5 !== 1);
      clock.advance(6 * MINUTE);
      const before = Date.parse(all[14]?.progress.finishedAt ?? '');
      await Promise.all([keep(), sweeper.trim(before, clock.now(), LIVE), keep()]);
      all = all.filter(
        ({ progress: { finishedAt } }) => finishedAt === null || Date.parse(finishedAt) >= before,
      );
      await expectAll();
      await expectRanges();
      await end(() => true);
      await Promise.all([keep(), sweeper.trim(clock.now(), clock.now(), LIVE)]);
      all = [];
      await keep();
      await expectAll();
      await expectRanges();
      for (const table of ['execution_totals', 'execution_spans', 'execution_stragglers'])
        expect(await store.dataSource.query<object[]>(`SELECT * FROM ${table}`), table).toEqual([]);
    });

    it('the migration of execution totals computes the same totals as the running service', async () => {
      await insert(2 * INSTANTS.length, ...INSTANTS);
      await end((index) => index % 3 !== 0);
      clock.advance(MIDNIGHT + 3 * DAY - clock.now());
      await keep();
      await end((index) => index === 3);
      const kept = await spans();
      const runner = store.dataSource.createQueryRunner();
      await runner.startTransaction();
      const [revision, fill] = [new SpansRevision1763870000000(), new ExecutionSpans1763880000000()];
      for (const step of [fill, revision]) await step.down(runner);
      for (const step of [revision, fill]) await step.up(runner);
      await runner.commitTransaction();
      await runner.release();
      expect(await spans()).toEqual(kept);
      await expectRanges();
      await keep();
      await expectRanges();
    });

    it('an older version of the service, which does not write the table execution_spans, cannot update execution totals', async () => {
      const older = async (): Promise<void> => {
        const { upToId, revision } = await totals.watermark();
        await store.dataSource.query(
          `INSERT INTO execution_frontier (id, up_to_id, revision) VALUES (1, '${upToId}', 1)
           ON CONFLICT (id) DO UPDATE SET up_to_id = excluded.up_to_id, revision = execution_frontier.revision + 1
           WHERE execution_frontier.revision = ${revision}`,
        );
      };
      const refusal = /execution_frontier_spans/;
      await expect(older()).rejects.toThrow(refusal);
      await insert(INSTANTS.length, ...INSTANTS);
      await end(() => true);
      await keep();
      const watermark = await totals.watermark();
      expect(watermark.revision).toBeGreaterThan(0);
      await expect(older()).rejects.toThrow(refusal);
      // Simulates a database directly after the migration that adds `spans_revision`: `revision` and
      // `spans_revision` are 0.
      await store.dataSource.query('UPDATE execution_frontier SET revision = 0, spans_revision = 0');
      await expect(older()).rejects.toThrow(refusal);
      await expect(
        store.dataSource.query('UPDATE execution_frontier SET spans_revision = NULL'),
      ).rejects.toThrow(/not.null/i);
      expect(await totals.watermark()).toEqual({ ...watermark, revision: 0 });
    });

    it('the storage use of a project does not change when its executions are included in the stored totals', async () => {
      await insert(12);
      await end((index) => index !== 3);
      const [projectId = ''] = PROJECTS;
      const fresh = await stats.usage(projectId);
      const [bodies] = await store.dataSource.query<{ journal: string; payloads: string }[]>(
        `SELECT (SELECT sum(octet_length(body)) FROM journal WHERE project_id = '${projectId}') AS journal,
          (SELECT sum(octet_length(p.body)) FROM payloads AS p JOIN executions AS e ON e.id = p.execution_id
            WHERE e.project_id = '${projectId}') AS payloads`,
      );
      expect(fresh).toEqual({
        executions: 6,
        events: 18,
        journalBytes: Number(bodies?.journal),
        payloadBytes: Number(bodies?.payloads),
        resultsBytes: 0,
        estimated: false,
      });
      clock.advance(6 * MINUTE);
      await keep();
      expect(await stats.usage(projectId)).toEqual(fresh);
      await sweeper.trim(clock.now(), clock.now(), LIVE);
      expect(await stats.usage(projectId)).toEqual({
        ...fresh,
        executions: 0,
        events: 0,
        journalBytes: 0,
        payloadBytes: 0,
      });
    });

    it('the statistics include each ended execution once, before and after an update of the execution totals', async () => {
      await insert(9);
      await end((index) => index > 1);
      const from = Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000;
      const filter = { projectIds: PROJECTS };
      const sums = async (): Promise<unknown> => {
        const { counts: rows, sampled } = await stats.ended(filter, from);
        const by = Object.groupBy(rows, ({ status }) => status);
        return [
          sampled,
          Object.entries(by).map(([status, of]) => [
            status,
            of?.reduce((total, { executions }) => total + executions, 0),
          ]),
        ];
      };
      const active = (): Promise<ReadonlyMap<string, number>> => stats.active(filter);
      const fresh = await sums();
      expect(fresh).toEqual([
        false,
        expect.arrayContaining([
          ['completed', 5],
          ['cancelled', 2],
        ]),
      ]);
      expect(await active()).toEqual(new Map([['queued', 2]]));
      clock.advance(6 * MINUTE);
      await keep();
      expect(await sums()).toEqual(fresh);
      await end(() => true);
      expect(await active()).toEqual(new Map());
      const settled = await sums();
      await keep();
      expect(await sums()).toEqual(settled);
      expect(await stats.ended({ projectIds: PROJECTS.slice(2) }, from)).toMatchObject({ counts: [] });
    });

    it('execution totals are cached by hour, and an hour is queried again only while its totals can change', async () => {
      const windows = new EndedWindows(stats, clock);
      const read = vi.spyOn(stats, 'ended');
      const filter = { projectIds: PROJECTS };
      const present = Math.floor(Date.now() / HOUR) * HOUR;
      const from = present - 2 * HOUR;
      const sums = async (): Promise<unknown> => {
        const { ended, sampled } = await windows.of(filter, from, 6);
        const ofHours = ended.hours.reduce((sum, hour) => sum + hour.completed, 0);
        return [sampled, Object.fromEntries(ended.byStatus), ofHours];
      };
      await insert(9);
      await end((index) => index > 4);
      const first = [false, { completed: 3, cancelled: 1 }, 3];
      expect(await sums()).toEqual(first);
      expect(read).toHaveBeenLastCalledWith(filter, from);
      await end(() => true);
      expect(await sums()).toEqual(first);
      const whole = [false, { completed: 6, cancelled: 3 }, 6];
      for (const ms of [6_000, 2 * HOUR]) {
        clock.advance(ms);
        expect(await sums()).toEqual(whole);
      }
      clock.advance(10_000);
      expect(await sums()).toEqual(whole);
      const [, since] = read.mock.lastCall ?? [];
      expect(since).toBeGreaterThan(present);
      clock.advance(11 * MINUTE);
      expect(await sums()).toEqual(whole);
      expect(read).toHaveBeenLastCalledWith(filter, from);
      expect(read).toHaveBeenCalledTimes(5);
    });
  });
