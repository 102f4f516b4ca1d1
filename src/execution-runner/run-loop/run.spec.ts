import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../../test/support/engine-plans.js';
import { newExecution, queued } from '../../../test/support/execution-store.js';
import { HeldExecutions } from '../../../test/support/held-executions.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import {
  fold,
  type Message,
  type NodeDefinition,
  recovered,
  type RunOrder,
  type WorkflowConfig,
} from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import {
  type NewExecution,
  type Execution,
  executionAfter,
  HANDED_OVER,
  NOT_STARTED,
} from '../../execution-store/index.js';
import type { Json } from '../../expressions/index.js';
import type { StoredMessage } from '../../inbox/index.js';
import { RunMemory, RunValues } from '../../run-memory/index.js';
import type { RunnerOutcome } from './node-runner.js';
import { RunInbox } from './run-inbox.js';
import { Run, type RunContext, type RunEnd } from './run.js';

type Attempt = (
  order: RunOrder,
  signal: AbortSignal,
  report: (fraction: number, message?: string) => void,
) => RunnerOutcome | Promise<RunnerOutcome>;

const OWNER = '01a00000-0000-7000-8000-000000000001';
const START = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const MAX_BYTES = 1024 * 1024;

const output = (value: Json): RunnerOutcome => ({ kind: 'output', output: value, cached: false });
const failure = (code: string, retryable = false): RunnerOutcome => ({
  kind: 'failure',
  retryable,
  error: { code, message: `${code}.` },
});
const sleep = (until: number | null): RunnerOutcome => ({
  kind: 'suspend',
  wait: until === null ? { for: 'signal', signal: 'go', until } : { for: 'timer', until },
});

/** An attempt that stays pending until the test ends it. */
class HeldAttempt {
  readonly orders: RunOrder[] = [];
  readonly signals: AbortSignal[] = [];
  report: (fraction: number, message?: string) => void = () => undefined;
  private resolve: (outcome: RunnerOutcome) => void = () => undefined;

  readonly run: Attempt = (order, signal, report) => {
    this.orders.push(order);
    this.signals.push(signal);
    this.report = report;
    return new Promise((resolve) => (this.resolve = resolve));
  };

  async end(outcome: RunnerOutcome): Promise<void> {
    this.resolve(outcome);
    await settled();
  }
}

