import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Batch, EventBus, JournalRepository, PayloadRepository } from '../../src/journal/index.js';
import type { BatchListener } from '../../src/journal/batch-listener.js';
import { JournalTail } from '../../src/journal/journal-tail.js';
import { Journal } from '../../src/journal/journal.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { POSITIONS_TOPIC } from '../../src/storage/index.js';
import { slowQueryRunnerOf, noticesOf, writerOf } from '../../src/storage/storage.module.js';
import { newId } from '../../src/platform/index.js';
import type { JournalEvent } from '../../src/execution-events/index.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';

const [postgres] = (await databaseKinds()).filter(({ name }) => name === 'postgres');
const EXECUTIONS = 40;
const APPENDS = 5;

/** Simulates one of several processes that use the same database. */
class Process {
  readonly positions: number[] = [];
  private constructor(
    readonly journal: Journal,
    readonly repository: JournalRepository,
    readonly bus: EventBus,
    readonly listen: (listener: BatchListener) => () => void,
    readonly reach: (position: number) => Promise<void>,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(url: string, role: 'api' | 'worker' = 'api'): Promise<Process> {
    const dataSource = await openDataSource(
      dataSourceOptions({ dialect: 'postgres', url }, ENTITIES, MIGRATIONS),
      false,
    );
    const repository = new JournalRepository(dataSource, 'postgres', slowQueryRunnerOf(dataSource));
    const bus = new EventBus();
    const writer = writerOf(dataSource);
    const notices = await noticesOf({ dialect: 'postgres', url }, null);
    const tail = new JournalTail(repository, bus, notices, 'postgres', { ROLE: role });
    const journal = new Journal(writer, new PayloadRepository(dataSource, 'postgres'), tail);
    const process = new Process(
      journal,
      repository,
      bus,
      (listener) => bus.subscribe(listener),
      (position) => tail.reach(position),
      async () => {
        await tail.onApplicationShutdown();
        await notices.close();
        await dataSource.destroy();
      },
    );
    bus.subscribe(({ position }) => process.positions.push(position));
    await tail.onModuleInit();
    return process;
  }

  async stop(): Promise<void> {
    await this.close();
  }
}

/** Creates a database with the tables of the service, and returns it with its URL. */
async function migrated(kind: NonNullable<typeof postgres>): Promise<[TestDatabase, string]> {
  const database = await kind.create();
  const first = await openDataSource(dataSourceOptions(database.settings, ENTITIES, MIGRATIONS), true);
  await first.destroy();
  return [database, databaseUrl(database.settings)];
}

// These tests need PostgreSQL, which several processes can use. On SQLite, one process makes all commits.
describe.runIf(postgres !== undefined)('the journal tails of several processes', () => {
  let database: TestDatabase;
  let url: string;
  let processes: readonly Process[];

  beforeAll(async () => {
    if (postgres === undefined) return;
    [database, url] = await migrated(postgres);
    processes = await Promise.all([Process.start(url), Process.start(url), Process.start(url)]);
  });

  afterAll(async () => {
    for (const process of processes) await process.stop();
    await database.drop();
  });

  it('each process publishes every committed batch of events once, in the order of the journal', async () => {
    const projectId = newId();
    await Promise.all(
      Array.from({ length: EXECUTIONS }, async (_, index) => {
        const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
        for (let append = 0; append < APPENDS; append += 1) {
          const process = processes[(index + append) % processes.length];
          await process?.journal.append({ scope, after: append, events: [event()], otherWrites: [] });
        }
      }),
    );
    const total = EXECUTIONS * APPENDS;
    for (const { positions } of processes) {
      await expect.poll(() => positions.length).toBe(total);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(new Set(positions).size).toBe(total);
    }
  });

  it('a subscriber to one project gets exactly the event batches of this project, in the order of positions', async () => {
    const [reading, ...writing] = processes;
    if (reading === undefined) return;
    const [followed, other] = [newId(), newId()];
    const received: Batch[] = [];
    const subscription = reading.bus.subscribeToProjects((batch) => received.push(batch));
    subscription.follow([followed]);
    const before = reading.positions.length;
    await Promise.all(
      Array.from({ length: EXECUTIONS }, async (_, index) => {
        const projectId = index % 2 === 0 ? followed : other;
        const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
        const process = writing[index % writing.length];
        await process?.journal.append({ scope, after: 0, events: [event()], otherWrites: [] });
      }),
    );
    await expect.poll(() => received.length).toBe(EXECUTIONS / 2);
    expect(new Set(received.map(({ projectId }) => projectId))).toEqual(new Set([followed]));
    const positions = received.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    await expect.poll(() => reading.positions.length).toBe(before + EXECUTIONS);
    subscription.leave();
  });

  it('a journal read for one project skips batches of other projects, but reaches the end of the journal', async () => {
    const [reading] = processes;
    if (reading === undefined) return;
    const [followed, other] = [newId(), newId()];
    const start = (await reading.repository.bounds()).newest;
    for (const projectId of [followed, other, followed, other]) {
      const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
      await reading.journal.append({ scope, after: 0, events: [event()], otherWrites: [] });
    }
    const { newest } = await reading.repository.bounds();
    // Updates the horizon, the position before which readers stop. Otherwise an open transaction in another
    // database of the server could hold back this read.
    await reading.repository.advanceHorizon();
    const page = (limit: number, projectIds: readonly string[]) =>
      reading.repository.after(start, limit, new Map(), projectIds);
    const { batches, hasMore, settled } = await page(10, [followed]);
    expect(batches.map(({ projectId }) => projectId)).toEqual([followed, followed]);
    expect([hasMore, settled]).toEqual([false, newest]);
    expect(await page(1, [followed])).toMatchObject({ batches: [batches[0]], hasMore: true });
    expect(await page(10, [])).toMatchObject({ batches: [], hasMore: false, settled: newest });
  });

  it('API processes read the event batches of other processes from the journal, and workers do not', async () => {
    const worker = await Process.start(url, 'worker');
    const read = vi.spyOn(worker.repository, 'after');
    const [api] = processes;
    const before = api?.positions.length ?? 0;
    const scope = { executionId: newId(), projectId: newId(), workflowId: newId(), sessionId: null };
    await api?.journal.append({ scope, after: 0, events: [event()], otherWrites: [] });
    await worker.journal.append({ scope, after: 1, events: [event()], otherWrites: [] });
    await api?.journal.append({ scope, after: 2, events: [event()], otherWrites: [] });
    // Wait until all processes have published all batches, so that no batch arrives during the next test.
    for (const { positions } of processes) await expect.poll(() => positions.length).toBe(before + 3);
    expect(worker.positions).toEqual([]);
    expect(read).not.toHaveBeenCalled();
    await worker.stop();
  });

  it('a process publishes its own batches without reading the journal if no earlier batch is missing', async () => {
    const scope = { executionId: newId(), projectId: newId(), workflowId: newId(), sessionId: null };
    const [writing, hearing] = processes;
    const received: Batch[] = [];
    const stop = hearing?.listen((batch) => received.push(batch));
    const append = async (after: number, reason: string | null): Promise<void> => {
      await writing?.journal.append({ scope, after, events: [event(reason)], otherWrites: [] });
      await expect.poll(() => received.length).toBe(after + 1);
    };
    await append(0, 'why: "\u0000", \\, ü');
    await append(1, 'long '.repeat(1_000));
    const read = vi.spyOn(writing!.repository, 'after');
    // A process needs no query to publish its own events, unless another transaction on the server is open.
    // Other tests may have open transactions, so the test appends events until an append causes no query.
    await expect
      .poll(async () => {
        read.mockClear();
        await append(received.length, null);
        return read.mock.calls.length;
      })
      .toBe(0);
    read.mockRestore();
    expect(received).toEqual((await hearing?.repository.ofExecution(scope.executionId, 0, 1_000))?.batches);
    stop?.();
    for (const { positions } of processes)
      await expect.poll(() => positions.at(-1)).toBe(received.at(-1)?.position);
  });

  it('a process publishes exactly the committed batches of events despite forged PostgreSQL notifications', async () => {
    const [writing, hearing] = processes;
    for (const { positions } of processes) positions.length = 0;
    const scope = { executionId: newId(), projectId: newId(), workflowId: newId(), sessionId: null };
    const next = (await hearing!.repository.bounds()).newest + 1;
    const received: Batch[] = [];
    const stop = hearing?.listen((batch) => received.push(batch));
    const stranger = new Client({ connectionString: url });
    await stranger.connect();
    const forgedRow = (position: number): string =>
      JSON.stringify({
        position,
        id: newId(),
        execution_id: newId(),
        project_id: scope.projectId,
        workflow_id: newId(),
        session_id: null,
        first_sequence: 1,
        last_sequence: 1,
        body: '[["workflow.paused",1,null,null,0,{"status":"paused","reason":"forged"}]]',
      });
    const forged = ['', 'x', `${next}`, `x ${next + 10_000}`, `${Number.MAX_SAFE_INTEGER}`, '-1', 'x {']
      .concat('x {"position":null,"body":"["}', forgedRow(next), `x ${forgedRow(next)}`)
      .concat(`${newId()} ${forgedRow(next)}`, `x ${forgedRow(next + 1)}`, `x ${forgedRow(2 ** 52)}`);
    for (const text of forged) await stranger.query('SELECT pg_notify($1, $2)', [POSITIONS_TOPIC, text]);
    await stranger.query(`SELECT count(pg_notify($1, $2 || n)) FROM generate_series(1, 20000) AS n`, [
      POSITIONS_TOPIC,
      'flood ',
    ]);
    await stranger.end();
    await writing?.journal.append({ scope, after: 0, events: [event()], otherWrites: [] });
    for (const { positions } of processes) await expect.poll(() => positions.length).toBe(1);
    expect(received).toEqual((await hearing?.repository.ofExecution(scope.executionId, 0, 10))?.batches);
    stop?.();
  });

  describe('after a commit whose notification was lost', () => {
    /**
     * Commits a batch without a notification, as when the reply to the commit or the LISTEN connection is lost.
     * @returns the position of the batch
     */
    const commitWithoutNotification = async (): Promise<number> => {
      const stranger = new Client({ connectionString: url });
      await stranger.connect();
      const row = `'${newId()}', '${newId()}', '${newId()}', '${newId()}', 1, 1, now(), body`;
      const { rows } = await stranger.query<{ position: string }>(
        `INSERT INTO journal (id, execution_id, project_id, workflow_id, first_sequence, last_sequence, created_at, body)
         SELECT ${row} FROM journal LIMIT 1 RETURNING position`,
      );
      await stranger.end();
      return Number(rows[0]?.position);
    };

    it('a process that waits for a journal position publishes a batch of events whose notification was lost', async () => {
      const position = await commitWithoutNotification();
      await Promise.all(processes.map((asked) => asked.reach(position)));
      expect(processes.map(({ positions }) => positions.at(-1))).toEqual(processes.map(() => position));
      await processes[0]?.reach(position);
    });

    it('`reach` returns after a time limit if no batch of events ever gets the awaited journal position', async () => {
      const [asked] = processes;
      await asked?.reach(Number.MAX_SAFE_INTEGER);
    });

    it('the periodic poll of the journal finds a batch of events whose notification was lost', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const looking = await Process.start(url);
      const position = await commitWithoutNotification();
      vi.advanceTimersByTime(5_000);
      vi.useRealTimers();
      await expect.poll(() => looking.positions.at(-1)).toBe(position);
      await looking.stop();
      await Promise.all(processes.map((asked) => asked.reach(position)));
    });
  });

  it('a process publishes a batch that contains an unknown event type, and also the batch after it', async () => {
    for (const { positions } of processes) positions.length = 0;
    const scope = { executionId: newId(), projectId: newId(), workflowId: newId(), sessionId: null };
    const [newer] = processes;
    await newer?.journal.append({ scope, after: 0, events: [UNKNOWN], otherWrites: [] });
    await newer?.journal.append({ scope, after: 1, events: [event()], otherWrites: [] });
    for (const { positions } of processes) await expect.poll(() => positions.length).toBe(2);
  });
});

