import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fold } from '../../src/engine/index.js';
import { INLINE_LIMIT, LongValue } from '../../src/long-values/index.js';
import { type JournalEvent } from '../../src/execution-events/index.js';
import type { Json } from '../../src/expressions/index.js';
import { Cancellation } from '../../src/execution-store/cancellation.js';
import { CancellationJobRepository } from '../../src/execution-store/index.js';
import { type Execution, HANDED_OVER, HOLDER_LOST } from '../../src/execution-store/execution.js';
import { ExecutionChangedError, LeaseLostError } from '../../src/execution-store/execution.errors.js';
import { Inbox } from '../../src/inbox/inbox.js';
import { MessageRepository } from '../../src/inbox/message.repository.js';
import {
  type Batch,
  CheckpointRepository,
  decodeCursor,
  encodeCursor,
  isAfter,
  JournalRepository,
  START,
} from '../../src/journal/index.js';
import { envelopeOf } from '../../src/journal/envelope.js';
import { lastSequence } from '../../src/journal/batch.js';
import { NoNotifications } from '../../src/storage/notifications/notifications.ts';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import {
  cancelled,
  completed,
  ExecutionStore,
  nodeComplete,
  queued,
  started,
} from '../support/execution-store.js';

const NOW = (): string => new Date().toISOString();

