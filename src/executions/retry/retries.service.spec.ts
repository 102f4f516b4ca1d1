import { beforeEach, describe, expect, it } from 'vitest';
import {
  CALLER,
  compiledOf,
  sessionWith,
  versionOf,
  withStatus,
  workflowWith,
} from '../../../test/support/executions-fakes.js';
import { newExecution } from '../../../test/support/execution-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { planOf } from '../../../test/support/engine-plans.js';
import { simulate } from '../../../test/support/simulated-run.js';
import type { NodeDefinition } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { PreparedExecution } from '../../execution-start/index.js';
import { type Execution, KeyHeldError } from '../../execution-store/index.js';
import { PayloadGoneError } from '../../journal/index.js';
import { LongValue } from '../../long-values/index.js';
import type { Workflow } from '../../workflows/index.js';
import { type RetryRequest, RetriesService } from './retries.service.js';

const START = Date.UTC(2030, 0, 1);
const NODES: readonly NodeDefinition[] = [
  { id: 'a', type: 'effect' },
  { id: 'b', type: 'effect', needs: ['a'] },
  { id: 'c', type: 'effect', needs: ['b'] },
];

/** @param failing id of the failed node; null for none */
function journalWith(failing: string | null): readonly JournalEvent[] {
  return simulate({
    plan: planOf(NODES),
    input: { n: 1 },
    attemptOf: (nodeId) => ({
      takesMs: 1,
      reportsProgress: false,
      outcome:
        nodeId === failing
          ? { kind: 'failure', retryable: false, error: { code: 'broken', message: 'Broken.' } }
          : { kind: 'output', output: nodeId, cached: false },
    }),
  }).journal;
}

class World {
  workflow: Workflow = workflowWith({ version: 1 }, NODES);
  /** Node definitions by version of the workflow. A version that is not in the map has the definitions `NODES`. */
  readonly versions = new Map<number, readonly NodeDefinition[]>();
  journal = journalWith('b');
  source = this.ended({});
  readonly written: PreparedExecution[] = [];
  writeFailure: Error | null = null;
  holder: Execution | undefined;
  payload: string | undefined;
  schema: ReturnType<typeof compiledOf>['inputSchema'] = null;

  readonly retries = new RetriesService(
    {
      write: async (prepared) => {
        if (this.writeFailure !== null) throw this.writeFailure;
        this.written.push(prepared);
        return { execution: prepared.execution, written: prepared.execution };
      },
    },
    { findByKey: async () => this.holder },
    { whole: async () => this.journal },
    { text: async () => this.payload },
    {
      read: async () => this.workflow,
      version: async (_workflow, version) => versionOf(version, this.versions.get(version) ?? NODES),
    },
    { requireOpen: async (_caller, id) => sessionWith({ id }) },
    { of: async (_id, version) => compiledOf(this.versions.get(version) ?? NODES, this.schema) },
    new ManualClock(START),
  );

  ended(own: Partial<Execution>): Execution {
    const execution = newExecution({ workflowVersion: 1, input: { n: 1 }, ...own });
    return withStatus(
      { ...execution, progress: { ...execution.progress, lastSequence: this.journal.length } },
      'failed',
    );
  }

  retry(request: Partial<RetryRequest> = {}): Promise<Execution> {
    return this.retries.retry(CALLER, this.source, { from: 'failed', version: 'same', ...request });
  }

