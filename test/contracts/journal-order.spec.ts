import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/execution-events/index.js';
import { type Batch, decodeCursor, encodeCursor, START } from '../../src/journal/index.js';
import { newId } from '../../src/platform/index.js';
import { privatePostgres, QUICK_POSTGRES } from '../../tools/scripts/private-servers.mjs';
import { databaseKinds, postgresOn, type TestDatabase } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';
import { until } from '../support/until.js';

const [postgres] = (await databaseKinds()).filter(({ name }) => name === 'postgres');
const WRITERS = 6;
const COMMITS = 30;
const FIRST_ROW = `INSERT INTO journal (id, execution_id, project_id, workflow_id, first_sequence, last_sequence, created_at, body)`;

// These tests need PostgreSQL. SQLite has only one writer, so one SQLite commit cannot overtake another.
describe.runIf(postgres !== undefined)('the order of the journal, which takes no lock', () => {
  let database: TestDatabase;
  let url: string;
  let store: ExecutionStore;
  let projectId: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    if (database.settings.dialect === 'postgres') url = database.settings.url;
    store = await ExecutionStore.open(database.settings);
  });

  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  beforeEach(() => {
    projectId = newId();
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });

  async function session(): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  }

  /**
   * Writes a batch of events in the open transaction of a connection.
   * @returns the position of the batch in the journal
   */
  async function write(client: Client): Promise<number> {
    const { rows } = await client.query<{ position: string }>(
      `${FIRST_ROW} VALUES ($1, $2, $3, $4, 1, 1, now(), '[]') RETURNING position`,
      [newId(), newId(), projectId, newId()],
    );
    return Number(rows[0]?.position);
  }

  /** Writes batches with one event each, `batches` of them for each execution. */
  async function fill(
    client: Client,
    batches: number,
    { executions = [newId()], first = 1 }: { executions?: readonly string[]; first?: number } = {},
  ): Promise<void> {
    await client.query(
      `${FIRST_ROW} SELECT gen_random_uuid(), execution, $1, gen_random_uuid(), n, n, now(), '[]'
       FROM generate_series($3::integer, $4::integer) AS n, unnest($2::uuid[]) AS execution`,
      [projectId, executions, first, first + batches - 1],
    );
  }

  function append(): Promise<number> {
    const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
    return store.journal.append({ scope, after: 0, events: [paused()], otherWrites: [] });
  }

  async function positions(after = 0): Promise<readonly number[]> {
    const { batches } = await store.journalRepository.feed(
      { projectIds: [projectId] },
      { position: after, index: null },
      1_000,
    );
    return batches.map(({ position }) => position);
  }

  it('a journal reader waits until an earlier transaction commits, and reads the events of that transaction first', async () => {
    const early = await session();
    await early.query('BEGIN');
    const first = await write(early);
    await append();
    expect(await positions()).toEqual([]);
    expect((await store.journalRepository.bounds()).newest).toBeGreaterThan(first);
    await early.query('COMMIT');
    await expect.poll(async () => (await positions()).length).toBe(2);
    expect((await positions())[0]).toBe(first);
  });

  it('a journal reader continues after an earlier transaction is rolled back', async () => {
    const early = await session();
    await early.query('BEGIN');
    await write(early);
    await append();
    await early.query('ROLLBACK');
    await expect.poll(async () => (await positions()).length).toBe(1);
  });

  it('a commit to the journal does not wait for another transaction in progress', async () => {
    const early = await session();
    await early.query('BEGIN');
    await write(early);
    await Promise.all(Array.from({ length: WRITERS }, append));
    const { newest } = await store.journalRepository.bounds();
    expect(newest).toBeGreaterThan(0);
    await early.query('ROLLBACK');
  });

  it('a client that waits for the events of an execution gets them although an earlier transaction is open', async () => {
    const early = await session();
    await early.query('BEGIN');
    await write(early);
    const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
    for (let after = 0; after < 3; after += 1)
      await store.journal.append({ scope, after, events: [paused()], otherWrites: [] });
    const awaited = await store.journalRepository.awaited([
      { executionId: newId(), after: 0 },
      { executionId: scope.executionId, after: 1 },
    ]);
    expect(awaited.map(({ firstSequence }) => firstSequence)).toEqual([2, 3]);
    expect(await positions()).toEqual([]);
    await early.query('ROLLBACK');
  });

  it('the read of awaited events reads only the batches of the awaited executions, also from a large journal', async () => {
    const scope = { executionId: newId(), projectId, workflowId: newId(), sessionId: null };
    await store.journal.append({ scope, after: 0, events: [paused()], otherWrites: [] });
    const client = await session();
    // With statistics of long executions whose batches alternate, the planner may prefer to read a whole index in the
    // order of the result.
    const long = Array.from({ length: 20 }, () => newId());
    for (let first = 1; first <= 5_000; first += 50) await fill(client, 50, { executions: long, first });
    await client.query('ANALYZE journal');
    const readRows = async (): Promise<number> => {
      const { rows } = await client.query<{ read: string }>(
        "SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = 'journal'",
      );
      return Number(rows[0]?.read);
    };
    const others = Array.from({ length: 63 }, () => ({ executionId: newId(), after: 0 }));
    const before = await readRows();
    for (let read = 0; read < 20; read += 1) {
      const batches = await store.journalRepository.awaited([
        ...others,
        { executionId: scope.executionId, after: 0 },
      ]);
      expect(batches).toHaveLength(1);
    }
    // A connection of PostgreSQL may publish its statistics some seconds later.
    await until('the statistics of the reads', async () => (await readRows()) >= before + 20);
    expect((await readRows()) - before).toBeLessThan(1_000);
  });

  it('a read-only transaction, which has no transaction id, does not delay journal readers', async () => {
    const reading = await session();
    await reading.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM journal');
    await append();
    await expect.poll(async () => (await positions()).length).toBe(1);
    await reading.query('COMMIT');
  });

  it('a transaction in another database of the same server does not delay journal readers', async () => {
    const foreign = new URL(url);
    foreign.pathname = '/postgres';
    const client = new Client({ connectionString: foreign.href });
    await client.connect();
    clients.push(client);
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    await append();
    expect((await positions()).length).toBe(1);
    expect(await store.journalRepository.settled()).toBe((await store.journalRepository.bounds()).newest);
    await client.query('ROLLBACK');
  });

  it('the journal reports which transaction blocks its readers', async () => {
    const early = await session();
    await early.query(`BEGIN; SET LOCAL application_name = 'nightly report'; SELECT pg_current_xact_id()`);
    const { rows } = await early.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await expect
      .poll(() => store.journalRepository.blocking())
      .toMatchObject({
        pid: rows[0]?.pid,
        applicationName: 'nightly report',
        ageMs: expect.any(Number),
        queryStart: expect.stringMatching(/^\d{4}-/),
      });
    await early.query('ROLLBACK');
  });

  it('a journal reader gets every batch once and in order while many database sessions commit', async () => {
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const client = await session();
        for (let commit = 0; commit < COMMITS; commit += 1) {
          await client.query('BEGIN');
          await write(client);
          // Some transactions stay open for up to 10 ms, and some write a second batch at their end.
          if (writer % 2 === 0) await client.query('SELECT pg_sleep(random() * 0.01)');
          if (writer % 3 === 0) await write(client);
          await client.query(commit % 10 === 9 ? 'ROLLBACK' : 'COMMIT');
        }
      }),
    );
    const read: number[] = [];
    let isWriting = true;
    const done = writing.finally(() => (isWriting = false));
    const readNext = async (): Promise<void> => void read.push(...(await positions(read.at(-1) ?? 0)));
    while (isWriting) await readNext();
    await done;
    const committed = await store.dataSource.query<readonly { position: string }[]>(
      'SELECT position FROM journal WHERE project_id = $1 ORDER BY position',
      [projectId],
    );
    await expect
      .poll(async () => {
        await readNext();
        return read.length;
      })
      .toBe(committed.length);
    expect(read).toEqual(committed.map(({ position }) => Number(position)));
  });

  it('the journal publishes concurrently appended batches in the order of their positions', async () => {
    const published: Batch[] = [];
    const stop = store.bus.subscribe((batch) => published.push(batch));
    await Promise.all(Array.from({ length: 50 }, append));
    stop();
    const order = published.map(({ position }) => position);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(new Set(order).size).toBe(50);
  });

  it('one transaction can write at most 1,024 batches of events to the journal', async () => {
    const client = await session();
    await client.query('BEGIN');
    await fill(client, 1_000);
    await fill(client, 24);
    await client.query('COMMIT');
    const [row] = await store.dataSource.query<readonly { places: string }[]>(
      'SELECT count(DISTINCT position) AS places FROM journal WHERE project_id = $1',
      [projectId],
    );
    expect(Number(row?.places)).toBe(1_024);
    await client.query('BEGIN');
    await fill(client, 1_024);
    await expect(fill(client, 1)).rejects.toThrow('at most 1024 rows');
  });

  describe('on a server with lower transaction ids, as after a restore', () => {
    beforeEach(async () => {
      await append();
      // Simulates a restored database. The newest position in the journal is a million transactions ahead of the
      // transaction ids of the server.
      await store.dataSource.query(
        `SELECT setval('journal_offset', last_value + 1024000000) FROM journal_offset`,
      );
      await append();
      await store.dataSource.query(
        `SELECT setval('journal_offset', last_value - 1024000000) FROM journal_offset`,
      );
    });

    it('after the restore of a database, `renewOrder` places new journal batches after the existing batches', async () => {
      const { newest } = await store.journalRepository.bounds();
      expect(await store.journalRepository.renewOrder()).toBe(true);
      await append();
      expect((await store.journalRepository.bounds()).newest).toBeGreaterThan(newest);
      await expect.poll(async () => (await positions()).length).toBe(3);
    });

    it('a second call of `renewOrder` after the restore of a database does not change the order of the journal', async () => {
      expect(await store.journalRepository.renewOrder()).toBe(true);
      expect(await store.journalRepository.renewOrder()).toBe(false);
    });

    it('after `renewOrder`, a journal read from a cursor at the newest existing batch returns only new batches', async () => {
      await store.journalRepository.renewOrder();
      const before = (await store.journalRepository.bounds()).newest;
      const cursor = decodeCursor(encodeCursor({ position: before, index: null }));
      await append();
      await expect.poll(async () => (await positions(cursor?.position ?? START.position)).length).toBe(1);
    });
  });
});

// The test needs its own PostgreSQL server, because PostgreSQL allows no prepared transactions by default.
describe.runIf(postgres !== undefined)('a PostgreSQL server that allows prepared transactions', () => {
  it('the journal reports the name of a prepared transaction that blocks its readers', async () => {
    const server = await privatePostgres([...QUICK_POSTGRES, 'max_prepared_transactions=2']);
    try {
      const { settings } = await postgresOn(server.url).create();
      const store = await ExecutionStore.open(settings);
      await store.dataSource.query(
        `BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'forgotten transfer'`,
      );
      const blocking = await store.journalRepository.blocking();
      await store.dataSource.query(`ROLLBACK PREPARED 'forgotten transfer'`);
      expect(blocking).toEqual({
        pid: null,
        preparedTransaction: 'forgotten transfer',
        ageMs: expect.any(Number),
        queryStart: null,
        applicationName: null,
      });
      expect(await store.journalRepository.blocking()).toBeUndefined();
      await store.close();
    } finally {
      await server.stop();
    }
  });
});

function paused(): JournalEvent {
  return {
    type: 'workflow.paused',
    at: Date.now(),
    nodeId: null,
    attempt: null,
    data: { status: 'paused', reason: null },
  };
}
