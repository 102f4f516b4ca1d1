import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/expressions/index.js';
import type { RunnerOutcome } from '../../src/execution-runner/run-loop/node-runner.js';
import { InstanceRepository } from '../../src/instances/index.js';
import { ResultCache, type WantedResult } from '../../src/node-results/result-cache.js';
import { ResultRepository } from '../../src/node-results/result.repository.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';
import { ManualClock } from '../support/manual-clock.js';

// Silences the logger, because the result cache logs its failures.
Logger.overrideLogger(false);

const LIVE = new AbortController().signal;
const ok = (output: Json): RunnerOutcome => ({ kind: 'output', output, cached: false });
const FAILURE: RunnerOutcome = {
  kind: 'failure',
  error: { code: 'node_error', message: 'No.' },
  retryable: false,
};

for (const kind of await databaseKinds())
  describe(`the result cache on ${kind.name}`, () => {
    const clock = new ManualClock();
    const projectId = newId();
    let database: TestDatabase;
    let store: ExecutionStore;
    let repository: ResultRepository;
    let instances: InstanceRepository;

    beforeEach(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      repository = new ResultRepository(store.dataSource, kind.name, store.writer);
      instances = new InstanceRepository(store.dataSource, kind.name, store.writer);
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    /** Registers a new process as an instance, and creates its result cache. */
    async function process(): Promise<{ readonly cache: ResultCache; readonly id: string }> {
      const id = newId();
      await instances.register({ id, host: 'here', pid: 1, role: 'all', version: null });
      return {
        id,
        cache: new ResultCache(repository, { id }, clock, { RETENTION_DAYS: 2 }),
      };
    }
    const wanted = (maxAgeMs = 60_000, key = 'key'): WantedResult => ({ key, projectId, maxAgeMs });

    it('the result cache returns a result that another process computed', async () => {
      const [one, other] = [await process(), await process()];
      expect(await one.cache.reuse(wanted(), LIVE, async () => ok({ n: [1, null] }))).toEqual(
        ok({ n: [1, null] }),
      );
      expect(await other.cache.reuse(wanted(), LIVE, async () => ok('again'))).toEqual({
        ...ok({ n: [1, null] }),
        cached: true,
      });
      expect(other.cache.peek(wanted())?.output).toEqual({ n: [1, null] });
    });

    it('a cached result expires after the shorter of the maximum ages of the storing node and the requesting node', async () => {
      const { cache } = await process();
      const ask = async (maxAgeMs: number, output: string): Promise<Json> => {
        const outcome = await cache.reuse(wanted(maxAgeMs), LIVE, async () => ok(output));
        await store.writer.drain();
        return outcome.kind === 'output' ? (outcome.output as Json) : null;
      };
      expect(await ask(60_000, 'first')).toBe('first');
      clock.advance(10_000);
      expect(await ask(60_000, 'second')).toBe('first');
      expect(await ask(10_000, 'third')).toBe('third');
      clock.advance(10_000);
      expect(cache.peek(wanted())).toBeUndefined();
      expect(await ask(60_000, 'fourth')).toBe('fourth');
    });

    it('a result that several processes request at the same time is computed only once', async () => {
      const all = [await process(), await process(), await process()];
      let computed = 0;
      const outcomes = await Promise.all(
        [...all, ...all, ...all].map(({ cache }) =>
          cache.reuse(wanted(), LIVE, async () => {
            computed += 1;
            await new Promise((resolve) => setTimeout(resolve, 50));
            return ok('once');
          }),
        ),
      );
      expect(computed).toBe(1);
      expect(outcomes.filter((outcome) => outcome.kind === 'output' && outcome.cached)).toHaveLength(8);
    });

    it('the result cache stores no failure: after a failed computation, the next waiting request computes the result', async () => {
      const [one, other] = [await process(), await process()];
      const turns: RunnerOutcome[] = [FAILURE, FAILURE, ok('in the end'), ok('never')];
      const ask = ({ cache }: { readonly cache: ResultCache }): Promise<RunnerOutcome> =>
        cache.reuse(wanted(), LIVE, async () => turns.shift() ?? FAILURE);
      const outcomes = await Promise.all([ask(one), ask(one), ask(other), ask(other)]);
      expect(outcomes.filter((outcome) => outcome.kind === 'failure')).toHaveLength(2);
      expect(outcomes.filter((outcome) => outcome.kind === 'output' && outcome.cached)).toHaveLength(1);
      expect(turns).toEqual([ok('never')]);
    });

    it('after a slow computation of a result fails, all waiting requests compute the result concurrently', async () => {
      const { cache } = await process();
      const begun: number[] = [];
      const gates = Array.from({ length: 3 }, () => Promise.withResolvers<RunnerOutcome>());
      const outcomes = gates.map(({ promise }, n) =>
        cache.reuse(wanted(), LIVE, () => {
          begun.push(n);
          return promise;
        }),
      );
      await expect.poll(() => begun).toEqual([0]);
      clock.advance(30_000);
      gates[0]?.resolve(FAILURE);
      await expect.poll(() => begun.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
      gates[1]?.resolve(FAILURE);
      gates[2]?.resolve(ok('alone'));
      expect(await Promise.all(outcomes)).toEqual([FAILURE, FAILURE, ok('alone')]);
    });

    it('a process takes over the computation of a result when the computing process dies', async () => {
      const [dead, alive] = [await process(), await process()];
      expect(await repository.claim('key', projectId, dead.id, 0, clock.now())).toBe(true);
      expect(await repository.claim('key', projectId, alive.id, 0, clock.now())).toBe(false);
      await instances.remove([dead.id]);
      expect(await alive.cache.reuse(wanted(), LIVE, async () => ok('taken over'))).toEqual(ok('taken over'));
    });

    it('a node waits for a result from another process at most until its own attempt times out', async () => {
      const [holder, waiting] = [await process(), await process()];
      await repository.claim('key', projectId, holder.id, 0, clock.now());
      const ended = AbortSignal.timeout(50);
      expect(await waiting.cache.reuse(wanted(), ended, async () => ok('alone'))).toEqual(ok('alone'));
    });

    it('a node runs uncached if the database rejects the queries of the result cache', async () => {
      const { cache } = await process();
      await store.dataSource.query('DROP TABLE results');
      expect(await cache.reuse(wanted(), LIVE, async () => ok('run'))).toEqual(ok('run'));
      expect(await cache.reuse(wanted(60_000, 'other'), LIVE, async () => FAILURE)).toEqual(FAILURE);
      await store.writer.drain();
    });

    it('the result cache keeps no result longer than the retention period of executions', async () => {
      const { cache } = await process();
      const day = 24 * 3_600_000;
      await cache.reuse(wanted(365 * day), LIVE, async () => ok('old'));
      await store.writer.drain();
      clock.advance(2 * day - 1);
      expect(cache.peek(wanted(365 * day))?.output).toBe('old');
      clock.advance(1);
      expect(await cache.reuse(wanted(365 * day), LIVE, async () => ok('new'))).toEqual(ok('new'));
      await store.writer.drain();
      clock.advance(2 * day);
      expect(await repository.removeExpired(clock.now(), 10)).toBe(1);
    });

    it('the cleanup of the result cache deletes expired results, and keeps claims of results that are being computed', async () => {
      const { cache, id } = await process();
      for (const key of ['a', 'b', 'c']) await cache.reuse(wanted(1_000, key), LIVE, async () => ok(key));
      await cache.reuse(wanted(60_000, 'later'), LIVE, async () => ok('later'));
      await store.writer.drain();
      clock.advance(2_000);
      await repository.claim('claimed', projectId, id, 0, clock.now());
      expect(await repository.removeExpired(clock.now(), 2)).toBe(2);
      expect(await repository.removeExpired(clock.now(), 2)).toBe(1);
      expect(await repository.removeExpired(clock.now(), 2)).toBe(0);
      const left = await store.dataSource.query<{ id: string }[]>('SELECT id FROM results ORDER BY id');
      expect(left.map((row) => row.id)).toEqual(['claimed', 'later']);
    });
  });