for (const kind of await databaseKinds())
  describe(`the journal and its fencing tokens on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    /** A second process on PostgreSQL. SQLite supports only one process, so on SQLite `other` is the same store. */
    let other: ExecutionStore;
    const batches: Batch[] = [];
    const owner = newId();
    let stop: () => void;

    beforeAll(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      other = kind.name === 'sqlite' ? store : await ExecutionStore.open(database.settings);
    });

    afterAll(async () => {
      await store?.close();
      if (other !== store) await other?.close();
      await database?.drop();
    });

    beforeEach(() => {
      batches.length = 0;
      stop = store.bus.subscribe((batch) => batches.push(batch));
    });

    afterEach(async () => {
      stop();
      await store.writer.commit({
        writes: [{ sql: 'UPDATE executions SET runnable_at = NULL', parameters: [] }],
      });
    });

    const claimed = async () => {
      const { id } = await store.insert();
      const [execution] = (await store.claims.claim(owner, NOW(), 1)).executions;
      if (execution === undefined || execution.id !== id) throw new Error('The execution was not claimed.');
      return execution;
    };
    const events = (id: string): Promise<readonly JournalEvent[]> => store.journalRepository.whole(id, 0);
    const types = async (id: string): Promise<readonly string[]> =>
      (await events(id)).map(({ type }) => type);

    it('if a commit creates an execution with an existing id, the database rejects all writes of the commit', async () => {
      const claim = (id: string) => ({
        sql: `INSERT INTO idempotency_keys (id, request_hash, status, headers, body, created_at) VALUES ('${id}', '', 201, '{}', '', '${NOW()}')`,
        parameters: [],
      });
      const written = await store.insert();
      await expect(
        other.executions.insert(written, [queued(null), started()], [claim(written.id)]),
      ).rejects.toThrow();
      expect(await types(written.id)).toEqual(['workflow.queued']);
      await store.writer.commit({ writes: [claim(written.id)] });
    });

    describe('append', () => {
      it('the journal publishes an appended batch of events once, and only after the commit', async () => {
        const { id } = await store.insert();
        expect(batches).toHaveLength(1);
        expect(batches[0]).toMatchObject({ executionId: id, firstSequence: 1 });
        const [stored] = (await store.journalRepository.ofExecution(id, 0, 10)).batches;
        // A published batch has a trace id, because this process committed the batch. A batch that is read from the
        // journal has no trace id.
        const { traceId, ...published } = batches[0]!;
        expect(traceId).toBe(id.replaceAll('-', ''));
        expect(stored).toEqual(published);
      });

      it('the journal refuses an append with an outdated lease epoch, and neither stores nor publishes the batch', async () => {
        const stale = await claimed();
        await store.executions.handBack(stale, NOW(), 'service_fault');
        const [holder] = (await other.claims.claim(newId(), NOW(), 1)).executions;
        expect(holder).toMatchObject({ id: stale.id, lease: { epoch: 2 } });
        batches.length = 0;
        await expect(store.executions.advance(stale, [started()], false)).rejects.toThrow(LeaseLostError);
        expect(batches).toEqual([]);
        expect(await types(stale.id)).toEqual(['workflow.queued']);
        expect(await store.executions.find(stale.id)).toMatchObject({
          progress: { status: 'queued', lastSequence: 1 },
        });
      });

      it('the journal refuses an append at a sequence that is already stored, even by the same lease holder', async () => {
        const held = await claimed();
        await store.executions.advance(held, [started()], false);
        await expect(store.executions.advance(held, [nodeComplete('a', 1)], false)).rejects.toThrow(
          LeaseLostError,
        );
        expect(await types(held.id)).toEqual(['workflow.queued', 'workflow.started']);
      });

      it('the journal refuses an append after the final event', async () => {
        const held = await claimed();
        const ended = await store.executions.advance(held, [started(), completed('done')], true);
        const again = { ...ended, lease: held.lease };
        await expect(store.executions.advance(again, [completed('again')], true)).rejects.toThrow(
          LeaseLostError,
        );
        await expect(store.executions.forceAppend(ended, [cancelled()])).rejects.toThrow(
          ExecutionChangedError,
        );
        await store.executions.handBack(ended, NOW(), 'service_fault');
        const after = await store.executions.find(held.id);
        expect(after).toMatchObject({
          progress: { status: 'completed', output: 'done', runnableAt: null },
          lease: { owner: null },
        });
        expect(await types(held.id)).toEqual(['workflow.queued', 'workflow.started', 'workflow.completed']);
      });

      it('the journal accepts only one of two concurrent final events, a completion and a cancellation', async () => {
        for (let round = 0; round < 10; round += 1) {
          const held = await claimed();
          const pair = [
            () => store.executions.advance(held, [started(), completed(1)], true),
            () => other.executions.forceAppend(held, [cancelled()]),
          ];
          const outcomes = await Promise.allSettled(
            (round % 2 === 0 ? pair : pair.toReversed()).map((go) => go()),
          );
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
          const finals = (await types(held.id)).filter((type) =>
            ['workflow.completed', 'workflow.cancelled'].includes(type),
          );
          expect(finals).toHaveLength(1);
          expect(await store.executions.find(held.id)).toMatchObject({
            progress: { status: finals[0]?.slice('workflow.'.length) },
          });
        }
      });
    });

    describe('a cancellation', () => {
      /** Simulates a race: whenever the cancellation reads this journal, the lease holder appends an event. */
      class BusyJournal extends JournalRepository {
        holder: Execution | null = null;

        override async whole(id: string, after: number): Promise<readonly JournalEvent[]> {
          const read = await super.whole(id, after);
          if (this.holder !== null)
            this.holder = await store.executions
              .advance(this.holder, [nodeComplete('a', read.length)], false)
              .catch((error: unknown) => {
                if (error instanceof LeaseLostError) return null;
                throw error;
              });
          return read;
        }
      }

      it('a cancellation succeeds even if the lease holder appends events faster than the cancellation reads them', async () => {
        const journal = new BusyJournal(store.dataSource, kind.name, store.slowQueries);
        const states = new CheckpointRepository(store.dataSource, kind.name, journal);
        const clock = { now: () => Date.now() };
        const messages = new MessageRepository(store.dataSource, kind.name);
        const inbox = new Inbox(messages, store.writer, new NoNotifications(), clock);
        const held = await claimed();
        journal.holder = await store.executions.advance(held, [started()], false);
        const own = { id: newId() };
        const jobs = new CancellationJobRepository(store.dataSource, kind.name, store.writer, own, clock);
        const cancellation = new Cancellation(store.executions, states, inbox, jobs, clock);
        const ended = await cancellation.cancel(journal.holder, 'enough');
        expect(ended).toMatchObject({ progress: { status: 'cancelled' }, lease: { owner: null } });
        expect(journal.holder).toBeNull();
        expect((await types(held.id)).at(-1)).toBe('workflow.cancelled');
        expect(await store.executions.find(held.id)).toMatchObject({ progress: { runnableAt: null } });
      });

      it('if a process dies between revoking a lease and cancelling the execution, another process can claim the execution', async () => {
        const held = await claimed();
        const holder = await store.executions.advance(held, [started()], false);
        const later = new Date(Date.now() + 30_000).toISOString();
        await store.executions.revokeLease(held.id, later);
        await expect(store.executions.advance(holder, [completed(1)], true)).rejects.toThrow(LeaseLostError);
        expect((await other.claims.claim(newId(), NOW(), 1)).executions).toEqual([]);
        const [again] = (await other.claims.claim(newId(), later, 1)).executions;
        expect(again).toMatchObject({ id: held.id, progress: { statusReason: HANDED_OVER } });
      });
    });

    describe('leases', () => {
      it('if two processes claim an execution at the same time, only one of them gets the lease', async () => {
        const ids = new Set<string>();
        for (let n = 0; n < 40; n += 1) ids.add((await store.insert()).id);
        const [mine, theirs] = [newId(), newId()];
        const taken = (
          await Promise.all([
            store.claims.claim(mine, NOW(), 64),
            other.claims.claim(theirs, NOW(), 64),
            store.claims.claim(mine, NOW(), 64),
            other.claims.claim(theirs, NOW(), 64),
          ])
        ).flatMap(({ executions }) => executions);
        // Each execution was claimed by only one of the two processes. Two concurrent claims of the same
        // process may both return an execution.
        const owners = new Map<string, Set<string | null>>();
        for (const { id, lease } of taken) owners.set(id, (owners.get(id) ?? new Set()).add(lease.owner));
        expect([...owners.values()].filter(({ size }) => size !== 1)).toEqual([]);
        expect(owners.size).toBe(40);
        const rows = await store.dataSource.query<{ lease_epoch: number }[]>(
          `SELECT lease_epoch FROM executions WHERE lease_owner IN ('${mine}', '${theirs}')`,
        );
        expect(rows.map(({ lease_epoch }) => lease_epoch)).toEqual(Array.from({ length: 40 }, () => 1));
      });

      it('a claim takes executions in the order of their priority, up to the requested number', async () => {
        const urgency = [0, 9, 5, 9, 3];
        const ids: string[] = [];
        for (const priority of urgency) ids.push((await store.insert({ priority })).id);
        const order: (string | undefined)[] = [];
        for (const _ of urgency) {
          const batch = (await store.claims.claim(owner, NOW(), 1)).executions;
          expect(batch).toHaveLength(1);
          order.push(batch[0]?.id);
        }
        expect(order).toEqual([ids[1], ids[3], ids[2], ids[4], ids[0]]);
        expect((await store.claims.claim(owner, NOW(), 1)).executions).toEqual([]);
      });

      it('a claim does not take an execution before `runnable_at`', async () => {
        const later = new Date(Date.now() + 60_000).toISOString();
        const { id } = await store.insert({ runnableAt: later });
        await store.insert({ runnableAt: new Date(Date.now() + 120_000).toISOString(), priority: 9 });
        expect(await store.claims.claim(owner, NOW(), 10)).toEqual({ executions: [], nextAt: later });
        expect(await store.claims.nextRunnableAt()).toBe(later);
        expect(
          (await store.claims.claim(owner, later, 10)).executions.map((execution) => execution.id),
        ).toEqual([id]);
      });

      it('a claim that finds fewer executions than requested returns the time at which the next execution is due', async () => {
        const { id } = await store.insert();
        const later = new Date(Date.now() + 60_000).toISOString();
        await store.insert({ runnableAt: later, priority: 2 });
        const { executions, nextAt } = await store.claims.claim(owner, NOW(), 2);
        expect(executions).toMatchObject([
          {
            id,
            metadata: {},
            lease: { owner, epoch: 1 },
            progress: { runnableAt: null },
            hasMessages: false,
          },
        ]);
        expect(executions[0]).toMatchObject((await store.executions.find(id)) ?? {});
        expect(nextAt).toBe(later);
      });

      it('the method `releaseOrphans` of the execution store releases leases of dead processes, but not of live processes', async () => {
        const orphan = await claimed();
        const alive = newId();
        await store.insert();
        const [kept] = (await store.claims.claim(alive, NOW(), 1)).executions;
        await store.writer.commit({
          writes: [
            {
              sql: `INSERT INTO instances (id, host, pid, started_at, last_seen_at) VALUES ('${alive}', 'h', 1, '${NOW()}', '${NOW()}')`,
              parameters: [],
            },
          ],
        });
        expect(await store.executions.releaseOrphans(NOW())).toBeGreaterThan(0);
        expect(await store.executions.find(orphan.id)).toMatchObject({
          lease: { owner: null, epoch: 1 },
          progress: { statusReason: HOLDER_LOST, runnableAt: expect.any(String) },
        });
        expect(await store.executions.find(kept?.id ?? '')).toMatchObject({ lease: { owner: alive } });
        expect(await store.executions.releaseOrphans(NOW())).toBe(0);
        expect(await store.executions.leasesOf(alive)).toEqual([
          { id: kept?.id, lease: { owner: alive, epoch: 1 } },
        ]);
      });
    });

    describe('long values', () => {
      const long = (size: number): string => 'x'.repeat(size);

      it('the journal stores long values outside its events, and the state of the execution refers to them', async () => {
        const input = { text: long(INLINE_LIMIT), more: [1, { a: null }] };
        const inserted = await store.insert({ input });
        const [held] = (await store.claims.claim(owner, NOW(), 1)).executions;
        if (held === undefined) throw new Error('The execution was not claimed.');
        batches.length = 0;
        await store.executions.advance(
          held,
          [started(), nodeComplete('a', long(20_000)), completed(long(30_000))],
          true,
        );
        const shown = batches[0]?.events.map(({ data }) => data) ?? [];
        expect(shown[1]).toMatchObject({
          output_truncated: true,
          output_url: `/v1/executions/${inserted.id}/events/3/output`,
        });
        expect(shown[2]).toMatchObject({
          output_truncated: true,
          output_url: `/v1/executions/${inserted.id}/events/4/output`,
        });
        expect(shown[1]).not.toHaveProperty('output');
        const { output } = fold(await events(inserted.id)).nodes.get('a') ?? {};
        if (!(output instanceof LongValue))
          throw new Error('The output is a plain value instead of a LongValue.');
        expect(output).toMatchObject({ place: { sequence: 3, field: 'output' }, size: 20_002, text: null });
        expect(await store.executions.findWhole(inserted.id)).toMatchObject({
          input,
          progress: { output: long(30_000) },
        });
        expect(await store.payloads.text(inserted.id, 3, 'output')).toBe(JSON.stringify(long(20_000)));
      });

      it.each([
        ['the maximum inline length', INLINE_LIMIT - 2, false],
        ['one character more than the inline limit', INLINE_LIMIT - 1, true],
      ] as const)(
        'the journal stores an input outside its event only if the input exceeds the inline limit: input of %s',
        async (_, size, isLong) => {
          const { id } = await store.insert({ input: long(size) });
          const [batch] = (await store.journalRepository.ofExecution(id, 0, 1)).batches;
          expect('input_truncated' in (batch?.events[0]?.data ?? {})).toBe(isLong);
          expect((await store.executions.findWhole(id))?.input).toBe(long(size));
        },
      );

      it.each<[string, Json]>([
        ['control characters', '\u0000\u0001\u001f'],
        ['lone surrogates', '\ud800 and \udfff'],
        [
          'keys with a special meaning in JavaScript',
          JSON.parse('{"__proto__":1,"constructor":{"prototype":2},"a.b":3,"":4}') as Json,
        ],
        [
          'characters with a meaning in PostgreSQL array literals',
          ['NULL', '{}', '","', '\\', '\\"', "'", ''],
        ],
        ['extreme numbers', [1e308, -0.1, 5e-324, 2 ** 53]],
        ['null', null],
      ])('the journal stores and returns %s unchanged', async (_, value) => {
        const held = await claimed();
        await store.executions.advance(held, [started(), nodeComplete('a', value), completed(value)], true);
        const whole = await events(held.id);
        expect(JSON.stringify(whole[2]?.data)).toContain(JSON.stringify(value));
        expect((await store.executions.findWhole(held.id))?.progress.output).toEqual(value);
      });
    });

    describe('journals of claimed executions', () => {
      const read = async (
        id: string,
        last: number,
        bodies: string | null = null,
      ): Promise<readonly JournalEvent[]> => {
        const all: JournalEvent[] = [];
        for await (const part of store.journalRepository.partsOfClaimed(id, last, bodies)) all.push(...part);
        return all;
      };

      it('the journal returns all events of an execution with 2, 3 or 42 events, including their long values', async () => {
        const ids: { readonly id: string; readonly last: number }[] = [];
        for (const length of [0, 1, 40]) {
          let held = await claimed();
          held = await store.executions.advance(held, [started()], false);
          for (let n = 0; n < length; n += 1)
            held = await store.executions.advance(
              held,
              [nodeComplete('a', n === 0 ? 'x'.repeat(INLINE_LIMIT) : n)],
              false,
            );
          ids.push({ id: held.id, last: held.progress.lastSequence });
        }
        const found = await Promise.all(ids.map(({ id, last }) => read(id, last)));
        expect(found.map(({ length }) => length)).toEqual([2, 3, 42]);
        expect(found).toEqual(await Promise.all(ids.map(({ id }) => events(id))));
      });

      it('a claim on PostgreSQL returns the stored events of a short execution, and later events are read separately', async () => {
        const held = await claimed();
        await store.executions.advance(held, [started()], false);
        await store.executions.handBack(held, NOW(), HANDED_OVER);
        const [again] = (await store.claims.claim(owner, NOW(), 64)).executions.filter(
          ({ id }) => id === held.id,
        );
        const bodies = again?.bodies ?? null;
        expect(bodies === null).toBe(kind.name === 'sqlite');
        if (bodies === null) return;
        const whole = await events(held.id);
        const query = vi.spyOn(store.dataSource, 'query');
        expect(await read(held.id, whole.length, bodies)).toEqual(whole);
        expect(query).not.toHaveBeenCalled();
        query.mockRestore();
        await store.executions.advance(again ?? held, [nodeComplete('a', 1)], false);
        expect(await read(held.id, whole.length + 1, bodies)).toEqual(await events(held.id));
      });

      it('one SQL statement reads the events of all short executions that are requested at the same time', async () => {
        const ids = (await Promise.all(Array.from({ length: 20 }, () => store.insert()))).map(({ id }) => id);
        const query = vi.spyOn(store.dataSource, 'query');
        const found = await Promise.all(ids.map((id) => read(id, 1)));
        expect(found.map((all) => all.map(({ type }) => type))).toEqual(ids.map(() => ['workflow.queued']));
        expect(query).toHaveBeenCalledTimes(1);
        query.mockRestore();
      });
    });

    describe('the feed', () => {
      it('an event feed returns batches in commit order, and can be resumed after any event', async () => {
        const projectId = newId();
        for (let n = 0; n < 5; n += 1) {
          await store.insert({ projectId });
          const [held] = (await store.claims.claim(owner, NOW(), 1)).executions;
          if (held !== undefined)
            await store.executions.advance(held, [started(), nodeComplete('a', n), completed(n)], true);
        }
        const all = (await store.journalRepository.feed({ projectIds: [projectId] }, START, 100)).batches;
        const places = all.flatMap((batch) => batch.events.map((_, index) => ({ batch, index })));
        expect(places).toHaveLength(20);
        expect(all.map(({ position }) => position)).toEqual(
          all.map(({ position }) => position).toSorted((a, b) => a - b),
        );
        expect(new Set(places.map(({ batch, index }) => envelopeOf(batch, index).id)).size).toBe(20);
        for (const [seen, { batch, index }] of places.entries()) {
          const cursor = decodeCursor(envelopeOf(batch, index).cursor);
          if (cursor === undefined) throw new Error('The cursor cannot be read.');
          const rest = (await store.journalRepository.feed({ projectIds: [projectId] }, cursor, 100)).batches;
          const after = rest
            .flatMap((next) => next.events.map((_, at) => ({ next, at })))
            .filter(({ next, at }) => isAfter(cursor, next.position, at));
          expect(after).toHaveLength(20 - seen - 1);
        }
      });

      it('an event feed returns only events of the requested projects, and no events if no project is requested', async () => {
        const { projectId } = await store.insert();
        expect((await store.journalRepository.feed({ projectIds: [] }, START, 10)).batches).toEqual([]);
        const own = (await store.journalRepository.feed({ projectIds: [projectId] }, START, 10)).batches;
        expect(own.map((batch) => batch.projectId)).toEqual([projectId]);
      });

      it('an event feed misses no batch that another process commits concurrently', async () => {
        const projectId = newId();
        const seen: number[] = [];
        let cursor = START;
        let writing = true;
        const reading = (async () => {
          for (let last = false; ; last = !writing) {
            const read = (await store.journalRepository.feed({ projectIds: [projectId] }, cursor, 1_000))
              .batches;
            seen.push(...read.map(({ position }) => position));
            const newest = read.at(-1);
            if (newest !== undefined) cursor = { position: newest.position, index: null };
            if (last && newest === undefined) return;
            await new Promise((resolve) => setImmediate(resolve));
          }
        })();
        for (let round = 0; round < 40; round += 1)
          await Promise.all(
            [store, other].flatMap((process) =>
              Array.from({ length: 5 }, () => process.insert({ projectId })),
            ),
          );
        writing = false;
        await reading;
        expect(seen).toHaveLength(400);
      });

      it('one read of an event feed ends with the batch that reaches 4 MiB', async () => {
        const projectId = newId();
        await store.insert({ projectId });
        const [held] = (await store.claims.claim(owner, NOW(), 1)).executions;
        if (held === undefined) throw new Error('No execution was claimed.');
        let execution = held;
        for (let batch = 0; batch < 3; batch += 1) {
          const large = Array.from({ length: 200 }, (_, n) =>
            nodeComplete(`${batch}-${n}`, 'x'.repeat(15_000)),
          );
          execution = await store.executions.advance(execution, large, false);
        }
        const filter = { projectIds: [projectId] };
        const first = await store.journalRepository.feed(filter, START, 100);
        expect(first.batches.map(({ firstSequence }) => firstSequence)).toEqual([1, 2, 202]);
        expect(first.hasMore).toBe(true);
        const position = first.batches.at(-1)?.position ?? 0;
        const rest = await store.journalRepository.feed(filter, { position, index: null }, 100);
        expect(rest.batches.map(({ firstSequence }) => firstSequence)).toEqual([402]);
        expect(rest.hasMore).toBe(false);
        const ofOne = await store.journalRepository.ofExecution(held.id, 0, 100);
        expect({ ...ofOne, batches: ofOne.batches.length }).toEqual({ batches: 3, hasMore: true });
        expect(await store.journalRepository.whole(held.id, 3)).toHaveLength(598);
        if (kind.name === 'sqlite') return;
        const before = (first.batches[0]?.position ?? 0) - 1;
        const followed = await store.journalRepository.after(before, 100, new Map());
        expect(followed.batches.map((batch) => batch.position)).toEqual(
          first.batches.map((batch) => batch.position),
        );
        expect(followed.hasMore).toBe(true);
      });

      it('a read of the events of one execution returns only the batches after the requested sequence number', async () => {
        const held = await claimed();
        let execution = held;
        for (const event of [started(), nodeComplete('a', 1), nodeComplete('b', 2)])
          execution = await store.executions.advance(execution, [event], false);
        expect((await store.journalRepository.ofExecution(held.id, 2, 10)).batches.map(lastSequence)).toEqual(
          [3, 4],
        );
        expect((await store.journalRepository.whole(held.id, 3)).map(({ nodeId }) => nodeId)).toEqual(['b']);
        expect((await store.journalRepository.ofExecution(held.id, 4, 10)).batches).toEqual([]);
      });
    });
  });

describe('cursors', () => {
  it.each([
    START,
    { position: 1, index: 0 },
    { position: 2 ** 40, index: 300 },
    { position: Number.MAX_SAFE_INTEGER, index: null },
  ])('the cursor %j is unchanged after encoding and decoding', (cursor) => {
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  });

  it.each(['', ' ', '1.', '.1', '-1', '1.2.3', 'A', '1'.repeat(12), 'zzzzzzzzzzz', '1.00000'])(
    'the text %j is refused as a cursor',
    (text) => {
      expect(decodeCursor(text)).toBeUndefined();
    },
  );
});

describe('event ids', () => {
  it('the ids of the events of a batch stay distinct even if the last digits of the batch id overflow', () => {
    const batch = {
      id: '0199c2a4-7f1e-7c3a-9f52-6d1bffffffff',
      events: [completed(1), completed(2)],
      firstSequence: 1,
    } as unknown as Batch;
    expect(envelopeOf({ ...batch, position: 1 }, 1).id).toBe('0199c2a4-7f1e-7c3a-9f52-6d1b00000000');
  });
});

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.skipIf(postgres === undefined)('a claim on PostgreSQL', () => {
  let database: TestDatabase;
  let store: ExecutionStore;

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    store = await ExecutionStore.open(database.settings);
  });

  afterAll(async () => {
    await store?.close();
    await database?.drop();
  });

  it('a claim on PostgreSQL skips executions whose rows are locked, and returns the time at which these executions are due', async () => {
    const [locked, free] = [await store.insert({ priority: 9 }), await store.insert()];
    const claim = (): ReturnType<typeof store.claims.claim> => store.claims.claim(newId(), NOW(), 5);
    const writing = store.dataSource.createQueryRunner();
    await writing.startTransaction();
    await writing.query('SELECT 1 FROM executions WHERE id = $1 FOR UPDATE', [locked.id]);
    const meanwhile = await claim();
    await writing.rollbackTransaction();
    await writing.release();
    expect(meanwhile.executions.map(({ id }) => id)).toEqual([free.id]);
    expect(meanwhile.nextAt).toBe(locked.progress.runnableAt);
    expect((await claim()).executions.map(({ id }) => id)).toEqual([locked.id]);
  });
});
