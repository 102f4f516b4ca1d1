import { describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { paused, queued } from '../../test/support/simulated-run.js';
import type { JournalEvent } from '../execution-events/index.js';
import { fold } from './fold.js';
import { nodeEvent, nodeFailed, workflowEvent } from './recorded.js';
import { recovered, suspended } from './settle.js';
import { awaitedChildren, nodeState, PENDING } from './state.js';

const plan = planOf([
  { id: 'a', type: 'effect', on_error: 'continue' },
  { id: 'b', type: 'effect' },
]);
const [a, b] = plan.order as [(typeof plan.order)[0], (typeof plan.order)[0]];
const PROGRESS = { completed: 0, total: 2 };

const QUEUED = queued({ amount: 1 }, 1_000);
const STARTED = workflowEvent('workflow.started', 2_000, {
  status: 'running',
  workflow_version: 3,
  timeout_at: '1970-01-01T00:01:00.000Z',
  progress: PROGRESS,
});

function started(
  node: typeof a,
  attempt: number,
  at: number,
  resumption?: { kind: 'timer'; at: number },
): JournalEvent {
  return nodeEvent('workflow.node.started', at, node, attempt, {
    status: 'running',
    input: {},
    ...(resumption === undefined ? {} : { resumption }),
  });
}

function resumed(status: 'running' | 'queued'): JournalEvent {
  return workflowEvent('workflow.resumed', 4_000, { status, reason: 'request' });
}

function complete(node: typeof a, attempt: number): JournalEvent {
  return nodeEvent('workflow.node.complete', 9_000, node, attempt, {
    status: 'completed',
    output: 42,
    duration_ms: 1,
    cached: false,
    progress: PROGRESS,
  });
}

function retrying(node: typeof a, attempt: number): JournalEvent {
  return nodeEvent('workflow.node.retrying', 4_000, node, attempt, {
    status: 'retrying',
    error: { code: 'boom', message: 'Boom.' },
    duration_ms: 1,
    retry_at: '1970-01-01T00:00:05.000Z',
    delay_ms: 1_000,
    max_attempts: 3,
  });
}

function waiting(node: typeof a, wakeAt: string | null): JournalEvent {
  const data = { status: 'waiting', waiting_for: 'timer', wake_at: wakeAt } as const;
  return nodeEvent('workflow.node.waiting', 4_000, node, 1, data);
}

describe('fold', () => {
  it('`fold` of no events returns an empty, queued state', () => {
    expect(fold([])).toMatchObject({
      status: 'queued',
      sequence: 0,
      settled: 0,
      running: 0,
      startedAt: null,
    });
  });

  it('`fold` returns the given state object if there are no new events', () => {
    const state = fold([QUEUED]);
    expect(fold([], state)).toBe(state);
  });

  it('`fold` reads the version, input, trigger and times of an execution from the first events', () => {
    expect(fold([QUEUED, STARTED])).toMatchObject({
      status: 'running',
      sequence: 2,
      workflowVersion: 3,
      input: { amount: 1 },
      trigger: { type: 'api', id: null },
      queuedAt: 1_000,
      startedAt: 2_000,
      timeoutAt: 60_000,
    });
  });

  it('`fold` records the failed attempt, the retry and the completion of a node', () => {
    const running = fold([QUEUED, STARTED, started(a, 1, 3_000)]);
    expect(running).toMatchObject({ running: 1, settled: 0 });
    expect(nodeState(running, 'a')).toEqual({ ...PENDING, status: 'running', attempt: 1, startedAt: 3_000 });
    const again = fold([retrying(a, 1)], running);
    expect(again.running).toBe(0);
    expect(nodeState(again, 'a')).toMatchObject({
      status: 'retrying',
      error: { code: 'boom' },
      wakeAt: 5_000,
    });
    const done = fold([started(a, 2, 5_000), complete(a, 2)], again);
    expect(done).toMatchObject({ running: 0, settled: 1, sequence: 6 });
    expect(nodeState(done, 'a')).toEqual({
      ...PENDING,
      status: 'completed',
      attempt: 2,
      startedAt: 5_000,
      output: 42,
    });
  });

  it('`fold` counts each failed or skipped node once in the number of settled nodes', () => {
    const failed = nodeFailed(a, 1, 3_000, { code: 'boom', message: 'Boom.' }, 0, PROGRESS);
    const skipped = nodeEvent('workflow.node.skipped', 3_000, b, 1, {
      status: 'skipped',
      reason: 'condition_false',
      progress: PROGRESS,
    });
    const state = fold([QUEUED, STARTED, failed, skipped]);
    expect(state).toMatchObject({ settled: 2, running: 0 });
    expect(nodeState(state, 'a')).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'boom' },
    });
    expect(nodeState(state, 'b')).toEqual({ ...PENDING, status: 'skipped' });
  });

  it('`fold` clears the wake-up time of a node that fails while the node waits for its next attempt', () => {
    const failed = nodeFailed(a, 2, 5_000, { code: 'boom', message: 'Boom.' }, 0, PROGRESS);
    const state = fold([QUEUED, STARTED, started(a, 1, 3_000), retrying(a, 1), failed]);
    expect(nodeState(state, 'a')).toMatchObject({ status: 'failed', attempt: 2, wakeAt: null });
  });

  it('`fold` keeps the timer or message that resumed an attempt until the attempt ends or waits again', () => {
    const resumption = { kind: 'timer', at: 5_000 } as const;
    const woken = fold([
      QUEUED,
      STARTED,
      started(a, 1, 3_000),
      waiting(a, '1970-01-01T00:00:05.000Z'),
      started(a, 1, 5_000, resumption),
    ]);
    expect(nodeState(woken, 'a')).toMatchObject({ status: 'running', resumption, wakeAt: null });
    expect(nodeState(fold([waiting(a, null)], woken), 'a')).toMatchObject({
      status: 'waiting',
      resumption: null,
      wakeAt: null,
    });
    expect(nodeState(fold([retrying(a, 1)], woken), 'a')).toMatchObject({
      status: 'retrying',
      resumption: null,
    });
  });

  it('`fold` of a progress event changes only the sequence number of the state', () => {
    const before = fold([QUEUED, STARTED, started(a, 1, 3_000)]);
    const progress = nodeEvent('workflow.node.progress', 3_500, a, 1, {
      status: 'running',
      fraction: 0.5,
      message: null,
    });
    expect(fold([progress], before)).toEqual({ ...before, sequence: before.sequence + 1 });
    expect(fold([complete(a, 1), progress], before).settled).toBe(1);
  });

  it('`fold` of a recovery event resets only running attempts', () => {
    const resumption = { kind: 'timer', at: 5_000 } as const;
    const before = fold([
      QUEUED,
      STARTED,
      started(a, 2, 3_000, resumption),
      started(b, 1, 3_000),
      waiting(b, null),
    ]);
    const after = fold([recovered(before, 6_000, 'crash')], before);
    expect(after).toMatchObject({ status: 'running', running: 0, recoveries: 1 });
    expect(nodeState(after, 'a')).toEqual({ ...PENDING, attempt: 1, startedAt: 3_000, resumption });
    expect(nodeState(after, 'b')).toEqual(nodeState(before, 'b'));
    expect(nodeState(before, 'a').status).toBe('running');
  });

  it('`fold` of a recovery event changes the status only if the execution was waiting', () => {
    const statusAfter = (...events: readonly JournalEvent[]): string => {
      const state = fold(events);
      return fold([recovered(state, 6_000, 'hand_over')], state).status;
    };
    expect(statusAfter(QUEUED)).toBe('queued');
    expect(statusAfter(QUEUED, STARTED)).toBe('running');
    expect(statusAfter(QUEUED, STARTED, suspended(fold([]), 3_000, null))).toBe('running');
    expect(statusAfter(QUEUED, STARTED, paused(3_000))).toBe('paused');
    expect(statusAfter(QUEUED, STARTED, paused(3_000), resumed('running'))).toBe('running');
    expect(statusAfter(QUEUED, paused(3_000), resumed('queued'))).toBe('queued');
  });

  it('`fold` keeps the signal or child for which a node waits, until the node resumes', () => {
    const waitingFor = (data: object): JournalEvent => ({
      ...waiting(a, null),
      data: { ...waiting(a, null).data, ...data } as never,
    });
    const awaits = (...events: readonly JournalEvent[]): unknown =>
      nodeState(fold([QUEUED, STARTED, started(a, 1, 3_000), ...events]), 'a').awaits;
    const signal = waitingFor({ waiting_for: 'signal', signal: 'go' });
    const child = waitingFor({ waiting_for: 'child', child_execution_id: 'c1' });
    expect(awaits(waiting(a, null))).toBeNull();
    expect(awaits(signal)).toEqual({ kind: 'signal', name: 'go' });
    expect(awaits(child)).toEqual({ kind: 'child', id: 'c1' });
    expect(awaits(signal, started(a, 1, 5_000))).toBeNull();
    const begun = [QUEUED, STARTED, started(a, 1, 3_000), child, started(b, 1, 3_000)];
    expect(awaitedChildren(fold(begun))).toEqual(['c1']);
    expect(awaitedChildren(fold([...begun, started(a, 1, 5_000)]))).toEqual([]);
    expect(awaitedChildren(fold([...begun, signal]))).toEqual([]);
  });

  it('`fold` takes the scheduled start time of an execution from `workflow.queued`', () => {
    expect(fold([QUEUED]).scheduledFor).toBeNull();
    expect(fold([queued({}, 0, 7_000)]).scheduledFor).toBe(7_000);
  });

  it('`fold` of 100 nodes gives the same state for events one by one as for all events together', () => {
    const { order } = planOf(
      Array.from({ length: 100 }, (_, index) => ({ id: `n${index}`, type: 'effect' })),
    );
    const events = [
      QUEUED,
      STARTED,
      ...order.map((node) => started(node, 1, 3_000)),
      ...order
        .slice(0, 60)
        .reverse()
        .map((node) => complete(node, 1)),
    ];
    const byOne = events.reduce((state, event) => fold([event], state), fold([]));
    expect([...byOne.nodes]).toEqual([...fold(events).nodes]);
    expect([...byOne.nodes].map(([id]) => id)).toEqual(order.map(({ id }) => id));
    expect(order.map(({ id }) => nodeState(byOne, id).status)).toEqual(
      order.map((_, index) => (index < 60 ? 'completed' : 'running')),
    );
    expect(byOne).toMatchObject({ settled: 60, running: 40 });
  });

  it('`fold` of a recovery event resets an attempt whose start is in the same batch of events', () => {
    const lost = recovered(fold([QUEUED, STARTED, started(a, 1, 3_000)]), 4_000, 'crash');
    const state = fold([started(a, 1, 3_000), lost], fold([QUEUED, STARTED]));
    expect(state.running).toBe(0);
    expect(nodeState(state, 'a').status).toBe('pending');
  });

  it('`fold` throws on an unknown event type', () => {
    const odd = { at: 1, attempt: null, data: {} };
    expect(() => fold([{ ...odd, type: 'workflow.exploded', nodeId: null } as never])).toThrow(
      'workflow.exploded',
    );
    expect(() => fold([{ ...odd, type: 'workflow.node.exploded', nodeId: 'a' } as never])).toThrow(
      'workflow.node.exploded',
    );
  });
});

