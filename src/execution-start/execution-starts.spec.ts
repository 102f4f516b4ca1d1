import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { newExecution } from '../../test/support/execution-store.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { SlotTakenError } from '../admission/index.js';
import type { JournalEvent } from '../execution-events/index.js';
import { type Execution, hasEnded, KeyHeldError, NOT_STARTED } from '../execution-store/index.js';
import { JournalFullError } from '../journal/index.js';
import type { Write } from '../storage/index.js';
import { TooManyExecutionsError } from './execution-start.errors.js';
import { ExecutionStarts } from './execution-starts.js';
import { type PreparedExecution, queued } from './prepared-execution.js';

const COMPILED = { plan: planOf([{ id: 'a', type: 'pure' }]), inputSchema: null, mayReadName: false };
const START = Date.UTC(2030, 0, 1);
const NOW = new Date(START).toISOString();
const LATER = new Date(START + 60_000).toISOString();
const OWNER = 'this-process';
const MAX_BYTES = 1_000;
const WORKFLOW = '01a00000-0000-7000-8000-00000000000a';

const started: JournalEvent = {
  type: 'workflow.started',
  at: START,
  nodeId: null,
  attempt: null,
  data: { status: 'running', progress: { completed: 0, total: 1 }, timeout_at: null },
} as unknown as JournalEvent;
const failed = (type: string): JournalEvent =>
  ({
    type: 'workflow.failed',
    at: START,
    nodeId: null,
    attempt: null,
    data: {
      status: 'failed',
      error: { type, message: type, node_id: null },
      progress: { completed: 0, total: 1 },
    },
  }) as unknown as JournalEvent;
const write = (sql: string): Write => ({ sql, parameters: [] });

interface Inserted {
  readonly execution: Execution;
  readonly events: readonly JournalEvent[];
  readonly also: readonly Write[];
}

class World {
  readonly clock = new ManualClock(START);
  readonly inserted: Inserted[] = [];
  readonly log: string[] = [];
  hasSlot = true;
  slot: 'free' | 'reserved' | 'occupied' = 'free';
  beginFailure: Error | null = null;
  decided: readonly JournalEvent[] = [started];
  /** Results of the next commits, in order. An error makes a commit fail, and null lets a commit succeed. */
  refusals: (Error | null)[] = [];
  key: string | null = null;
  places: { write: Write; isAdmitted: boolean; parked: 'max_running' | null }[] = [];
  isFull = false;

  readonly starts = new ExecutionStarts(
    {
      insert: (execution, events, also, room) => this.insert({ execution, events, also }, room),
    },
    { touch: (id) => write(`touch ${id}`) },
    { unchanged: (id, revision) => write(`unchanged ${id} ${revision}`) },
    {
      enter: () => {
        const place = this.places.shift();
        if (place === undefined) throw new Error('The test names no place.');
        return Promise.resolve(place);
      },
      entered: () => this.log.push('entered'),
    },
    {
      reserve: () => {
        if (!this.hasSlot) return null;
        this.log.push('reserve');
        this.slot = 'reserved';
        return {
          owner: OWNER,
          occupy: () => (this.slot = 'occupied'),
          free: () => (this.slot = 'free'),
        };
      },
      wake: (at) => this.log.push(`wake ${at === undefined ? '' : at - START}`),
    },
    {
      begin: async (execution, events) => {
        this.log.push(`begin ${execution.lease.epoch} ${events.length}`);
        if (this.beginFailure !== null) throw this.beginFailure;
        return {
          decided: this.decided,
          maxBytes: MAX_BYTES,
          endTooLarge: () => [failed('execution_too_large')],
          go: (written) => {
            this.log.push(`run ${written.progress.status}`);
            return hasEnded(written) ? null : Promise.resolve({ wakeAt: null });
          },
          discard: () => this.log.push('discard'),
        };
      },
    },
    { claim: () => (this.key === null ? [] : [write(`claim ${this.key}`)]) },
    {
      admit: () => {
        this.log.push('admit');
        if (this.isFull) throw new TooManyExecutionsError(1);
      },
      settle: () => this.log.push('settle'),
    },
    this.clock,
  );

