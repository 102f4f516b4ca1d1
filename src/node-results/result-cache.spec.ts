import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import type { RunnerOutcome } from '../execution-runner/index.js';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import type { CachedResult } from './recent-results.js';
import { ResultCache, type WantedResult } from './result-cache.js';
import type { StoredResult } from './result.repository.js';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;
const LIVE = new AbortController().signal;

const ok = (output: RecordedValue): RunnerOutcome => ({ kind: 'output', output, cached: false });
const reused = (output: RecordedValue): RunnerOutcome => ({ kind: 'output', output, cached: true });
const FAILURE: RunnerOutcome = {
  kind: 'failure',
  error: { code: 'node_error', message: 'No.' },
  retryable: false,
};

class World {
  readonly clock = new ManualClock(START);
  stored: StoredResult | undefined;
  /** Whether another live process holds the claim, so that this process cannot claim the computation. */
  isHeld = false;
  error: Error | null = null;
  /** Called after each refused claim, to simulate what the other process does meanwhile. */
  onRefusal: () => void = () => undefined;
  readonly log: string[] = [];
  readonly kept: { readonly result: CachedResult; readonly text: string }[] = [];

  readonly cache = new ResultCache(
    {
      find: () => this.answer('find', this.stored),
      claim: async (key, _project, holder, since, now) => {
        await this.answer(`claim ${key} for ${holder} since ${(now - since) / SECOND} s`, undefined);
        const isRefused = this.isHeld;
        if (isRefused) this.onRefusal();
        return !isRefused;
      },
      release: (key, holder) => this.answer(`release ${key} of ${holder}`, undefined),
      keep: (_key, _project, result, text) => {
        this.kept.push({ result, text });
        return this.answer('keep', undefined);
      },
    },
    { id: 'this-process' },
    this.clock,
    { RETENTION_DAYS: 2 },
  );

  reuse(
    compute: () => RunnerOutcome | Promise<RunnerOutcome>,
    own: Partial<WantedResult> = {},
    signal = LIVE,
  ): Promise<RunnerOutcome> {
    return this.cache.reuse(wanted(own), signal, async () => {
      this.log.push('compute');
      return compute();
    });
  }

  get computations(): number {
    return this.log.filter((line) => line === 'compute').length;
  }

  private async answer<T>(line: string, result: T): Promise<T> {
    this.log.push(line);
    if (this.error !== null) throw this.error;
    return result;
  }
}

function wanted(own: Partial<WantedResult> = {}): WantedResult {
  return { key: 'key', projectId: 'project', maxAgeMs: 60 * SECOND, ...own };
}

function storedResult(output: RecordedValue, ageMs = 0): StoredResult {
  return { output, size: 1, computedAt: START - ageMs, expiresAt: START + 60 * SECOND };
}

