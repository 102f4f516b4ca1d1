import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planOf } from '../../../test/support/engine-plans.js';
import { newExecution } from '../../../test/support/execution-store.js';
import type { NodeDefinition, RunOrder } from '../../engine/index.js';
import type { Fault, Json } from '../../expressions/index.js';
import { LongValue } from '../../long-values/index.js';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType,
  output,
  suspend,
} from '../../node-contract/index.js';
import { AttemptInterruptedError, type NodeTypeRegistry } from '../../nodes/index.js';
import { NodeRunner, type RunnerOutcome } from './node-runner.js';

const EXECUTION = newExecution({});
const CHILD = { execution: newExecution({}), events: [], also: [] };

type Handler = (context: NodeContext) => NodeResult | Promise<NodeResult>;

/** A `NodeRunner` with one node type, whose attempts the test controls. */
class World {
  handler: Handler = () => output(1);
  faults: readonly Fault[] = [];
  isInstalled = true;
  /** True if this process is certain that it still has its leases. */
  isSure = true;
  confirmed: () => void = () => undefined;
  /** Number of bytes of memory that attempts currently reserve. */
  reserved = 0;
  childFailure: Error | null = null;
  readonly progress: (readonly [number, string | undefined])[] = [];
  readonly controller = new AbortController();

  private readonly runner = new NodeRunner(
    {
      get: (type) =>
        this.isInstalled
          ? ({
              description: {
                type,
                version: 1,
                title: type,
                description: type,
                schema: {},
                outputSchema: {},
                capabilities: {},
              },
              source: 'test',
              handler: { run: (context) => this.handler(context) } satisfies NodeType,
              parameters: { check: () => this.faults, checkDefinition: () => [] },
            } satisfies ReturnType<NodeTypeRegistry['get']>)
          : undefined,
    },
    {
      child: () => (this.childFailure === null ? Promise.resolve(CHILD) : Promise.reject(this.childFailure)),
      approvalLinks: () =>
        Promise.resolve({ approve: 'https://example.com/yes', reject: 'https://example.com/no' } as never),
    },
    {
      isSure: () => this.isSure,
      confirmed: () => new Promise((resolve) => (this.confirmed = resolve)),
    },
    {
      reserveResult: (bytes) => {
        this.reserved += bytes;
        return Promise.resolve(() => void (this.reserved -= bytes));
      },
    },
  );

