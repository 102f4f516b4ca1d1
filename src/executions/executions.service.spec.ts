import { beforeEach, describe, expect, it } from 'vitest';
import {
  CALLER,
  compiledOf,
  FakeCompletion,
  sessionWith,
  versionOf,
  withStatus,
  workflowWith,
} from '../../test/support/executions-fakes.js';
import { newExecution } from '../../test/support/execution-store.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { NotFoundError } from '../errors/index.js';
import { type DeduplicationTerms, type PreparedExecution, StartChecks } from '../execution-start/index.js';
import { type Execution, ExecutionNotFoundError } from '../execution-store/index.js';
import type { Workflow } from '../workflows/index.js';
import { ExecutionsService, type StartRequest } from './executions.service.js';

const START = Date.UTC(2030, 0, 1);
const WAIT_OPTIONS = { ms: 3_000, signal: new AbortController().signal };

class World {
  workflow: Workflow = workflowWith();
  /** The workflow that the service has cached. Null if the cache is empty. */
  remembered: Workflow | null = null;
  reads = 0;
  schema: ReturnType<typeof compiledOf>['inputSchema'] = null;
  readonly compiledVersions: number[] = [];
  readonly completion = new FakeCompletion();
  readonly committed: PreparedExecution[] = [];
  /** Deduplication terms of the starts with a deduplication key, in the order of the starts. */
  readonly terms: DeduplicationTerms[] = [];
  /** The unfinished execution that already has the deduplication key. Null if no execution has the key. */
  holder: Execution | null = null;
  /** Status that the commit of a start stores. A final status means that the execution ended before the commit. */
  writtenStatus: Execution['progress']['status'] = 'queued';
  /** Errors that the next commits fail with, one for each commit. */
  commitFailures: Error[] = [];
  readFailure: Error | null = null;
  readonly cancelled: (string | null)[] = [];

  readonly executions = new ExecutionsService(
    { write: (prepared) => this.commit(prepared) },
    {
      start: async (prepared, terms) => {
        this.terms.push(terms);
        if (this.holder !== null) return { execution: this.holder, written: this.holder, isNew: false };
        return { ...(await this.commit(prepared)), isNew: true };
      },
    },
    {
      cancelTree: async (execution, reason) => {
        this.cancelled.push(reason);
        return withStatus(execution, 'cancelled');
      },
    },
    {
      read: async (_caller, id) => {
        if (this.readFailure !== null) throw this.readFailure;
        return newExecution({ id });
      },
      withValues: async (execution) => ({ ...execution, metadata: { values: 'read' } }),
    },
    {
      read: async () => {
        this.reads += 1;
        return this.workflow;
      },
      snapshot: async () =>
        this.remembered === null
          ? { workflow: this.workflow, revision: null }
          : { workflow: this.remembered, revision: this.remembered.revision },
    },
    {
      requireOpen: async (_caller, id) => sessionWith({ id, concurrency: 'serial' }),
    },
    new StartChecks(
      {
        version: async (_workflow, version) => {
          if (version > this.workflow.version) throw new NotFoundError('version', String(version));
          return versionOf(version);
        },
      },
      {
        of: async (_id, version) => {
          this.compiledVersions.push(version);
          return compiledOf(undefined, this.schema);
        },
      },
    ),
    this.completion,
    new ManualClock(START),
  );

  start(
    request: Partial<StartRequest> = {},
    waitOptions: typeof WAIT_OPTIONS | null = null,
  ): ReturnType<ExecutionsService['start']> {
    return this.executions.start(CALLER, this.workflow.id, { input: { n: 1 }, ...request }, waitOptions);
  }

  private async commit(
    prepared: PreparedExecution,
  ): Promise<{ readonly execution: Execution; readonly written: Execution }> {
    this.committed.push(prepared);
    const failure = this.commitFailures.shift();
    if (failure !== undefined) throw failure;
    const { execution } = prepared;
    return { execution, written: withStatus(execution, this.writtenStatus) };
  }