// Separate from the other tests, whose processes have readers all the time.
describe.runIf(postgres !== undefined)(
  'the journal tail of a process without readers in other processes',
  () => {
    let database: TestDatabase;
    let url: string;

    beforeAll(async () => {
      if (postgres === undefined) return;
      [database, url] = await migrated(postgres);
      // Time passes only when a test advances it, so no poll of the journal replaces a notification.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });

    afterAll(async () => {
      vi.useRealTimers();
      await database.drop();
    });

    it('a reader that appears receives the next commits by notification', async () => {
      const writing = await Process.start(url, 'worker');
      vi.advanceTimersByTime(60_000);
      const reading = await Process.start(url);
      const scope = { executionId: newId(), projectId: newId(), workflowId: newId(), sessionId: null };
      // The read at the start of the subscription may find the first commit, but not the later ones.
      for (let after = 0; after < 3; after += 1) {
        // `expect.poll` would advance the time.
        const received = new Promise<Batch>((resolve) => reading.listen(resolve));
        await writing.journal.append({ scope, after, events: [event()], otherWrites: [] });
        expect((await received).firstSequence).toBe(after + 1);
      }
      for (const process of [reading, writing]) await process.stop();
    });
  },
);

// An event type of a newer version of the service. During a rollout, both versions run at the same time.
const UNKNOWN = { ...event(), type: 'workflow.exploded' } as unknown as JournalEvent;

function event(reason: string | null = null): JournalEvent {
  return {
    type: 'workflow.paused',
    at: Date.now(),
    nodeId: null,
    attempt: null,
    data: { status: 'paused', reason },
  };
}
