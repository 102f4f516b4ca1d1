import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../../test/support/engine-plans.js';
import { newExecution } from '../../../test/support/execution-store.js';
import { fold, next, type RunOrder } from '../../engine/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { AttemptOrder, RunnerOutcome } from '../run-loop/node-runner.js';
import { SecretAttempts } from './secret-attempts.js';

const EXECUTION = newExecution({});
const NO_ONE = new AbortController();

/** A `SecretAttempts` whose secrets and inner attempts are under the control of the test. */
class World {
  readonly values = new Map<string, string>();
  failure: Error | null = null;
  reads = 0;
  readonly inner: AttemptOrder[] = [];
  readonly attempts = new SecretAttempts(
    {
      run: (_execution, order: AttemptOrder) => {
        this.inner.push(order);
        return { kind: 'output', output: null, cached: false };
      },
    },
    {
      adapter: {
        valuesOf: (_projectId, names) => {
          this.reads += 1;
          if (this.failure !== null) return Promise.reject(this.failure);
          return Promise.resolve(new Map([...this.values].filter(([name]) => names.includes(name))));
        },
      },
    },
  );

  run(parameters: JsonObject): RunnerOutcome | Promise<RunnerOutcome> {
    return this.attempts.run(EXECUTION, orderOf(parameters), NO_ONE.signal, () => undefined);
  }
}

function orderOf(parameters: JsonObject): RunOrder {
  const plan = planOf([{ id: 'a', type: 'effect', with: parameters }]);
  const evaluation = { workflow: {}, execution: {}, session: {} };
  const [order] = next(plan, fold([]), 0, evaluation).runs;
  if (order === undefined) throw new Error('The plan orders no attempt.');
  return order;
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('SecretAttempts', () => {
  it('an attempt of a node without secrets reads no secrets and returns synchronously', () => {
    const outcome = world.run({ x: 1 });
    expect(outcome).toMatchObject({ kind: 'output' });
    expect([world.reads, world.inner[0]?.mask]).toEqual([0, undefined]);
  });

  it('every attempt of a node reads the current values of the secrets that the node uses', async () => {
    world.values.set('KEY', 'first-value');
    await world.run({ key: 'k {{ secrets.KEY }}' });
    world.values.set('KEY', 'second-value');
    await world.run({ key: 'k {{ secrets.KEY }}' });
    expect(world.inner.map(({ input }) => input)).toEqual([
      { key: 'k first-value' },
      { key: 'k second-value' },
    ]);
  });

  it('an attempt masks the secrets that earlier attempts used, even if the attempt itself uses no secrets', async () => {
    world.values.set('KEY', 'first-value');
    await world.run({ key: '{{ secrets.KEY }}' });
    await world.run({ x: 1 });
    expect(world.inner[1]?.mask?.text('first-value')).toBe('[secret KEY]');
  });

  it('an attempt fails with `secret_not_found` and without a retry when a secret is unknown', async () => {
    world.values.set('KEY', 'first-value');
    expect(await world.run({ a: '{{ secrets.KEY }}', b: '{{ secrets.OTHER }}' })).toMatchObject({
      kind: 'failure',
      error: { code: 'secret_not_found', message: expect.stringContaining('OTHER') },
      retryable: false,
    });
    expect(world.inner).toEqual([]);
  });

  it('an attempt fails with the retryable error `secret_unavailable` if the secret values cannot be read', async () => {
    world.failure = new Error('The vault is sealed.');
    expect(await world.run({ a: '{{ secrets.KEY }}' })).toMatchObject({
      kind: 'failure',
      error: { code: 'secret_unavailable', message: 'The vault is sealed.' },
      retryable: true,
    });
  });

  it('the error of an expression that fails because of the value of a secret does not contain this value', async () => {
    world.values.set('PIN', 'not-a-number');
    const outcome = await world.run({ pin: '{{ int(secrets.PIN) }}' });
    expect(outcome).toMatchObject({ kind: 'failure', error: { code: 'expression_error' }, retryable: false });
    expect(JSON.stringify(outcome)).not.toContain('not-a-number');
  });
});