/** Runs all pending promise callbacks without advancing the fake timers. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe('Run', () => {
  let clock: ManualClock;
  let store: HeldExecutions;
  let memory: RunMemory;
  let messages: StoredMessage[];
  let left: string[];
  let children: number;
  let attempts: Map<string, Attempt>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clock = new ManualClock(START);
    store = new HeldExecutions();
    memory = new RunMemory({ PROCESS_MAX_BYTES: MAX_BYTES });
    messages = [];
    left = [];
    children = 0;
    attempts = new Map();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const contextOf = (own: Partial<RunContext>): RunContext => ({
    executions: store,
    runner: {
      run: (_, order, signal, report) =>
        attempts.get(order.node.id)?.(order, signal, report) ?? output(order.node.id),
    },
    checkpoints: { due: () => null, committed: (_events, _checkpoint, state) => state },
    clock,
    memory,
    maxBytes: MAX_BYTES,
    random: () => 0.5,
    onChildrenStarted: () => (children += 1),
    endWrites: () => [{ sql: 'at the end', parameters: [] }],
    onChildAbandoned: (id) => left.push(id),
    ...own,
  });

  /** Creates a run of a queued execution whose lease this process has. */
  function runOf(
    nodes: readonly NodeDefinition[],
    {
      events = [queued(null)],
      config = {},
      context = {},
    }: {
      readonly events?: readonly JournalEvent[];
      readonly config?: Partial<WorkflowConfig>;
      readonly context?: Partial<RunContext>;
    } = {},
  ): { readonly run: Run; readonly execution: Execution } {
    const fresh = newExecution({ lease: { owner: OWNER, epoch: 1 }, progress: NOT_STARTED });
    const execution = executionAfter(
      { ...fresh, progress: { ...NOT_STARTED, lastSequence: 1 } },
      events.slice(1),
    );
    store.add(execution);
    const inbox = new RunInbox(
      execution.id,
      {
        read: () => Promise.resolve(messages),
        empty: () => ({ sql: 'empty', parameters: [] }),
      },
      [],
    );
    const values = new RunValues(execution.id, memory, { text: () => Promise.resolve(undefined) });
    const plan = planOf(nodes, config);
    return {
      run: new Run(execution, fold(events), plan, EVALUATION_CONTEXT, inbox, values, contextOf(context)),
      execution,
    };
  }

  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
  }

  function send(run: Run, ...sent: readonly Message[]): void {
    messages.push(...sent.map((message) => ({ message, isSeen: false })));
    run.nudge();
  }

  const signal = (name: string): Message => ({ id: name, kind: 'signal', name, payload: 1, to: null });
  const types = (): readonly string[] =>
    store.events.map(({ type, nodeId }) => (nodeId === null ? type : `${type} ${nodeId}`));
  const statusOf = ({ id }: Execution): string => store.stored(id).progress.status;

  describe('with pure nodes', () => {
    it('a run with pure nodes commits the whole execution in a single commit', async () => {
      const { run, execution } = runOf([
        { id: 'a', type: 'pure' },
        { id: 'b', type: 'pure', needs: ['a'] },
      ]);
      expect(await run.go([])).toBe('ended');
      expect(store.commits).toHaveLength(1);
      expect(types()).toEqual([
        'workflow.started',
        'workflow.node.started a',
        'workflow.node.complete a',
        'workflow.node.started b',
        'workflow.node.complete b',
        'workflow.completed',
      ]);
      expect(store.stored(execution.id)).toMatchObject({ lease: { owner: null } });
    });

    it('the commit that ends an execution includes the additional writes that `endWrites` returns', async () => {
      const { run } = runOf([{ id: 'a', type: 'pure' }]);
      await run.go([]);
      expect(store.commits.at(-1)?.writes).toEqual([{ sql: 'at the end', parameters: [] }]);
    });
  });

  describe('with nodes that have effects', () => {
    it('a run starts an attempt only after the commit of its start event', async () => {
      const committed: number[] = [];
      attempts.set('a', () => {
        committed.push(store.commits.length);
        return output(1);
      });
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      await run.go([]);
      expect(committed).toEqual([1]);
      expect(store.commits[0]?.events.at(-1)).toMatchObject({ type: 'workflow.node.started' });
    });

    it('a run does not start an attempt if the commit of the start event of the attempt is refused', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }]);
      store.takeOver(execution.id);
      expect(await run.go([])).toBe('lost');
      expect(attempt.orders).toEqual([]);
      expect(store.commits).toEqual([]);
    });

    it('a run starts independent attempts in parallel', async () => {
      const [a, b] = [new HeldAttempt(), new HeldAttempt()];
      attempts.set('a', a.run).set('b', b.run);
      const { run } = runOf([
        { id: 'a', type: 'effect', needs: [] },
        { id: 'b', type: 'effect', needs: [] },
      ]);
      const end = run.go([]);
      await settled();
      expect([a.orders.length, b.orders.length]).toEqual([1, 1]);
      await b.end(output(2));
      await a.end(output(1));
      expect(await end).toBe('ended');
      expect(types().slice(-3)).toEqual([
        'workflow.node.complete b',
        'workflow.node.complete a',
        'workflow.completed',
      ]);
    });

    it('a run fails its execution when the failure of a node is not retryable', async () => {
      attempts.set('a', () => failure('boom'));
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }]);
      expect(await run.go([])).toBe('ended');
      expect(statusOf(execution)).toBe('failed');
    });

    it('a run aborts running attempts when its execution fails', async () => {
      const other = new HeldAttempt();
      const failing = new HeldAttempt();
      attempts.set('other', other.run).set('failing', failing.run);
      const { run } = runOf([
        { id: 'other', type: 'effect', needs: [] },
        { id: 'failing', type: 'effect', needs: [] },
      ]);
      const end = run.go([]);
      await settled();
      await failing.end(failure('boom'));
      expect(await end).toBe('ended');
      expect(other.signals[0]?.aborted).toBe(true);
      await other.end(output(1));
      expect(types().filter((type) => type.endsWith(' other'))).toEqual(['workflow.node.started other']);
    });

    it('a run records progress of a node at most once a second', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      const end = run.go([]);
      await settled();
      for (let step = 1; step <= 6; step += 1) {
        attempt.report(step / 10);
        await pass(400);
      }
      await attempt.end(output(1));
      await end;
      expect(types().filter((type) => type === 'workflow.node.progress a')).toHaveLength(2);
    });

    it('a run discards progress that a node reports after the attempt of the node has ended', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run } = runOf([
        { id: 'a', type: 'effect' },
        { id: 'b', type: 'sleeper' },
      ]);
      attempts.set('b', () => sleep(START + 2_000));
      const end = run.go([]);
      await settled();
      await attempt.end(output(1));
      attempt.report(0.9);
      await pass(2_000);
      await end;
      expect(types()).not.toContain('workflow.node.progress a');
    });
  });

  describe('with waits', () => {
    it('a run keeps an execution in memory during a wait of five seconds', async () => {
      attempts.set('a', () => sleep(START + 5_000));
      const { run, execution } = runOf([{ id: 'a', type: 'sleeper' }]);
      const end = run.go([]);
      await settled();
      expect(store.stored(execution.id).lease.owner).toBe(OWNER);
      await pass(4_999);
      expect(statusOf(execution)).toBe('running');
      await pass(1);
      expect(await end).toBe('ended');
      expect(types()).not.toContain('workflow.waiting');
    });

    it('a run suspends its execution and releases the lease for a wait of more than five seconds', async () => {
      attempts.set('a', () => sleep(START + 5_001));
      const { run, execution } = runOf([{ id: 'a', type: 'sleeper' }]);
      expect(await run.go([])).toBe('suspended');
      const stored = store.stored(execution.id);
      expect([stored.lease.owner, stored.progress.status]).toEqual([null, 'waiting']);
      expect(run.wakeAt).toBe(START + 5_001);
      expect(types().at(-1)).toBe('workflow.waiting');
    });

    it('a run does not suspend its execution for a long wait while a second node runs', async () => {
      const busy = new HeldAttempt();
      attempts.set('busy', busy.run).set('nap', () => sleep(START + MINUTE));
      const { run, execution } = runOf([
        { id: 'busy', type: 'effect', needs: [] },
        { id: 'nap', type: 'sleeper', needs: [] },
      ]);
      const end = run.go([]);
      await pass(10_000);
      expect(store.stored(execution.id).lease.owner).toBe(OWNER);
      await busy.end(output(1));
      expect(await end).toBe('suspended');
    });

    it('a run retries a node after the backoff of its retry policy', async () => {
      const orders: RunOrder[] = [];
      attempts.set('a', (order) => {
        orders.push(order);
        return orders.length === 1 ? failure('busy', true) : output(1);
      });
      const { run } = runOf([
        { id: 'a', type: 'effect', retry: { max_attempts: 2, initial_delay_ms: 2_000 } },
      ]);
      const end = run.go([]);
      await pass(500);
      expect(orders).toHaveLength(1);
      await pass(5_000);
      expect(await end).toBe('ended');
      expect(orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
    });

    it('a run consumes a signal that arrives during the run', async () => {
      attempts.set('a', (order) => (order.resumption === null ? sleep(null) : output(1)));
      attempts.set('busy', new HeldAttempt().run);
      const { run } = runOf([
        { id: 'a', type: 'sleeper', needs: [] },
        { id: 'busy', type: 'effect', needs: [] },
      ]);
      void run.go([]);
      await settled();
      send(run, signal('go'));
      await settled();
      expect(types()).toContain('workflow.node.complete a');
      run.stop();
    });

    it('a run deletes a signal from the inbox in the commit that consumes it', async () => {
      attempts.set('a', (order) => (order.resumption === null ? sleep(null) : output(1)));
      messages.push({ message: signal('go'), isSeen: false });
      const { run } = runOf([
        { id: 'a', type: 'sleeper' },
        { id: 'b', type: 'effect' },
      ]);
      attempts.set('b', new HeldAttempt().run);
      run.nudge();
      void run.go([]);
      await settled();
      expect(types()).toContain('workflow.node.complete a');
      const removals = store.commits.flatMap(({ writes }) => writes).map((write) => JSON.stringify(write));
      expect(removals.filter((write) => write.includes('"go"') && write.includes('DELETE'))).toHaveLength(1);
      run.stop();
    });
  });

  describe('when paused', () => {
    it('a paused run starts no node, and releases the lease when no attempt runs', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([
        { id: 'a', type: 'effect' },
        { id: 'b', type: 'pure', needs: ['a'] },
      ]);
      const end = run.go([]);
      await settled();
      send(run, { id: 'p', kind: 'pause', reason: null });
      await settled();
      await attempt.end(output(1));
      expect(await end).toBe('suspended');
      expect(statusOf(execution)).toBe('paused');
      expect(types()).toContain('workflow.node.complete a');
      expect(types()).not.toContain('workflow.node.started b');
    });
  });

  describe('without its lease', () => {
    it('a run discards the outcome of an attempt that ends after the lease was lost', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }]);
      const end = run.go([]);
      await settled();
      store.takeOver(execution.id);
      const before = store.commits.length;
      await attempt.end(output(1));
      expect(await end).toBe('lost');
      expect(store.commits).toHaveLength(before);
    });

    it('a run that is stopped aborts its attempts and ends immediately', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      const end = run.go([]);
      await settled();
      run.stop();
      expect(await end).toBe('lost');
      expect(attempt.signals[0]?.aborted).toBe(true);
      expect(types()).not.toContain('workflow.node.complete a');
    });

    it('`Run.go` rejects with the error of the store, unless the error is a lost lease', async () => {
      const refusal = new Error('The disk is full.');
      const { run } = runOf([{ id: 'a', type: 'pure' }], {
        context: { executions: { ...boundTo(store), advance: () => Promise.reject(refusal) } },
      });
      await expect(run.go([])).rejects.toBe(refusal);
    });
  });

  describe('while draining', () => {
    it('a draining run releases the lease of an execution that has not started', async () => {
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }]);
      run.drain();
      expect(await run.go([])).toBe('handed_over');
      expect(store.stored(execution.id)).toMatchObject({
        lease: { owner: null },
        progress: { status: 'queued', statusReason: HANDED_OVER },
      });
    });

    it('a draining run lets a running attempt finish, records the outcome, and starts no other attempt', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([
        { id: 'a', type: 'effect' },
        { id: 'b', type: 'effect', needs: ['a'] },
      ]);
      const end = run.go([]);
      await settled();
      run.drain();
      await settled();
      await attempt.end(output(1));
      expect(await end).toBe('handed_over');
      expect(types()).toContain('workflow.node.complete a');
      expect(types()).not.toContain('workflow.node.started b');
      expect(store.stored(execution.id).progress.runnableAt).toBe(new Date(START).toISOString());
    });

    it('a draining run aborts a running attempt when the grace period is over', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      const end = run.go([]);
      await settled();
      run.drain();
      run.abandon();
      expect(await end).toBe('handed_over');
      expect(attempt.signals[0]?.aborted).toBe(true);
      expect(types()).not.toContain('workflow.node.failed a');
    });

    it('a draining run hands over the execution when the shutdown interrupts an attempt', async () => {
      attempts.set('a', () => Promise.resolve({ kind: 'interrupted' }));
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      expect(await run.go([])).toBe('handed_over');
      expect(types().at(-1)).toBe('workflow.node.started a');
    });
  });

  describe('after a recovery', () => {
    const running: readonly JournalEvent[] = [queued(null)];

    it('a run commits the recovery event before it starts an attempt', async () => {
      const committed: number[] = [];
      attempts.set('a', () => {
        committed.push(store.commits.length);
        return output(1);
      });
      const first = runOf([{ id: 'a', type: 'effect' }]);
      const recovery = recovered(fold(running), START, 'crash');
      await first.run.go([recovery]);
      expect(store.commits[0]?.events).toEqual([recovery]);
      expect(committed).toEqual([2]);
    });
  });

  describe('with a new execution', () => {
    it('`Run.begin()` makes the first decisions in memory and commits nothing', async () => {
      const { run } = runOf([
        { id: 'a', type: 'pure' },
        { id: 'b', type: 'effect', needs: ['a'] },
      ]);
      const decided = await run.begin();
      expect(decided.map(({ type }) => type)).toEqual([
        'workflow.started',
        'workflow.node.started',
        'workflow.node.complete',
        'workflow.node.started',
      ]);
      expect(store.commits).toEqual([]);
    });

    it('the run of a new execution starts attempts only after the start of the execution is committed', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }]);
      const decided = await run.begin();
      expect(attempt.orders).toEqual([]);
      const written = await store.advance(execution, decided, false);
      run.started(written);
      const end = run.go([]);
      await settled();
      expect(attempt.orders).toHaveLength(1);
      await attempt.end(output(1));
      expect(await end).toBe('ended');
      expect(types().filter((type) => type === 'workflow.started')).toHaveLength(1);
    });

    it('`Run.discard()` releases the memory of a new execution whose start is not committed', async () => {
      attempts.set('a', () => output('x'));
      const { run } = runOf([{ id: 'a', type: 'pure' }]);
      const before = memory.isFull;
      await run.begin();
      run.discard();
      expect(memory.isFull).toBe(before);
    });

    it('`Run.endTooLarge()` returns a single event: the failure of the execution with the error `execution_too_large`', async () => {
      const { run } = runOf([{ id: 'a', type: 'pure' }]);
      await run.begin();
      const events = run.endTooLarge(MAX_BYTES + 1);
      expect(events).toMatchObject([
        { type: 'workflow.failed', data: { error: { type: 'execution_too_large' } } },
      ]);
    });
  });

  describe('over the size limit', () => {
    it('a run that exceeds the size limit discards its uncommitted events and fails the execution', async () => {
      attempts.set('a', () => output('x'.repeat(5_000)));
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }], { context: { maxBytes: 2_000 } });
      expect(await run.go([])).toBe('ended');
      expect(store.stored(execution.id).progress).toMatchObject({
        status: 'failed',
        error: { type: 'execution_too_large' },
      });
      expect(types()).not.toContain('workflow.node.complete a');
    });
  });

  describe('at its timeout', () => {
    it('a run ends its execution at the timeout and aborts the running attempt', async () => {
      const attempt = new HeldAttempt();
      attempts.set('a', attempt.run);
      const { run, execution } = runOf([{ id: 'a', type: 'effect' }], { config: { timeout_seconds: 30 } });
      const end = run.go([]);
      await settled();
      await pass(29_999);
      expect(statusOf(execution)).toBe('running');
      await pass(1);
      expect(await end).toBe('ended');
      expect(statusOf(execution)).toBe('timed_out');
      expect(attempt.signals[0]?.aborted).toBe(true);
    });
  });

  describe('with a child', () => {
    it('a run commits a child together with the event that names the child, and then calls `onChildrenStarted`', async () => {
      const child = { execution: newExecution({}) } as unknown as NewExecution;
      attempts.set('a', () => ({ kind: 'child', executionId: 'child-1', child }));
      const { run } = runOf([{ id: 'a', type: 'effect' }]);
      const end: RunEnd = await run.go([]);
      expect(end).toBe('suspended');
      expect(store.commits.find((commit) => commit.children.length > 0)?.children).toEqual([child]);
      expect(children).toBe(1);
    });

    it.each(['after', 'together with'])(
      'if a node requests a child %s the stop of the run, the run does not commit the child and calls `child.settled`',
      async (when) => {
        let isGivenBack = false;
        const uncommitted = { settled: () => (isGivenBack = true) } as unknown as NewExecution;
        const child = new HeldAttempt();
        attempts.set('a', child.run);
        const { run } = runOf([{ id: 'a', type: 'effect' }]);
        const end = run.go([]);
        await settled();
        if (when === 'after') run.stop();
        const came = child.end({ kind: 'child', executionId: 'late', child: uncommitted });
        run.stop();
        await came;
        expect(await end).toBe('lost');
        expect([isGivenBack, store.commits.flatMap((commit) => commit.children)]).toEqual([true, []]);
      },
    );
  });
});

function boundTo(store: HeldExecutions): RunContext['executions'] {
  return {
    advance: store.advance.bind(store),
    handBack: store.handBack.bind(store),
    release: store.release.bind(store),
  };
}
