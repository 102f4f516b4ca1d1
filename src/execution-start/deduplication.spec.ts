import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { newExecution } from '../../test/support/execution-store.js';
import {
  type Execution,
  ExecutionChangedError,
  ExecutionFinishedError,
  KeyHeldError,
  NOT_STARTED,
} from '../execution-store/index.js';
import { Deduplication, type OnConflict } from './deduplication.js';
import { DuplicateExecutionError, TooManyExecutionsError } from './execution-start.errors.js';
import { type PreparedExecution, queued } from './prepared-execution.js';

const COMPILED = { plan: planOf([{ id: 'a', type: 'pure' }]), inputSchema: null, mayReadName: false };
const KEY = 'order-4711';

describe('Deduplication.start', () => {
  let own: Execution;
  let holder: Execution | undefined;
  let refusals: Error[];
  let replacements: boolean[];
  let cancelled: { readonly id: string; readonly reason: string | null }[];
  let cancellation: Error | null;
  let deduplication: Deduplication;

  beforeEach(() => {
    own = newExecution({ deduplicationKey: KEY });
    holder = newExecution({ deduplicationKey: KEY, progress: { ...NOT_STARTED, status: 'running' } });
    refusals = [];
    replacements = [];
    cancelled = [];
    cancellation = null;
    deduplication = new Deduplication(
      {
        write: ({ execution }, isReplacement) => {
          replacements.push(isReplacement === true);
          const refusal = refusals.shift();
          return refusal === undefined
            ? Promise.resolve({ execution, written: execution })
            : Promise.reject(refusal);
        },
      },
      { findByKey: () => Promise.resolve(holder) },
      { findWhole: (id) => Promise.resolve(holder?.id === id ? holder : undefined) },
      {
        cancel: (execution, reason) => {
          cancelled.push({ id: execution.id, reason });
          return cancellation === null ? Promise.resolve(execution) : Promise.reject(cancellation);
        },
      },
    );
  });

  const prepared = (): PreparedExecution => ({
    execution: own,
    events: [queued(own)],
    gates: { workflowId: null, sessionId: null },
    compiled: COMPILED,
    revision: null,
  });
  const start = (onConflict: OnConflict): ReturnType<Deduplication['start']> =>
    deduplication.start(prepared(), { key: KEY, onConflict });

  it('a start request creates an execution when no unfinished execution has the deduplication key', async () => {
    expect(await start('fail')).toMatchObject({ execution: { id: own.id }, isNew: true });
  });

  it('`on_conflict: return_existing` returns the existing execution with the deduplication key', async () => {
    refusals = [new KeyHeldError()];
    expect(await start('return_existing')).toMatchObject({ execution: { id: holder?.id }, isNew: false });
    expect(replacements).toEqual([false]);
  });

  it('with `on_conflict: fail`, a duplicate start request fails with the id of the existing execution', async () => {
    refusals = [new KeyHeldError()];
    const refused = start('fail');
    await expect(refused).rejects.toThrow(DuplicateExecutionError);
    await expect(refused).rejects.toThrow(holder?.id ?? '');
  });

  it('`on_conflict: cancel_existing` cancels and replaces the existing execution', async () => {
    refusals = [new KeyHeldError()];
    expect(await start('cancel_existing')).toMatchObject({ execution: { id: own.id }, isNew: true });
    expect(cancelled).toMatchObject([{ id: holder?.id }]);
    expect(cancelled[0]?.reason).toContain(KEY);
    expect(replacements).toEqual([false, true]);
  });

  it('`on_conflict: cancel_existing` starts the new execution even if the existing one ends before it is cancelled', async () => {
    refusals = [new KeyHeldError()];
    cancellation = new ExecutionFinishedError('completed');
    expect(await start('cancel_existing')).toMatchObject({ isNew: true });
  });

  it('a start request whose existing execution ended by itself must respect the limit of unfinished executions', async () => {
    refusals = [new KeyHeldError()];
    cancellation = new ExecutionFinishedError('completed');
    await start('cancel_existing');
    expect(replacements).toEqual([false, false]);
  });

  it('a start request with `cancel_existing` fails with the error of the cancellation if the cancellation fails', async () => {
    refusals = [new KeyHeldError()];
    cancellation = new ExecutionChangedError();
    await expect(start('cancel_existing')).rejects.toBe(cancellation);
  });

  it('the service tries a start again if the execution that held the deduplication key has ended', async () => {
    holder = undefined;
    refusals = [new KeyHeldError(), new KeyHeldError()];
    expect(await start('fail')).toMatchObject({ isNew: true });
    expect(replacements).toHaveLength(3);
  });

  it('a start request fails after other start requests took its deduplication key 20 times', async () => {
    holder = undefined;
    refusals = Array.from({ length: 100 }, () => new KeyHeldError());
    await expect(start('fail')).rejects.toThrow(ExecutionChangedError);
    expect(replacements).toHaveLength(20);
  });

  it('a start request at the limit of unfinished executions returns the execution with the deduplication key', async () => {
    refusals = [new TooManyExecutionsError(1)];
    expect(await start('return_existing')).toMatchObject({ execution: { id: holder?.id }, isNew: false });
  });

  it('a start request with an unused deduplication key is refused at the limit of unfinished executions', async () => {
    holder = undefined;
    const refusal = new TooManyExecutionsError(1);
    refusals = [refusal];
    await expect(start('return_existing')).rejects.toBe(refusal);
  });

  it('a start request rethrows errors other than deduplication conflicts', async () => {
    const refusal = new Error('The disk is full.');
    refusals = [refusal];
    await expect(start('cancel_existing')).rejects.toBe(refusal);
    expect(cancelled).toEqual([]);
  });
});
