import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import type { RunnerOutcome } from '../execution-runner/index.js';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import type { KeptResult } from './recent-results.js';
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

/** The cache of one process, and the database behind it. */
class World {
  readonly clock = new ManualClock(START);
  stored: StoredResult | undefined;
  /** Whether another live process holds the claim. */
  isHeld = false;
  /** What every statement rejects with. */
  error: Error | null = null;
  /** Called after each refused claim, as another process may then have kept its result. */
  onRefusal: () => void = () => undefined;
  readonly log: string[] = [];
  readonly kept: { readonly result: KeptResult; readonly text: string }[] = [];

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

describe('a node that wants a result', () => {
  it('computes and keeps it when there is none', async () => {
    expect(await world.reuse(() => ok({ n: 1 }))).toEqual(ok({ n: 1 }));
    expect(world.log).toEqual(['find', 'claim key for this-process since 60 s', 'compute', 'keep']);
    expect(world.kept).toEqual([
      {
        result: { output: { n: 1 }, computedAt: START, expiresAt: START + 60 * SECOND },
        text: '{"n":1}',
      },
    ]);
  });

  it('uses a stored result without a claim, and from memory afterwards', async () => {
    world.stored = storedResult('stored');
    expect(await world.reuse(() => ok('computed'))).toEqual(reused('stored'));
    expect(world.log).toEqual(['find']);
    expect(world.cache.peek(wanted())?.output).toBe('stored');
  });

  it('computes it again when the stored result is too old for the node', async () => {
    world.stored = storedResult('stored', 30 * SECOND);
    expect(await world.reuse(() => ok('computed'), { maxAgeMs: 30 * SECOND })).toEqual(ok('computed'));
    expect(await world.reuse(() => ok('again'), { key: 'other', maxAgeMs: 30 * SECOND + 1 })).toEqual(
      reused('stored'),
    );
  });

  it('keeps it no longer than executions are retained', async () => {
    await world.reuse(() => ok(1), { maxAgeMs: 30 * DAY });
    expect(world.kept[0]?.result.expiresAt).toBe(START + 2 * DAY);
  });

  it.each<[string, RunnerOutcome]>([
    ['fails', FAILURE],
    ['is interrupted', { kind: 'interrupted' }],
  ])('releases its claim and keeps nothing when its attempt %s', async (_, outcome) => {
    expect(await world.reuse(() => outcome)).toBe(outcome);
    expect(world.log.slice(-2)).toEqual(['compute', 'release key of this-process']);
    expect([world.kept, world.cache.peek(wanted())]).toEqual([[], undefined]);
  });
});

describe('a result in memory', () => {
  beforeEach(() => world.reuse(() => ok('computed')));

  it.each([
    ['is found while it is younger than the node accepts', 29, 30, 'computed'],
    ['is not found when it is as old as the node accepts', 30, 30, undefined],
    ['is not found when it has expired', 60, 600, undefined],
  ])('%s', (_, second, maxAge, output) => {
    world.clock.advance(second * SECOND);
    expect(world.cache.peek(wanted({ maxAgeMs: maxAge * SECOND }))?.output).toBe(output);
  });

  it('is not found under another key', () => {
    expect(world.cache.peek(wanted({ key: 'other' }))).toBeUndefined();
  });

  it('keeps the text of a long value after the execution that computed it stored its own', async () => {
    const long = LongValue.ofText('"long"');
    await world.reuse(() => ok(long), { key: 'long' });
    long.markStored({ executionId: 'e', sequence: 2, field: 'output' });
    const known = world.cache.peek(wanted({ key: 'long' }));
    expect(known?.output).not.toBe(long);
    expect(known?.output).toMatchObject({ text: '"long"' });
  });
});

describe('several nodes that want one result at once', () => {
  it('share one computation', async () => {
    const gate = Promise.withResolvers<RunnerOutcome>();
    const outcomes = [1, 2, 3].map(() => world.reuse(() => gate.promise));
    await endOfTurn();
    gate.resolve(ok('once'));
    expect(await Promise.all(outcomes)).toEqual([ok('once'), reused('once'), reused('once')]);
    expect(world.computations).toBe(1);
  });

  it('do not share the computations of different keys', async () => {
    await Promise.all(['a', 'b'].map((key) => world.reuse(() => ok(key), { key })));
    expect(world.computations).toBe(2);
  });

  it('try one after the other while attempts fail', async () => {
    const turns = [FAILURE, ok('second'), ok('never')];
    const outcomes = await Promise.all([1, 2, 3].map(() => world.reuse(() => turns.shift() ?? FAILURE)));
    expect(outcomes).toEqual([FAILURE, ok('second'), reused('second')]);
  });

  it('compute for themselves when their attempt ends during the wait', async () => {
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

  it('compute for themselves when the shared result is too old for them by then', async () => {
    const gate = Promise.withResolvers<RunnerOutcome>();
    const leader = world.reuse(() => gate.promise);
    const follower = world.reuse(() => ok('own'), { maxAgeMs: 0 });
    await endOfTurn();
    gate.resolve(ok('led'));
    expect(await Promise.all([leader, follower])).toEqual([ok('led'), ok('own')]);
  });

  it('stop waiting in turn after 15 seconds', async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<RunnerOutcome>());
    const outcomes = gates.map(({ promise }) => world.reuse(() => promise));
    await endOfTurn();
    world.clock.advance(15 * SECOND + 1);
    gates[0]?.resolve(FAILURE);
    await endOfTurn();
    // The second leads now; the third no longer waits for it.
    expect(world.computations).toBe(3);
    gates[1]?.resolve(FAILURE);
    gates[2]?.resolve(ok('alone'));
    expect(await Promise.all(outcomes)).toEqual([FAILURE, FAILURE, ok('alone')]);
  });
});

describe('a result that another process computes', () => {
  beforeEach(() => {
    world.isHeld = true;
  });

  it('is used once that process has kept it', async () => {
    world.onRefusal = () => (world.stored = storedResult('theirs'));
    expect(await world.reuse(() => ok('mine'))).toEqual(reused('theirs'));
    expect(world.computations).toBe(0);
  });

  it('is computed by this process once the claim is free', async () => {
    world.onRefusal = () => (world.isHeld = false);
    expect(await world.reuse(() => ok('mine'))).toEqual(ok('mine'));
    expect(world.log.filter((line) => line.startsWith('claim'))).toHaveLength(2);
  });

  it('is computed without a claim, and without its release, after 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    world.onRefusal = () => vi.advanceTimersByTime(15 * SECOND + 1);
    expect(await world.reuse(() => FAILURE)).toBe(FAILURE);
    expect(world.log).toEqual(['find', 'claim key for this-process since 60 s', 'compute']);
  });

  it('is not waited for when the attempt has ended', async () => {
    const ended = AbortSignal.abort();
    expect(await world.reuse(() => ok('mine'), {}, ended)).toEqual(ok('mine'));
    expect(world.log.filter((line) => line.startsWith('claim'))).toHaveLength(1);
  });
});

describe('a database that is unavailable', () => {
  beforeEach(() => {
    world.error = new Error('The database is unavailable.');
  });

  it('does not keep the node from running, nor its result from memory', async () => {
    expect(await world.reuse(() => ok('computed'))).toEqual(ok('computed'));
    await endOfTurn();
    expect(world.cache.peek(wanted())?.output).toBe('computed');
    // One for the lookup, one for the result that could not be kept.
    expect(warnings()).toBe(2);
  });

  it('leaves no claim to release when the attempt fails', async () => {
    expect(await world.reuse(() => FAILURE)).toBe(FAILURE);
    expect(world.log).toEqual(['find', 'compute']);
  });

  it('does not fail an attempt whose claim cannot be released', async () => {
    world.error = null;
    const outcome = await world.reuse(() => {
      world.error = new Error('The database is unavailable.');
      return FAILURE;
    });
    await endOfTurn();
    expect([outcome, warnings()]).toEqual([FAILURE, 1]);
  });
});