describe('reminders', () => {
  const reminder = nodeEvent('workflow.node.progress', 9_000, a, 1, {
    status: 'waiting',
    fraction: 0,
    message: null,
    reminder: 3,
  });
  function waitingFor(own: {
    readonly signal?: string;
    readonly remind_every_seconds?: number;
  }): JournalEvent {
    const data = { status: 'waiting', waiting_for: 'signal', wake_at: null, ...own } as const;
    return nodeEvent('workflow.node.waiting', 4_000, a, 1, data);
  }

  it('`fold` keeps the number of reminders that a wait has sent', () => {
    const state = fold([QUEUED, STARTED, waitingFor({ signal: 'go', remind_every_seconds: 60 }), reminder]);
    expect(nodeState(state, 'a').awaits).toEqual({
      kind: 'signal',
      name: 'go',
      reminders: { since: 4_000, everyMs: 60_000, sent: 3 },
    });
  });

  it.each([
    ['waits without reminders', waitingFor({ signal: 'go' })],
    ['waits without a message', waitingFor({})],
    ['has been resumed', started(a, 1, 4_000)],
    [
      'waits for a child',
      nodeEvent('workflow.node.waiting', 4_000, a, 1, {
        status: 'waiting',
        waiting_for: 'child',
        wake_at: null,
        child_execution_id: 'child-1',
      }),
    ],
  ])('a reminder does not change the state if the node %s', (_what, event) => {
    const before = fold([QUEUED, STARTED, event]);
    expect(nodeState(fold([reminder], before), 'a')).toEqual(nodeState(before, 'a'));
  });
});
