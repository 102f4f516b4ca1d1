import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { InProcessDispatcher } from '../../src/execution-runner/dispatch/in-process.dispatcher.js';
import { ProjectTurns } from '../../src/execution-runner/dispatch/project-turns.js';
import { NoWorkNotifier } from '../../src/execution-runner/dispatch/work-notifier.ts';
import type { ClaimsRepository } from '../../src/execution-runner/dispatch/claims.repository.js';
import type { Dispatcher, Slot } from '../../src/execution-runner/dispatch/dispatcher.js';
import { type Execution, NOT_STARTED } from '../../src/execution-store/execution.js';
import { RunMemory } from '../../src/execution-runner/index.js';
import { newId, systemClock } from '../../src/platform/index.js';
import { readSettings } from '../../src/settings/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore, newExecution } from '../support/execution-store.js';
import { until } from '../support/until.js';
import { type DispatcherHarness, dispatcherContract } from './dispatcher.contract.js';

// Silences the logger, because the service logs the failed claims of these tests.
Logger.overrideLogger(false);

const ROOM = 2;

/** Replaces the code that runs executions. Each execution runs until the test calls `end`. */
class Runs {
  readonly running: string[] = [];
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (end: { readonly wakeAt: number | null }) => void>();

  run({ id }: Execution): Promise<{ readonly wakeAt: number | null }> {
    this.begun.push(id);
    this.running.push(id);
    return new Promise((resolve) => this.ends.set(id, resolve));
  }

  end(id: string, wakeAt: number | null = null): void {
    this.running.splice(this.running.indexOf(id), 1);
    this.ends.get(id)?.({ wakeAt });
  }
}

