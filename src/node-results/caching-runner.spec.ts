import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { newExecution } from '../../test/support/execution-store.js';
import type { NodeDefinition, RunOrder } from '../engine/index.js';
import type { AttemptRunner, RunnerOutcome } from '../execution-runner/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { CachingRunner } from './caching-runner.js';
import type { WantedResult } from './result-cache.js';

const EXECUTION = newExecution({});
const ok = (value: Json): RunnerOutcome => ({ kind: 'output', output: value, cached: false });

class World {
  attempts = 0;
  /** Output that `peek` finds in memory; undefined if memory contains no result. */
  known: Json | undefined;
  /** Output that `reuse` finds in the cache; null if `reuse` must run the node. */
  stored: Json = null;
  readonly peeked: WantedResult[] = [];
  readonly asked: { readonly wanted: WantedResult; readonly signal: AbortSignal }[] = [];
  readonly controller = new AbortController();
  connected: AttemptRunner | undefined;

  readonly runner = new CachingRunner(
    {
      run: () => {
        this.attempts += 1;
        return ok('computed');
      },
    },
    {
      peek: (wanted) => {
        this.peeked.push(wanted);
        return this.known === undefined ? undefined : { output: this.known, computedAt: 0, expiresAt: 1 };
      },
      reuse: (wanted, signal, compute) => {
        this.asked.push({ wanted, signal });
        return this.stored === null ? compute() : Promise.resolve(ok(this.stored));
      },
    },
    { connect: (runner) => void (this.connected = runner) },
  );

  run(
    definition: Partial<NodeDefinition> = {},
    own: Partial<RunOrder> = {},
    { execution = EXECUTION } = {},
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const node = planOf([{ id: 'a', type: 'shared', ...definition }]).nodes.get('a');
    if (node === undefined) throw new Error('The plan has no node.');
    const order = { node, attempt: 1, iteration: null, input: { n: 1 }, resumption: null, ...own };
    return this.runner.run(execution, order, this.controller.signal, () => undefined);
  }

  async keyOf(
    definition: Partial<NodeDefinition>,
    input: JsonObject,
    execution = EXECUTION,
  ): Promise<string> {
    await this.run(definition, { input }, { execution });
    return this.asked.at(-1)?.wanted.key ?? '';
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

it('CachingRunner registers itself as the component that runs nodes', () => {
  expect(world.connected).toBe(world.runner);
});

describe('CachingRunner without use of the cache', () => {
  it.each<[string, () => RunnerOutcome | Promise<RunnerOutcome>]>([
    ['if the node type is not cacheable', () => world.run({ type: 'effect' })],
    [
      'if the node type is cacheable on request and the node does not request caching',
      () => world.run({ type: 'shared-if-asked' }),
    ],
    ['for a node that resumes after a wait', () => world.run({}, { resumption: { kind: 'timer', at: 0 } })],
  ])('CachingRunner bypasses the result cache %s', async (_, run) => {
    world.known = 'known';
    expect(await run()).toMatchObject({ kind: 'output', output: 'computed', cached: false });
    expect([world.attempts, world.peeked, world.asked]).toEqual([1, [], []]);
  });
});

describe('CachingRunner with the cache enabled', () => {
  it('CachingRunner returns an output from its memory synchronously, without a promise', () => {
    world.known = { total: 3 };
    expect(world.run()).toEqual({ kind: 'output', output: { total: 3 }, cached: true });
    expect([world.attempts, world.asked]).toEqual([0, []]);
  });

  it('CachingRunner returns a stored output without running the node', async () => {
    world.stored = 'stored';
    expect(await world.run()).toEqual(ok('stored'));
    expect(world.attempts).toBe(0);
  });

  it('CachingRunner runs the node if the cache has no result', async () => {
    expect(await world.run()).toMatchObject({ kind: 'output', output: 'computed', cached: false });
    expect([world.attempts, world.peeked.length]).toEqual([1, 1]);
  });

  it.each<[string, Partial<NodeDefinition>, number]>([
    ['one day if the node requests no TTL', {}, 86_400_000],
    ['the requested TTL in milliseconds', { cache: { ttl_seconds: 90 } }, 90_000],
    ['the TTL that the node requests', { type: 'shared-if-asked', cache: { ttl_seconds: 5 } }, 5_000],
  ])('CachingRunner accepts cached results up to an age of %s', async (_, definition, maxAgeMs) => {
    await world.run(definition);
    expect(world.asked[0]?.wanted).toMatchObject({ projectId: EXECUTION.projectId, maxAgeMs });
  });
});

describe("the cache key of a node's result", () => {
  it('nodes with equal type and input have the same cache key in all executions of a project', async () => {
    const other = newExecution({ projectId: EXECUTION.projectId });
    const keys = [
      await world.keyOf({}, { a: 1, b: 2 }),
      await world.keyOf({ retry: { max_attempts: 3 } }, { b: 2, a: 1 }, other),
    ];
    expect(new Set(keys).size).toBe(1);
  });

  it.each<[string, () => Promise<string>]>([
    ['another input', () => world.keyOf({}, { n: 2 })],
    ['another project', () => world.keyOf({}, { n: 1 }, newExecution({}))],
    [
      'another node type',
      () => world.keyOf({ type: 'shared-if-asked', cache: { ttl_seconds: 5 } }, { n: 1 }),
    ],
  ])('the cache key of a result is different for %s', async (_, other) => {
    expect(await other()).not.toBe(await world.keyOf({}, { n: 1 }));
  });
});

describe('CachingRunner waiting for a cached result', () => {
  it('without a timeout, an attempt waits for the result of an equal node until the waiting attempt is aborted', async () => {
    await world.run();
    expect(world.asked[0]?.signal).toBe(world.controller.signal);
  });

  it('with a timeout, an attempt also stops waiting for the result of an equal node when the waiting attempt is aborted', async () => {
    await world.run({ timeout_seconds: 3_600 });
    const signal = world.asked[0]?.signal;
    expect([signal === world.controller.signal, signal?.aborted]).toEqual([false, false]);
    world.controller.abort();
    expect(signal?.aborted).toBe(true);
  });
});