let world: World;
let warnings: () => number;
beforeEach(() => {
  const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  warnings = () => warned.mock.calls.length;
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('ResultCache for a single node', () => {
  it('the result cache computes and stores a missing result', async () => {
    expect(await world.reuse(() => ok({ n: 1 }))).toEqual(ok({ n: 1 }));
    expect(world.log).toEqual(['find', 'claim key for this-process since 60 s', 'compute', 'keep']);
    expect(world.kept).toEqual([
      {
        result: { output: { n: 1 }, computedAt: START, expiresAt: START + 60 * SECOND },
        text: '{"n":1}',
      },
    ]);
  });

  it('the result cache reads a stored result from the database only once', async () => {
    world.stored = storedResult('stored');
    expect(await world.reuse(() => ok('computed'))).toEqual(reused('stored'));
    expect(world.log).toEqual(['find']);
    expect(world.cache.peek(wanted())?.output).toBe('stored');
  });

  it('the result cache replaces a stored result that has reached the maximum age that the node accepts', async () => {
    world.stored = storedResult('stored', 30 * SECOND);
    expect(await world.reuse(() => ok('computed'), { maxAgeMs: 30 * SECOND })).toEqual(ok('computed'));
    expect(await world.reuse(() => ok('again'), { key: 'other', maxAgeMs: 30 * SECOND + 1 })).toEqual(
      reused('stored'),
    );
  });

  it('the result cache stores a result for at most RETENTION_DAYS', async () => {
    await world.reuse(() => ok(1), { maxAgeMs: 30 * DAY });
    expect(world.kept[0]?.result.expiresAt).toBe(START + 2 * DAY);
  });

  it.each<[string, RunnerOutcome]>([
    ['fails', FAILURE],
    ['is interrupted', { kind: 'interrupted' }],
  ])(
    'the result cache releases its claim on a result and stores nothing if the attempt %s',
    async (_, outcome) => {
      expect(await world.reuse(() => outcome)).toBe(outcome);
      expect(world.log.slice(-2)).toEqual(['compute', 'release key of this-process']);
      expect([world.kept, world.cache.peek(wanted())]).toEqual([[], undefined]);
    },
  );
});

describe('ResultCache in memory', () => {
  beforeEach(() => world.reuse(() => ok('computed')));

  it.each([
    ['finds a result younger than the maximum age that the node accepts', 29, 30, 'computed'],
    ['does not find a result as old as the maximum age that the node accepts', 30, 30, undefined],
    ['does not find an expired result', 60, 600, undefined],
  ])('the in-memory lookup of the result cache %s', (_, second, maxAge, output) => {
    world.clock.advance(second * SECOND);
    expect(world.cache.peek(wanted({ maxAgeMs: maxAge * SECOND }))?.output).toBe(output);
  });

  it('the in-memory lookup of the result cache does not find a result under another key', () => {
    expect(world.cache.peek(wanted({ key: 'other' }))).toBeUndefined();
  });

  it('the in-memory lookup of the result cache finds a long text after the text was written to storage', async () => {
    const long = LongValue.ofText('"long"');
    await world.reuse(() => ok(long), { key: 'long' });
    long.markStored({ executionId: 'e', sequence: 2, field: 'output' });
    const known = world.cache.peek(wanted({ key: 'long' }));
    expect(known?.output).not.toBe(long);
    expect(known?.output).toMatchObject({ text: '"long"' });
  });
});

describe('ResultCache for nodes with the same key', () => {
  it('concurrent nodes with equal cache keys share one computation of a result', async () => {
    const gate = Promise.withResolvers<RunnerOutcome>();
    const outcomes = [1, 2, 3].map(() => world.reuse(() => gate.promise));
    await endOfTurn();
    gate.resolve(ok('once'));
    expect(await Promise.all(outcomes)).toEqual([ok('once'), reused('once'), reused('once')]);
    expect(world.computations).toBe(1);
  });

  it('concurrent nodes with different cache keys compute separate results', async () => {
    await Promise.all(['a', 'b'].map((key) => world.reuse(() => ok(key), { key })));
    expect(world.computations).toBe(2);
  });

  it('if computing a cached result fails, the waiting nodes compute it one at a time until one succeeds', async () => {
    const turns = [FAILURE, ok('second'), ok('never')];
    const outcomes = await Promise.all([1, 2, 3].map(() => world.reuse(() => turns.shift() ?? FAILURE)));
    expect(outcomes).toEqual([FAILURE, ok('second'), reused('second')]);
  });

  it('a node that waits for the result of an equal node computes its own result when the waiting attempt is aborted', async () => {
    const gate = Promise.withResolvers<RunnerOutcome>();
    const leader = world.reuse(() => gate.promise);
    const controller = new AbortController();
    const follower = world.reuse(() => FAILURE, {}, controller.signal);
    await endOfTurn();
    expect(world.computations).toBe(1);
    controller.abort();
    expect(await follower).toBe(FAILURE);
    gate.resolve(ok('led'));
    expect(await leader).toEqual(ok('led'));
  });

  it('a node that waits for the result of an equal node computes its own result if the other result is too old', async () => {
    const gate = Promise.withResolvers<RunnerOutcome>();
    const leader = world.reuse(() => gate.promise);
    const follower = world.reuse(() => ok('own'), { maxAgeMs: 0 });
    await endOfTurn();
    gate.resolve(ok('led'));
    expect(await Promise.all([leader, follower])).toEqual([ok('led'), ok('own')]);
  });

  it('a node waits at most 15 seconds in total for results of equal nodes, then computes the result itself', async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<RunnerOutcome>());
    const outcomes = gates.map(({ promise }) => world.reuse(() => promise));
    await endOfTurn();
    world.clock.advance(15 * SECOND + 1);
    gates[0]?.resolve(FAILURE);
    await endOfTurn();
    // The third node waits at most 15 seconds in total. Then it computes the result itself instead of waiting for the
    // second node.
    expect(world.computations).toBe(3);
    gates[1]?.resolve(FAILURE);
    gates[2]?.resolve(ok('alone'));
    expect(await Promise.all(outcomes)).toEqual([FAILURE, FAILURE, ok('alone')]);
  });
});