  run(definition: Partial<NodeDefinition> = {}): RunnerOutcome | Promise<RunnerOutcome> {
    const node = planOf([{ id: 'a', type: 'effect', ...definition }]).nodes.get('a');
    if (node === undefined) throw new Error('The plan has no node.');
    const order: RunOrder = { node, attempt: 2, iteration: null, input: { text: 'x' }, resumption: null };
    return this.runner.run(EXECUTION, order, this.controller.signal, (fraction, message) =>
      this.progress.push([fraction, message]),
    );
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

const codeOf = (outcome: RunnerOutcome): string =>
  outcome.kind === 'failure' ? outcome.error.code : outcome.kind;

describe('NodeRunner', () => {
  it('`NodeRunner` passes ids, parameters, timeout and progress callback to the node', async () => {
    let context: NodeContext | undefined;
    world.handler = (given) => {
      context = given;
      given.progress(0.5, 'Half');
      return output(null);
    };
    await world.run({ timeout_seconds: 3 });
    expect(context).toMatchObject({
      with: { text: 'x' },
      executionId: EXECUTION.id,
      projectId: EXECUTION.projectId,
      nodeId: 'a',
      attempt: 2,
      iteration: null,
      idempotencyKey: `${EXECUTION.id}:a`,
      timeoutMs: 3_000,
      resumption: null,
    });
    expect(world.progress).toEqual([[0.5, 'Half']]);
  });

  it('`NodeRunner` returns the outcome of a synchronous pure node synchronously', () => {
    expect(world.run({ type: 'pure' })).toEqual({ kind: 'output', output: 1, cached: false });
  });

  it('an attempt fails without a retry when its node type is not installed', () => {
    world.isInstalled = false;
    expect(world.run()).toMatchObject({
      kind: 'failure',
      retryable: false,
      error: { code: 'unknown_node_type', message: expect.stringContaining('"effect"') as string },
    });
  });

  it('an attempt fails with every schema error of its parameters, without running the node', () => {
    world.faults = [{ path: 'text', code: 'type', message: 'must be a number' }];
    world.handler = () => {
      throw new Error('It ran.');
    };
    expect(world.run()).toMatchObject({
      error: {
        code: 'invalid_parameters',
        message: 'text: must be a number',
        details: { errors: [{ field: 'text', code: 'type', reason: 'must be a number' }] },
      },
    });
  });

  it.each([
    [
      'a NodeFailure',
      new NodeFailure('out_of_stock', 'None left.', { retryable: false }),
      'out_of_stock',
      false,
    ],
    [
      'a NodeFailure without a retryable option',
      new NodeFailure('out_of_stock', 'None left.', {}),
      'out_of_stock',
      true,
    ],
    ['any other error', new TypeError('x is undefined'), 'node_error', true],
    ['a value that is not an error', 'text', 'node_error', true],
  ])('an attempt fails when its node throws %s', async (_what, thrown, code, retryable) => {
    for (const handler of [
      (): NodeResult => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      world.handler = handler;
      expect(await world.run()).toMatchObject({ kind: 'failure', retryable, error: { code } });
    }
  });

  it('an attempt that a shutdown aborts is reported as interrupted', async () => {
    world.handler = () => Promise.reject(new AttemptInterruptedError());
    expect(await world.run()).toEqual({ kind: 'interrupted' });
  });

  it('an attempt ends when its execution is aborted, even if the node continues', async () => {
    world.handler = () => new Promise(() => undefined);
    const attempt = world.run();
    world.controller.abort(new Error('The execution was cancelled.'));
    expect(codeOf(await attempt)).toBe('node_error');
  });
});

describe('NodeRunner timeouts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('an attempt fails with `node_timeout` even if the node ignores its abort signal', async () => {
    let signal: AbortSignal | undefined;
    world.handler = (context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    };
    const attempt = Promise.resolve(world.run({ timeout_seconds: 2 }));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await attempt).toMatchObject({ retryable: true, error: { code: 'node_timeout' } });
    expect(signal?.aborted).toBe(true);
  });

  it('an attempt fails with `node_timeout` if the node fails after `timeout_seconds`, but before the timer fires', async () => {
    const ended = Promise.withResolvers<NodeResult>();
    world.handler = () => ended.promise;
    const attempt = Promise.resolve(world.run({ timeout_seconds: 2 }));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
    ended.reject(new NodeFailure('code_timeout', 'It took longer.', { retryable: true }));
    expect(codeOf(await attempt)).toBe('node_timeout');
  });

  it('an attempt keeps the error of a node that fails before its timeout', async () => {
    world.handler = () => Promise.reject(new NodeFailure('code_timeout', 'It took longer.', {}));
    expect(codeOf(await world.run({ timeout_seconds: 2 }))).toBe('code_timeout');
  });

  it('an attempt is interrupted if the shutdown begins before the timeout, even if the timeout then passes', async () => {
    const ended = Promise.withResolvers<NodeResult>();
    world.handler = () => ended.promise;
    const attempt = Promise.resolve(world.run({ timeout_seconds: 2 }));
    world.controller.abort(new AttemptInterruptedError());
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
    expect((await attempt).kind).toBe('interrupted');
  });

