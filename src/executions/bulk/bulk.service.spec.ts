import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import { CALLER } from '../../../test/support/executions-fakes.js';
import { ExecutionFinishedError, type Execution } from '../../execution-store/index.js';
import { LongValue } from '../../long-values/index.js';
import type { ExecutionsReader } from '../executions.reader.js';
import { BulkActions, type BulkTerms } from './bulk-actions.js';
import { BulkService } from './bulk.service.js';

type Listed = Parameters<ExecutionsReader['idsAfter']>;

class World {
  found: readonly Execution[] = [];
  readonly filters: Listed[1][] = [];
  readonly starts: Listed[2][] = [];
  readonly cancelled: (readonly [string, string | null])[] = [];
  readonly retried: { readonly execution: Execution; readonly request: unknown }[] = [];
  readonly failures = new Map<string, Error>();
  atOnce = 0;
  mostAtOnce = 0;

  readonly alreadyRetried = new Set<string>();

  readonly bulk = new BulkService(
    new BulkActions(
      {
        list: () => Promise.reject(new Error('A bulk request counts no executions.')),
        idsAfter: (_caller, filter, after, limit) => {
          if (filter.ids !== undefined)
            return Promise.resolve(filter.ids.filter((id) => !this.alreadyRetried.has(id)));
          this.filters.push(filter);
          this.starts.push(after);
          return Promise.resolve(this.found.slice(0, limit).map(({ id }) => id));
        },
      },
      { read: (_caller, id) => Promise.resolve({ ...this.execution(id), input: 'the whole input' }) },
      {
        cancel: async (execution, reason) => {
          await this.work(execution);
          this.cancelled.push([execution.id, reason]);
          return execution;
        },
      },
      {
        pause: (_caller, id) => Promise.resolve(this.execution(id)),
        resume: (_caller, id) => Promise.resolve(this.execution(id)),
      },
      {
        retry: async (_caller, execution, request) => {
          await this.work(execution);
          this.retried.push({ execution, request });
          return execution;
        },
      },
    ),
  );

  run(own: Partial<BulkTerms>): ReturnType<BulkService['run']> {
    return this.bulk.run(CALLER, {
      action: 'cancel',
      filter: {},
      reason: null,
      version: 'same',
      ...own,
    });
  }

  private execution(id: string): Execution {
    const execution = this.found.find((one) => one.id === id);
    if (execution === undefined) throw new Error(`There is no execution ${id}.`);
    return execution;
  }

  private async work({ id }: Execution): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await Promise.resolve();
    this.atOnce -= 1;
    const failure = this.failures.get(id);
    if (failure !== undefined) throw failure;
  }
}

const executions = (count: number): readonly Execution[] =>
  Array.from({ length: count }, () => newExecution({ input: LongValue.ofText('"left out of lists"') }));

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('bulk cancellations of executions', () => {
  it('a bulk cancellation cancels each matching execution with the reason', async () => {
    world.found = executions(3);
    expect(await world.run({ reason: 'Too many' })).toEqual({
      matched: 3,
      succeeded: 3,
      failed: 0,
      errors: [],
      has_more: false,
    });
    expect(world.cancelled).toEqual(world.found.map(({ id }) => [id, 'Too many']));
  });

  it('a bulk cancellation selects unfinished executions, oldest first', async () => {
    await world.run({});
    expect(world.filters[0]?.statuses).toEqual(['queued', 'running', 'waiting', 'paused']);
    expect(world.filters[0]).not.toHaveProperty('isNotRetried');
    expect(world.starts).toEqual([null]);
  });

  it('a bulk cancellation selects nothing if the filter names only final statuses', async () => {
    world.found = executions(1);
    const outcome = await world.run({ filter: { statuses: ['completed'] } });
    expect([outcome.matched, world.filters]).toEqual([0, []]);
  });

  it('a bulk cancellation cancels at most 1,000 executions per request', async () => {
    world.found = executions(1_001);
    const outcome = await world.run({});
    expect(outcome).toMatchObject({ matched: 1_000, succeeded: 1_000, has_more: true });
    expect([world.cancelled.length, world.mostAtOnce]).toEqual([1_000, 10]);
  });

  it('a bulk cancellation continues after one execution could not be cancelled, and reports the error', async () => {
    world.found = executions(3);
    const id = world.found[1]?.id ?? '';
    world.failures.set(id, new ExecutionFinishedError('completed'));
    const outcome = await world.run({});
    expect(outcome).toMatchObject({ matched: 3, succeeded: 2, failed: 1 });
    expect(outcome.errors).toEqual([
      { execution_id: id, code: 'execution_finished', message: expect.any(String) as string },
    ]);
  });

  it('a bulk action counts all failures and lists at most 20 errors', async () => {
    world.found = executions(30);
    for (const { id } of world.found) world.failures.set(id, new ExecutionFinishedError('completed'));
    const outcome = await world.run({});
    expect([outcome.failed, outcome.errors.length]).toEqual([30, 20]);
  });

  it('a bulk action hides the message of an unexpected error', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    world.found = executions(1);
    world.failures.set(world.found[0]?.id ?? '', new Error('ECONNREFUSED 10.0.0.7'));
    const { errors } = await world.run({});
    expect(errors[0]).toMatchObject({ code: 'server_error' });
    expect(JSON.stringify(errors)).not.toContain('10.0.0.7');
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe('bulk retries of executions', () => {
  it('a bulk retry selects unsuccessful executions that have not been retried', async () => {
    await world.run({ action: 'retry' });
    expect(world.filters[0]).toMatchObject({ isNotRetried: true });
    expect(world.filters[0]?.statuses).not.toContain('completed');
    expect(world.filters[0]?.statuses).not.toContain('running');
  });

  it('a bulk retry runs the failed nodes of each execution again', async () => {
    world.found = executions(2);
    await world.run({ action: 'retry', version: 'latest' });
    expect(world.retried).toHaveLength(2);
    for (const { execution, request } of world.retried) {
      expect(execution.input).toBe('the whole input');
      expect(request).toEqual({ from: 'failed', version: 'latest' });
    }
  });

  it('a bulk retry does not retry an execution that was retried since the request began', async () => {
    world.found = executions(2);
    world.alreadyRetried.add(world.found[0]?.id ?? '');
    expect(await world.run({ action: 'retry' })).toMatchObject({ matched: 2, succeeded: 2, failed: 0 });
    expect(world.retried.map(({ execution }) => execution.id)).toEqual([world.found[1]?.id]);
  });
});