  get prepared(): PreparedExecution {
    const last = this.committed.at(-1);
    if (last === undefined) throw new Error('Nothing was committed.');
    return last;
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('starts of executions', () => {
  it('a start request creates an execution of the newest version, triggered by the caller', async () => {
    const { execution, isNew } = await world.start();
    expect(isNew).toBe(true);
    expect(execution).toMatchObject({
      workflowId: world.workflow.id,
      projectId: world.workflow.projectId,
      workflowVersion: 2,
      input: { n: 1 },
      priority: 5,
      metadata: {},
      sessionId: null,
      trigger: { type: 'api', id: CALLER.keyId, user_id: CALLER.userId },
      progress: { nodesTotal: 2, runnableAt: new Date(START).toISOString() },
    });
  });

  it('a start request determines the priority, metadata, session and start time of the execution', async () => {
    const sessionId = '01a00000-0000-7000-8000-0000000000c1';
    const scheduledFor = '2030-02-01T00:00:00.000Z';
    await world.start({ priority: 9, metadata: { tenant: 'x' }, sessionId, scheduledFor });
    expect(world.prepared.execution).toMatchObject({
      priority: 9,
      metadata: { tenant: 'x' },
      sessionId,
      progress: { runnableAt: scheduledFor },
    });
  });

  it('a start request can select an older version of the workflow', async () => {
    await world.start({ version: 1 });
    expect([world.compiledVersions, world.prepared.execution.workflowVersion]).toEqual([[1], 1]);
  });

  it('a start request with a version that does not exist is rejected', async () => {
    await expect(world.start({ version: 9 })).rejects.toMatchObject({ status: 404 });
    expect(world.committed).toEqual([]);
  });

  it.each(['draft', 'paused', 'archived'] as const)(
    'a start request is rejected while the workflow is %s',
    async (status) => {
      world.workflow = workflowWith({ status });
      await expect(world.start()).rejects.toMatchObject({ status: 409, code: 'workflow_not_active' });
      expect(world.committed).toEqual([]);
    },
  );

  it('a start request with an invalid input reports every invalid field', async () => {
    world.schema = {
      validate: () => [
        { path: 'input.n', code: 'type', message: 'must be a string' },
        { path: 'input.m', code: 'required', message: 'is required' },
      ],
    } as typeof world.schema;
    await expect(world.start()).rejects.toMatchObject({
      status: 400,
      code: 'invalid_input',
      details: { errors: [{ field: 'input.n' }, { field: 'input.m' }] },
    });
  });
});

describe('starts of a cached workflow', () => {
  it('a start request with a cached workflow is committed only if the workflow still has the cached revision', async () => {
    world.remembered = workflowWith({ revision: 7 });
    await world.start();
    expect([world.prepared.revision, world.reads]).toEqual([7, 0]);
  });

  it('if the cached workflow does not allow a start, the service reads the current workflow from the database', async () => {
    world.remembered = workflowWith({ status: 'paused' });
    const { isNew } = await world.start();
    expect([isNew, world.reads, world.prepared.revision]).toEqual([true, 1, null]);
  });

  it('a start request with a deduplication key reads the workflow from the database instead of the cache', async () => {
    world.remembered = workflowWith({ version: 1 });
    const deduplication = { key: 'order-17', onConflict: 'fail' } as const;
    await world.start({ deduplication });
    expect([world.reads, world.terms]).toEqual([1, [deduplication]]);
    expect(world.prepared.execution).toMatchObject({ workflowVersion: 2, deduplicationKey: 'order-17' });
  });

  it('a start request that fails because of an outdated cached revision is repeated with the current workflow', async () => {
    world.remembered = workflowWith({ version: 1, revision: 6 });
    world.commitFailures = [new NotFoundError('workflow', world.workflow.id)];
    await world.start();
    expect(world.committed.map(({ revision }) => revision)).toEqual([6, null]);
    expect(world.prepared.execution.workflowVersion).toBe(2);
  });

  it('a start is not repeated after a failed commit if the workflow came from the database, not from the cache', async () => {
    const failure = new NotFoundError('workflow', world.workflow.id);
    world.commitFailures = [failure];
    await expect(world.start()).rejects.toBe(failure);
    expect(world.committed).toHaveLength(1);
  });

  it('a start request is not repeated after an unexpected error', async () => {
    const failure = new Error('The database is away.');
    world.remembered = workflowWith();
    world.commitFailures = [failure];
    await expect(world.start()).rejects.toBe(failure);
    expect([world.committed.length, world.reads, world.terms]).toEqual([1, 0, []]);
  });
});

describe('starts that wait for the end', () => {
  it('a start request with `wait` stops watching the execution if the commit fails', async () => {
    const failure = new Error('The database is away.');
    world.commitFailures = [failure];
    await expect(world.start({}, WAIT_OPTIONS)).rejects.toBe(failure);
    expect([world.completion.begun, world.completion.stopped]).toEqual([1, 1]);
  });

  it('a start request with `wait` returns the state of the execution after the wait', async () => {
    world.completion.after = (execution) => withStatus(execution, 'failed');
    const { execution } = await world.start({}, WAIT_OPTIONS);
    expect([execution.progress.status, world.completion.waitedMs]).toEqual(['failed', [3_000]]);
  });

  it('a start request with `wait` returns immediately if the commit that creates the execution also ends it', async () => {
    world.writtenStatus = 'completed';
    const { execution } = await world.start({}, WAIT_OPTIONS);
    expect(execution).toMatchObject({ metadata: { values: 'read' }, progress: { status: 'completed' } });
    expect([world.completion.waitedMs, world.completion.stopped]).toEqual([[], 1]);
  });

  it('a start request with `wait` waits for the existing execution with the deduplication key', async () => {
    world.holder = newExecution({});
    world.completion.after = (execution) => withStatus(execution, 'completed');
    const deduplication = { key: 'order-17', onConflict: 'return_existing' } as const;
    const { execution, isNew } = await world.start({ deduplication }, WAIT_OPTIONS);
    expect([execution.id, execution.progress.status, isNew]).toEqual([world.holder.id, 'completed', false]);
    expect(world.completion.begun).toBe(world.completion.stopped);
  });
});

describe('cancellations of executions', () => {
  it('a cancellation cancels the execution and its descendants', async () => {
    const cancelled = await world.executions.cancel(CALLER, CALLER.userId, 'No longer wanted');
    expect([cancelled.progress.status, world.cancelled]).toEqual(['cancelled', ['No longer wanted']]);
  });

  it('a cancellation changes nothing when the caller cannot read the execution', async () => {
    world.readFailure = new ExecutionNotFoundError(CALLER.userId);
    await expect(world.executions.cancel(CALLER, CALLER.userId, null)).rejects.toBe(world.readFailure);
    expect(world.cancelled).toEqual([]);
  });
});