for (const kind of await databaseKinds())
  describe(`the in-process dispatcher on ${kind.name}`, () => {
    const closing: (() => Promise<unknown>)[] = [];

    afterEach(async () => {
      for (const close of closing.splice(0).toReversed()) await close();
    });

    async function open(room = ROOM): Promise<
      DispatcherHarness & {
        readonly store: ExecutionStore;
        readonly runs: Runs;
        readonly dispatcher: InProcessDispatcher;
        readonly memory: RunMemory;
      }
    > {
      const database: TestDatabase = await kind.create();
      closing.push(database.drop);
      const store = await ExecutionStore.open(database.settings);
      closing.push(() => store.close());
      const runs = new Runs();
      const settings = readSettings({ RUN_CONCURRENCY: String(room) });
      const memory = new RunMemory({ PROCESS_MAX_BYTES: 1_000 });
      const dispatcher = new InProcessDispatcher(
        store.claims,
        runs,
        { id: newId() },
        new NoWorkNotifier(),
        settings,
        systemClock,
        memory,
      );
      await dispatcher.start();
      closing.push(() => dispatcher.stop());
      return {
        dispatcher,
        memory,
        room,
        store,
        runs,
        insert: (wanted) => store.insert(wanted),
        running: runs.running,
        begun: runs.begun,
        end: (id) => runs.end(id),
        until: async (condition) => void (await until('the dispatcher', condition)),
        settle: () => pause(60),
      };
    }

    dispatcherContract(open);

    it('a dispatcher with one slot runs one execution at a time, regardless of priorities', async () => {
      const { dispatcher, insert, running, begun, end } = await open(1);
      for (const priority of [1, 2, 3, 4]) await insert({ priority });
      dispatcher.wake();
      for (let count = 1; count <= 4; count += 1) {
        await until('the started executions', () => begun.length === count);
        await pause(30);
        expect(running).toHaveLength(1);
        end(running[0] ?? '');
      }
    });

    it('the dispatcher does not reserve its only slot for a new start while it claims a queued execution', async () => {
      const { dispatcher, insert, running, runs } = await open(1);
      await until('the end of all free slots', () => dispatcher.reserve()?.free() === undefined);
      await insert();
      dispatcher.wake();
      const slots = [];
      for (let turn = 0; turn < 20 && running.length === 0; turn += 1) {
        slots.push(dispatcher.reserve());
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until('one running execution', () => running.length === 1);
      expect(slots.filter((slot) => slot !== null)).toEqual([]);
      runs.end(running[0] ?? '');
    });

    it('the dispatcher starts no execution while running executions have reserved the maximum memory', async () => {
      const { dispatcher, insert, running, memory } = await open(3);
      await until('the end of all free slots', () => dispatcher.reserve()?.free() === undefined);
      memory.hold(1_000);
      await insert();
      dispatcher.wake();
      expect(dispatcher.reserve()).toBeNull();
      await pause(30);
      expect(running).toHaveLength(0);
      memory.hold(-1);
      await until('one running execution', () => running.length === 1);
    });

    it('the dispatcher claims only as many executions as it has free slots, and leaves the rest unclaimed', async () => {
      const { dispatcher, insert, store, running } = await open(3);
      for (let n = 0; n < 30; n += 1) await insert();
      dispatcher.wake();
      await until('three running executions', () => running.length === 3);
      await pause(50);
      const [row] = await store.dataSource.query<{ n: number | string }[]>(
        'SELECT count(*) AS n FROM executions WHERE lease_owner IS NOT NULL',
      );
      expect(Number(row?.n)).toBe(3);
    });

    it('the dispatcher claims five executions of a project despite the backlog of two thousand executions of another project', async () => {
      const { store } = await open();
      const [crowd, few] = [newId(), newId()];
      const at = new Date(Date.now() + 3_600_000).toISOString();
      // Adds 50 projects without due executions, which are more projects than one claim considers.
      for (let n = 0; n < 50; n += 1) await store.insert({ runnableAt: newInstant(at, 3_600_000) });
      await Promise.all(
        Array.from({ length: 2_000 }, () => store.insert({ projectId: crowd, priority: 9, runnableAt: at })),
      );
      const wanted = await Promise.all(
        Array.from({ length: 5 }, () => store.insert({ projectId: few, runnableAt: at })),
      );
      const turns = new ProjectTurns();
      const claimed: string[] = [];
      // Simulates one slot that becomes free 20 times.
      for (let claims = 0; claims < 20; claims += 1)
        for (const { id } of (await store.claims.claim(newId(), at, 1, turns)).executions) claimed.push(id);
      expect(claimed).toHaveLength(20);
      expect(claimed).toEqual(expect.arrayContaining(wanted.map(({ id }) => id)));
      // Only the project with the backlog still has runnable executions, so this project gets every slot.
      expect((await store.claims.claim(newId(), at, 64, turns)).executions).toHaveLength(64);
    });

    it('the dispatcher runs an execution again at the wake-up time that the last run of the execution returned', async () => {
      const { dispatcher, insert, running, begun, runs, store } = await open();
      const { id } = await insert();
      dispatcher.wake();
      await until('one running execution', () => running.length === 1);
      const at = Date.now() + 100;
      await store.executions.handBack(
        { id, lease: { owner: null, epoch: 1 } },
        new Date(at).toISOString(),
        'service_fault',
      );
      runs.end(id, at);
      await until('two started executions', () => begun.length === 2);
      expect(Date.now()).toBeGreaterThanOrEqual(at);
    });

    it('the dispatcher claims again after the database rejected a claim', async () => {
      const { dispatcher, insert, begun, store } = await open();
      const { claims } = store;
      const claim = claims.claim.bind(claims);
      let refusals = 1;
      (claims as { claim: ClaimsRepository['claim'] }).claim = (...wanted) =>
        refusals-- > 0 ? Promise.reject(new Error('away')) : claim(...wanted);
      const ids = [await insert(), await insert(), await insert()].map(({ id }) => id);
      dispatcher.wake();
      await until('started executions in all slots', () => begun.length === ROOM);
      expect(ids).toEqual(expect.arrayContaining([...begun]));
      expect(begun).toHaveLength(ROOM);
    });

    it('a new execution runs in its reserved slot after its first commit, and keeps the slot until the execution ends', async () => {
      const { dispatcher, running, runs } = await open(1);
      const slot = await reserved(dispatcher);
      const execution = anExecution('queued');
      expect(running).toEqual([]);
      slot.occupy(runs.run(execution));
      expect(running).toEqual([execution.id]);
      expect(dispatcher.reserve()).toBeNull();
      runs.end(execution.id);
      (await reserved(dispatcher)).free();
    });

    it('a dispatcher stops only after all reserved slots are released, and a stopped dispatcher claims no execution', async () => {
      const { dispatcher, insert, begun } = await open();
      const slot = await reserved(dispatcher);
      let isStopped = false;
      const stopping = dispatcher.stop().then(() => (isStopped = true));
      await pause(30);
      expect(isStopped).toBe(false);
      slot.free();
      await stopping;
      expect(dispatcher.reserve()).toBeNull();
      await insert();
      dispatcher.wake();
      await pause(50);
      expect(begun).toEqual([]);
    });
  });

/** Returns the time `at` plus the given milliseconds, in ISO 8601. */
function newInstant(at: string, laterMs: number): string {
  return new Date(Date.parse(at) + laterMs).toISOString();
}

function reserved(dispatcher: Dispatcher): Promise<Slot> {
  return until('a free slot', () => dispatcher.reserve() ?? undefined);
}

function anExecution(status: Execution['progress']['status']): Execution {
  return newExecution({ progress: { ...NOT_STARTED, status }, lease: { owner: null, epoch: 1 } });
}