describe('ResultCache with a node that does not end', () => {
  it('a node that waits for an equal node that does not end computes its own result after 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    void world.reuse(() => new Promise<RunnerOutcome>(() => undefined));
    const follower = world.reuse(() => ok('own'));
    await vi.advanceTimersByTimeAsync(15 * SECOND - 1);
    expect(world.computations).toBe(1);
    world.clock.advance(15 * SECOND);
    await vi.advanceTimersByTimeAsync(1);
    expect(await follower).toEqual(ok('own'));
  });
});

describe('ResultCache with several processes', () => {
  beforeEach(() => {
    world.isHeld = true;
  });

  it('the result cache returns the stored result of another process', async () => {
    world.onRefusal = () => (world.stored = storedResult('theirs'));
    expect(await world.reuse(() => ok('mine'))).toEqual(reused('theirs'));
    expect(world.computations).toBe(0);
  });

  it('after another process has released its claim on a result, the result cache computes the result', async () => {
    world.onRefusal = () => (world.isHeld = false);
    expect(await world.reuse(() => ok('mine'))).toEqual(ok('mine'));
    expect(world.log.filter((line) => line.startsWith('claim'))).toHaveLength(2);
  });

  it('the result cache computes a result after waiting 15 seconds for another process', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    world.onRefusal = () => vi.advanceTimersByTime(15 * SECOND + 1);
    expect(await world.reuse(() => FAILURE)).toBe(FAILURE);
    expect(world.log).toEqual(['find', 'claim key for this-process since 60 s', 'compute']);
  });

  it('the result cache stops waiting for another process when the attempt is aborted', async () => {
    const ended = AbortSignal.abort();
    expect(await world.reuse(() => ok('mine'), {}, ended)).toEqual(ok('mine'));
    expect(world.log.filter((line) => line.startsWith('claim'))).toHaveLength(1);
  });
});

describe('ResultCache without a database', () => {
  beforeEach(() => {
    world.error = new Error('The database is unavailable.');
  });

  it('the result cache runs the node while the database is unavailable', async () => {
    expect(await world.reuse(() => ok('computed'))).toEqual(ok('computed'));
    await endOfTurn();
    expect(world.cache.peek(wanted())?.output).toBe('computed');
    // The two warnings are about the failed read and the failed write in the database.
    expect(warnings()).toBe(2);
  });

  it('while the database is unavailable, the result cache neither makes nor releases a claim on a result', async () => {
    expect(await world.reuse(() => FAILURE)).toBe(FAILURE);
    expect(world.log).toEqual(['find', 'compute']);
  });

  it('an attempt returns its own outcome if the result cache cannot release the claim of the attempt', async () => {
    world.error = null;
    const outcome = await world.reuse(() => {
      world.error = new Error('The database is unavailable.');
      return FAILURE;
    });
    await endOfTurn();
    expect([outcome, warnings()]).toEqual([FAILURE, 1]);
  });
});