  it('`NodeRunner` clears the timeout timer of an attempt when the attempt ends', async () => {
    await world.run({ timeout_seconds: 2 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('NodeRunner outputs', () => {
  it('an output over 16 KiB is recorded as JSON text', async () => {
    const text = 'x'.repeat(20_000);
    world.handler = () => output(text);
    const outcome = await world.run();
    const value = outcome.kind === 'output' ? outcome.output : null;
    expect(value instanceof LongValue && value.text).toBe(JSON.stringify(text));
  });

  it('an undefined output is recorded as null', async () => {
    world.handler = () => ({ kind: 'output', output: undefined as unknown as Json });
    expect(await world.run()).toMatchObject({ kind: 'output', output: null });
  });

  it.each([
    ['more than 4 MiB', (): Json => 'x'.repeat(4 * 1024 * 1024), 'output_too_large'],
    [
      'more than 200 levels',
      (): Json => {
        let value: Json = 1;
        for (let level = 0; level < 201; level += 1) value = [value];
        return value;
      },
      'output_too_deep',
    ],
  ])('a node fails without a retry when its output has %s', async (_what, make, code) => {
    world.handler = () => output(make());
    expect(await world.run()).toMatchObject({ kind: 'failure', retryable: false, error: { code } });
  });

  it('`NodeRunner` records at most 100 log lines and 8 KiB of log text', async () => {
    world.handler = () =>
      output(
        1,
        Array.from({ length: 150 }, (_, line) => `line ${line}`),
      );
    const many = await world.run();
    expect(many.kind === 'output' && many.logs).toHaveLength(100);
    world.handler = () => output(1, ['x'.repeat(8_000), 'y'.repeat(8_000), 'z']);
    const long = await world.run();
    expect(long.kind === 'output' && long.logs?.map(({ length }) => length)).toEqual([8_000, 192]);
  });
});

describe('NodeRunner effects', () => {
  it('a node can suspend itself only if its type declares the capability `suspends`', async () => {
    const wait = { for: 'timer', until: 1 } as const;
    world.handler = () => suspend(wait);
    expect(await world.run({ type: 'sleeper' })).toEqual({ kind: 'suspend', wait });
    expect(codeOf(await world.run())).toBe('node_error');
  });

  it('a node that waits for an approval gets approval links', async () => {
    world.handler = () =>
      suspend({ for: 'signal', signal: 'decided', until: null, approval: { title: 'Ship it?' } } as never);
    expect(await world.run({ type: 'sleeper' })).toMatchObject({
      kind: 'suspend',
      links: { approve: 'https://example.com/yes' },
    });
  });

  it('a node fails when it starts a child without the capability `startsChildren`', async () => {
    world.handler = () => ({ kind: 'start_child', child: { workflowId: 'w', version: null, input: null } });
    expect(await world.run()).toMatchObject({ kind: 'failure', error: { code: 'node_error' } });
  });
});

describe('NodeRunner while leases are uncertain', () => {
  it('a node with an effect runs only after the process has confirmed that it still has its leases', async () => {
    world.isSure = false;
    let runs = 0;
    world.handler = () => {
      runs += 1;
      return output(1);
    };
    const attempt = world.run();
    await endOfTurn();
    expect(runs).toBe(0);
    world.confirmed();
    expect(codeOf(await attempt)).toBe('output');
    expect(runs).toBe(1);
  });

  it('a node with an effect does not run after the lease is lost', async () => {
    world.isSure = false;
    world.handler = () => {
      throw new Error('It ran.');
    };
    const attempt = world.run();
    world.controller.abort();
    world.confirmed();
    expect(codeOf(await attempt)).toBe('lease_lost');
  });

  it('a pure node runs immediately, even if the process has not confirmed its leases', () => {
    world.isSure = false;
    expect(world.run({ type: 'pure' })).toMatchObject({ kind: 'output' });
  });
});

describe('NodeRunner memory reservations', () => {
  it('memory that an attempt reserved is released when the attempt ends', async () => {
    let during = 0;
    world.handler = async ({ reserveMemory }) => {
      await reserveMemory(500);
      during = world.reserved;
      return output(1);
    };
    await world.run();
    expect([during, world.reserved]).toEqual([500, 0]);
  });

  it('memory that is granted after the attempt has ended is released immediately', async () => {
    let reserve: ((bytes: number) => Promise<void>) | undefined;
    world.handler = async ({ reserveMemory }) => {
      reserve = reserveMemory;
      return output(1);
    };
    await world.run();
    await reserve?.(500);
    expect(world.reserved).toBe(0);
  });
});