  /** Ids of the nodes whose results the retry reuses. */
  get reused(): readonly (string | null)[] {
    const [prepared] = this.written;
    return (prepared?.events ?? [])
      .filter(({ type }) => type === 'workflow.node.complete')
      .map(({ nodeId }) => nodeId);
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('retries of executions', () => {
  it('a retry creates an execution that reuses completed nodes', async () => {
    const retried = await world.retry();
    expect(retried).toMatchObject({
      retryOf: world.source.id,
      attempt: 2,
      input: { n: 1 },
      trigger: { type: 'retry', id: world.source.id, user_id: CALLER.userId },
      progress: { nodesCompleted: 1 },
    });
    expect(world.reused).toEqual(['a']);
    expect(retried.progress.lastSequence).toBe(world.written[0]?.events.length);
  });

  it('a retry from the start reuses no node', async () => {
    await world.retry({ from: 'start' });
    expect(world.reused).toEqual([]);
    expect(world.written[0]?.events.map(({ type }) => type)).toEqual(['workflow.queued']);
  });

  it('a retry from a node runs this node and its dependents again', async () => {
    world.journal = journalWith(null);
    world.source = withStatus(world.ended({}), 'completed');
    await world.retry({ from: 'b' });
    expect(world.reused).toEqual(['a']);
  });

  it('a retry runs a completed node again if its definition changed in the new version', async () => {
    world.workflow = workflowWith({ version: 2 }, NODES);
    world.journal = journalWith('c');
    world.source = world.ended({});
    world.versions.set(1, NODES).set(2, [
      { id: 'a', type: 'effect' },
      { id: 'b', type: 'effect', needs: ['a'], with: { text: 'changed' } },
      { id: 'c', type: 'effect', needs: ['b'] },
    ]);
    await world.retry({ version: 'latest' });
    expect([world.reused, world.written[0]?.execution.workflowVersion]).toEqual([['a'], 2]);
  });

  it('a retry reuses a node with a changed name or retry policy', async () => {
    world.workflow = workflowWith({ version: 2 }, NODES);
    world.versions.set(1, NODES).set(
      2,
      NODES.map((node) => ({ ...node, name: 'New', retry: { max_attempts: 2 } })),
    );
    await world.retry({ version: 'latest' });
    expect(world.reused).toEqual(['a']);
  });

  it('a retry loads a long input that is stored outside the database row of the execution', async () => {
    world.payload = '{"long":true}';
    const place = { executionId: null, sequence: 1, field: 'input' } as const;
    world.source = world.ended({ input: LongValue.storedAt(place, 13) });
    expect((await world.retry()).input).toEqual({ long: true });
  });

  it('a retry accepts a new input only with `from: start`', async () => {
    await expect(world.retry({ input: { n: 2 } })).rejects.toMatchObject({
      status: 400,
      details: { field: 'input' },
    });
    expect((await world.retry({ from: 'start', input: { n: 2 } })).input).toEqual({ n: 2 });
  });

  it('a retry keeps the session of the original execution', async () => {
    const sessionId = '01a00000-0000-7000-8000-0000000000c1';
    world.source = world.ended({ sessionId });
    expect((await world.retry()).sessionId).toBe(sessionId);
  });
});

describe('rejected retries of executions', () => {
  it.each(['queued', 'running', 'waiting', 'paused'] as const)(
    'a retry is rejected while the execution is %s',
    async (status) => {
      world.source = withStatus(world.source, status);
      await expect(world.retry()).rejects.toMatchObject({ code: 'execution_not_finished' });
    },
  );

  it.each(['draft', 'paused', 'archived'] as const)(
    'a retry is rejected while the workflow is %s',
    async (status) => {
      world.workflow = workflowWith({ status, version: 1 }, NODES);
      await expect(world.retry()).rejects.toMatchObject({ code: 'workflow_not_active' });
    },
  );

  it('a retry of failed nodes is rejected when no node failed', async () => {
    world.journal = journalWith(null);
    world.source = withStatus(world.ended({}), 'completed');
    await expect(world.retry()).rejects.toMatchObject({ code: 'nothing_failed' });
  });

  it('a retry from an unknown node is rejected', async () => {
    await expect(world.retry({ from: 'z' })).rejects.toMatchObject({
      status: 400,
      details: { field: 'from' },
    });
  });

  it('a retry is rejected when the input violates the schema of the version', async () => {
    world.schema = {
      validate: () => [{ path: 'input.n', code: 'type', message: 'must be a string' }],
    } as typeof world.schema;
    await expect(world.retry()).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('a retry responds 404 when retention removed part of the journal', async () => {
    world.journal = world.journal.slice(0, 2);
    await expect(world.retry()).rejects.toMatchObject({ status: 404 });
    expect(world.written).toEqual([]);
  });

  it('a retry responds 404 when retention removed a reused long value', async () => {
    world.writeFailure = new PayloadGoneError({ executionId: world.source.id, sequence: 2, field: 'output' });
    await expect(world.retry()).rejects.toMatchObject({ status: 404 });
  });

  it('a retry responds 404 when retention removed the long input of the execution', async () => {
    const place = { executionId: null, sequence: 1, field: 'input' } as const;
    world.source = world.ended({ input: LongValue.storedAt(place, 13) });
    await expect(world.retry()).rejects.toMatchObject({ status: 404 });
    expect(world.written).toEqual([]);
  });

  it('a retry rethrows an unexpected error of the commit unchanged', async () => {
    world.writeFailure = new Error('The database is away.');
    await expect(world.retry()).rejects.toBe(world.writeFailure);
  });

  it.each([
    ['duplicate_execution', 'another execution holds', newExecution({})],
    ['execution_changed', 'another execution has just released', undefined],
  ])(
    'a retry of an execution with a deduplication key is rejected with %s when %s the key',
    async (code, _who, holder) => {
      world.source = world.ended({ deduplicationKey: 'order-17' });
      world.writeFailure = new KeyHeldError();
      world.holder = holder;
      await expect(world.retry()).rejects.toMatchObject({ code });
    },
  );
});