  private insert(one: Inserted, room = Infinity): Promise<number> {
    const refusal = this.refusals.shift() ?? null;
    if (refusal !== null) return Promise.reject(refusal);
    this.log.push(`commit ${room}`);
    this.inserted.push(one);
    return Promise.resolve(7);
  }
}

function prepared(
  own: Partial<Execution> = {},
  gates: Partial<PreparedExecution['gates']> = {},
): PreparedExecution {
  const execution = newExecution({
    workflowId: WORKFLOW,
    createdAt: NOW,
    progress: { ...NOT_STARTED, runnableAt: NOW },
    ...own,
  });
  return {
    execution,
    events: [queued(execution)],
    gates: { workflowId: null, sessionId: null, ...gates },
    compiled: COMPILED,
    revision: null,
  };
}

describe('ExecutionStarts.write', () => {
  let world: World;

  beforeEach(() => {
    world = new World();
  });

  describe('ExecutionStarts.write with a free slot', () => {
    it('if a slot is free, the commit that creates an execution also contains the event `workflow.started`', async () => {
      const { written, execution } = await world.starts.write(prepared());
      expect(world.log).toEqual([
        'admit',
        'reserve',
        'begin 1 1',
        `commit ${MAX_BYTES}`,
        'run running',
        'settle',
      ]);
      expect(world.inserted[0]).toMatchObject({
        execution: { lease: { owner: OWNER, epoch: 1 }, progress: { status: 'running', runnableAt: null } },
        events: [{ type: 'workflow.queued' }, { type: 'workflow.started' }],
      });
      expect([execution.progress.status, written.progress.status, written.bytes]).toEqual([
        'queued',
        'running',
        7,
      ]);
    });

    it('a start request discards the run that it began in memory if the commit is refused', async () => {
      const refusal = new KeyHeldError();
      world.refusals = [refusal];
      await expect(world.starts.write(prepared())).rejects.toBe(refusal);
      expect(world.log).toEqual(['admit', 'reserve', 'begin 1 1', 'discard', 'settle']);
      expect(world.inserted).toEqual([]);
    });

    it('a start request fails with `execution_too_large` if the first events exceed the size limit', async () => {
      world.refusals = [new JournalFullError(5_000)];
      const { written } = await world.starts.write(prepared());
      expect(written.progress).toMatchObject({ status: 'failed', error: { type: 'execution_too_large' } });
      expect(world.log).toEqual(['admit', 'reserve', 'begin 1 1', 'commit Infinity', 'run failed', 'settle']);
    });

    it('a start request fails and discards its run if the commit of the failure `execution_too_large` is refused', async () => {
      const refusal = new Error('The disk is full.');
      world.refusals = [new JournalFullError(5_000), refusal];
      await expect(world.starts.write(prepared())).rejects.toBe(refusal);
      expect(world.log.at(-2)).toBe('discard');
    });

    it('an execution uses its run slot after its first commit', async () => {
      await world.starts.write(prepared());
      expect(world.slot).toBe('occupied');
    });

    it('an execution that ends in its first commit frees its run slot', async () => {
      world.decided = [started, failed('node_failed')];
      await world.starts.write(prepared());
      expect(world.slot).toBe('free');
      expect(world.log).not.toContain('discard');
    });

    it('a start request frees the run slot if the commit is refused', async () => {
      world.refusals = [new KeyHeldError()];
      await expect(world.starts.write(prepared())).rejects.toThrow(KeyHeldError);
      expect(world.slot).toBe('free');
    });

    it('a start request frees the run slot if the execution cannot begin', async () => {
      world.beginFailure = new Error('The workflow is gone.');
      await expect(world.starts.write(prepared())).rejects.toThrow('The workflow is gone.');
      expect(world.slot).toBe('free');
      expect(world.log).not.toContain('discard');
    });

    it('an execution that ends in its first commit frees its admission slot', async () => {
      world.decided = [started, failed('node_failed')];
      world.places = [{ write: write('place'), isAdmitted: true, parked: null }];
      await world.starts.write(prepared({}, { workflowId: WORKFLOW }));
      const [inserted] = world.inserted;
      expect(inserted?.execution.admission).toBe('admitted');
      expect(inserted?.also).toHaveLength(2);
      expect(inserted?.also[0]).toEqual(write('place'));
    });
  });

  describe('ExecutionStarts.write in a process at capacity', () => {
    beforeEach(() => {
      world.hasSlot = false;
    });

    it('a start request in a process without a free slot commits the execution as queued', async () => {
      await world.starts.write(prepared());
      expect(world.inserted[0]).toMatchObject({
        execution: { lease: { owner: null }, progress: { status: 'queued', runnableAt: NOW } },
      });
      expect(world.log).toEqual(['admit', 'commit Infinity', 'wake 0', 'settle']);
    });
  });

  it('a start request with a scheduled start time requests a wake-up at that time', async () => {
    await world.starts.write(prepared({ progress: { ...NOT_STARTED, runnableAt: LATER } }));
    expect(world.log).toEqual(['admit', 'commit Infinity', 'wake 60000', 'settle']);
  });

  it('a new execution with a deduplication key is committed before it runs', async () => {
    await world.starts.write(prepared({ deduplicationKey: 'order-1' }));
    expect(world.log).toEqual(['admit', 'commit Infinity', 'wake 0', 'settle']);
  });

  describe('ExecutionStarts.write with max_running', () => {
    it('a start request queues the execution when no admission slot is free', async () => {
      world.places = [{ write: write('place'), isAdmitted: false, parked: 'max_running' }];
      const { written } = await world.starts.write(prepared({}, { workflowId: WORKFLOW }));
      expect(written).toMatchObject({
        admission: 'parked',
        progress: { statusReason: 'max_running', runnableAt: null },
      });
      expect(world.log).toEqual(['admit', 'commit Infinity', 'entered', 'settle']);
      expect(world.inserted[0]?.also).toEqual([write('place')]);
    });

    it('a start request tries the next admission slot if another start request took the first slot', async () => {
      world.places = [
        { write: write('first'), isAdmitted: true, parked: null },
        { write: write('second'), isAdmitted: true, parked: null },
      ];
      world.refusals = [new SlotTakenError()];
      await world.starts.write(prepared({}, { workflowId: WORKFLOW }));
      expect(world.inserted).toHaveLength(1);
      expect(world.inserted[0]?.also).toEqual([write('second')]);
      expect(world.log.filter((step) => step === 'discard')).toHaveLength(1);
    });
  });

  describe('ExecutionStarts.write at the limit of unfinished executions', () => {
    beforeEach(() => {
      world.isFull = true;
    });

    it('a start request at the limit of unfinished executions is refused and writes nothing', async () => {
      await expect(world.starts.write(prepared())).rejects.toThrow(TooManyExecutionsError);
      expect(world.log).toEqual(['admit']);
    });

    it('a start request at the limit of unfinished executions is accepted if it replaces a cancelled execution', async () => {
      await world.starts.write(prepared(), true);
      expect(world.inserted).toHaveLength(1);
      expect(world.log).not.toContain('settle');
    });
  });

  it('ExecutionStarts.write commits the idempotency key and the session update together with the execution', async () => {
    world.key = 'key-1';
    const one = prepared({ sessionId: 'session-1' });
    await world.starts.write({ ...one, revision: 3 });
    expect(world.inserted[0]?.also).toEqual([
      write('claim key-1'),
      write('touch session-1'),
      write(`unchanged ${WORKFLOW} 3`),
    ]);
  });
});
