import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExecutionCountRepository } from '../../src/executions/totals/execution-count.repository.js';
import { TotalsKeeper } from '../../src/executions/totals/totals-keeper.js';
import { TotalsRepository } from '../../src/executions/totals/totals.repository.js';
import { ExecutionListRepository } from '../../src/executions/execution-list.repository.js';
import { type ExecutionFilter } from '../../src/executions/execution-conditions.js';
import { type Execution, hasEnded } from '../../src/executions/execution.js';
import { ResultRepository } from '../../src/executions/results/result.repository.js';
import { Trimmer } from '../../src/executions/retention/trimmer.js';
import { StatsRepository } from '../../src/executions/stats/stats.repository.js';
import { FreedSpace, newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { cancelled, completed, ExecutionStore, started } from '../support/execution-store.js';
import { ManualClock } from '../support/manual-clock.js';

const LIVE = new AbortController().signal;
const MINUTE = 60_000;
const PROJECTS = [newId(), newId(), newId()];
const WORKFLOWS = [newId(), newId(), newId()];

class NothingFreed extends FreedSpace {
  giveBack(): number {
    return 0;
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
    let trimmer: Trimmer;
    let keepers: readonly TotalsKeeper[];
    /** What there is, as the test knows it. */
    let all: Execution[];

    beforeEach(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      clock = new ManualClock();
      const { dataSource, journalRepository, writer } = store;
      totals = new TotalsRepository(dataSource, kind.name, journalRepository, writer);
      counts = new ExecutionCountRepository(dataSource, kind.name);
      lists = new ExecutionListRepository(dataSource, kind.name, counts);
      stats = new StatsRepository(dataSource, kind.name, totals, journalRepository);
      trimmer = new Trimmer(totals, new ResultRepository(dataSource, kind.name, writer), new NothingFreed());
      keepers = [new TotalsKeeper(totals, clock), new TotalsKeeper(totals, clock)];
      all = [];
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function insert(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1)
        all.push(
          await store.insert({ projectId: PROJECTS[n % 2] ?? '', workflowId: WORKFLOWS[n % 3] ?? '' }),
        );
    }

    /** Ends every execution whose number a test says. */
    async function end(which: (index: number) => boolean): Promise<void> {
      for (const [index, execution] of all.entries()) {
        if (hasEnded(execution) || !which(index)) continue;
        const begun = await store.executions.advance(execution, [started()], false);
        const last = index % 4 === 0 ? cancelled() : completed('x'.repeat(index % 5 === 0 ? 20_000 : 10));
        all[index] = await store.executions.advance(begun, [last], true);
      }
    }

    const keep = (): Promise<unknown> => Promise.all(keepers.map((keeper) => keeper.keep(1)));

    /** Every filter of the lists counts and finds just what there is. */
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

    it('are exact wherever the frontier is, whatever ends after it passed', async () => {
      await insert(20);
      await end((index) => index % 3 !== 0);
      await expectAll();
      await keep();
      expect((await totals.frontier()).revision).toBe(0);
      clock.advance(6 * MINUTE);
      await keep();
      expect((await totals.frontier()).revision).toBeGreaterThan(0);
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

    it('are exact while two processes count and a third removes', async () => {
      await insert(30);
      await end((index) => index % 5 !== 1);
      clock.advance(6 * MINUTE);
      const before = Date.parse(all[14]?.progress.finishedAt ?? '');
      await Promise.all([keep(), trimmer.trim(before, clock.now(), LIVE), keep()]);
      all = all.filter(
        ({ progress: { finishedAt } }) => finishedAt === null || Date.parse(finishedAt) >= before,
      );
      await expectAll();
      await end(() => true);
      await Promise.all([keep(), trimmer.trim(clock.now(), clock.now(), LIVE)]);
      all = [];
      await keep();
      await expectAll();
      const left = await store.dataSource.query<object[]>('SELECT * FROM execution_totals');
      const stragglers = await store.dataSource.query<object[]>('SELECT * FROM execution_stragglers');
      expect([left, stragglers]).toEqual([[], []]);
    });

    it('say what the records take, the same before and after they are counted', async () => {
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
      await trimmer.trim(clock.now(), clock.now(), LIVE);
      expect(await stats.usage(projectId)).toEqual({
        ...fresh,
        executions: 0,
        events: 0,
        journalBytes: 0,
        payloadBytes: 0,
      });
    });

    it('count what ended in each hour once, before and after they are counted', async () => {
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
  });
