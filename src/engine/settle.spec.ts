import { describe, expect, it } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import type { JournalEvent } from '../execution-events/index.js';
import { fold } from './fold.js';
import { next } from './next.js';
import {
  type AttemptOutcome,
  cancelled,
  progressed,
  recovered,
  recoveryExhausted,
  settle,
  suspended,
} from './settle.js';
import type { ExecutionState } from './state.js';

const BEGUN = 10_000;
const plan = planOf([
  {
    id: 'a',
    type: 'effect',
    on_error: 'continue',
    retry: { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 400 },
  },
  { id: 'b', type: 'effect' },
]);
const running = stateAfter(fold([queued({}, 0)]));
const [a, b] = plan.order as [(typeof plan.order)[0], (typeof plan.order)[0]];

/** Returns the state after all nodes that can start have started. */
function stateAfter(state: ExecutionState): ExecutionState {
  return fold(next(plan, state, BEGUN, EVALUATION_CONTEXT).events, state);
}

function settled(outcome: AttemptOutcome, node = a, attempt = 1, random = 0): JournalEvent {
  return settle(plan, running, { node, attempt }, outcome, BEGUN + 250, random);
}

const BOOM: AttemptOutcome = {
  kind: 'failure',
  retryable: true,
  error: { code: 'boom', message: 'Boom.', details: [1] },
};

describe('settle', () => {
  it('`settle` records the output of a node and the new number of completed nodes', () => {
    expect(settled({ kind: 'output', output: { x: 1 }, cached: true })).toEqual({
      type: 'workflow.node.complete',
      at: BEGUN + 250,
      nodeId: 'a',
      attempt: 1,
      data: {
        node_id: 'a',
        node_type: 'effect',
        status: 'completed',
        output: { x: 1 },
        duration_ms: 250,
        cached: true,
        progress: { completed: 1, total: 2 },
      },
    });
  });

  it('`settle` records the log lines of a node', () => {
    const outcome = { kind: 'output', output: 1, cached: false, logs: ['one', 'two'] } as const;
    expect(settled(outcome)).toMatchObject({ data: { output: 1, logs: ['one', 'two'] } });
  });

  it('`settle` records a retry with its backoff', () => {
    expect(settled(BOOM, a, 2, 0.5)).toMatchObject({
      type: 'workflow.node.retrying',
      attempt: 2,
      data: {
        error: BOOM.error,
        delay_ms: 300,
        retry_at: '1970-01-01T00:00:10.550Z',
        max_attempts: 3,
        duration_ms: 250,
      },
    });
  });

  it('`settle` fails a node after its last attempt, or immediately if the error is not retryable', () => {
    const failed = {
      type: 'workflow.node.failed',
      data: { error: BOOM.error, progress: { completed: 1, total: 2 } },
    };
    expect(settled(BOOM, a, 3)).toMatchObject({ ...failed, data: { ...failed.data, continued: true } });
    expect(settled({ ...BOOM, retryable: false })).toMatchObject(failed);
    expect(settled(BOOM, b)).toMatchObject({ ...failed, data: { ...failed.data, continued: false } });
  });

  it('`settle` records the timer or signal that a node waits for', () => {
    expect(settled({ kind: 'suspend', wait: { for: 'timer', until: 60_000 } }).data).toEqual({
      node_id: 'a',
      node_type: 'effect',
      status: 'waiting',
      waiting_for: 'timer',
      wake_at: '1970-01-01T00:01:00.000Z',
    });
    const signal = { for: 'signal', until: null, signal: 'approved' } as const;
    expect(settled({ kind: 'suspend', wait: signal }).data).toMatchObject({
      wake_at: null,
      signal: 'approved',
    });
  });

  it('`settle` records the question and the links of an approval', () => {
    const approval = { title: 'Refund?', description: 'Order 4711.' };
    const links = { approve_url: 'https://x/yes', reject_url: 'https://x/no' };
    const wait = { for: 'signal', until: null, signal: 'refund', approval } as const;
    expect(settled({ kind: 'suspend', wait, links }).data).toMatchObject({
      waiting_for: 'signal',
      signal: 'refund',
      ...approval,
      ...links,
    });
  });

  it('`settle` records the child that a node waits for', () => {
    expect(settled({ kind: 'child', executionId: 'c1' }).data).toEqual({
      node_id: 'a',
      node_type: 'effect',
      status: 'waiting',
      waiting_for: 'child',
      wake_at: null,
      child_execution_id: 'c1',
    });
  });

  it.each([Number.NaN, Infinity, 9e15, Date.UTC(10_000, 0, 1)])(
    '`settle` fails a node that waits until %d, which is not a valid time',
    (until) => {
      expect(settled({ kind: 'suspend', wait: { for: 'timer', until } })).toMatchObject({
        type: 'workflow.node.failed',
        data: { error: { code: 'invalid_wait' } },
      });
    },
  );

  it('`settle` records a duration of 0 if the clock was set back during the attempt', () => {
    const back = settle(plan, running, { node: a, attempt: 1 }, BOOM, BEGUN - 5, 0);
    expect(back.data).toMatchObject({ duration_ms: 0 });
  });

  it('`settle` records a duration of 0 for an attempt without a start event', () => {
    expect(settle(plan, fold([queued({}, 0)]), { node: a, attempt: 1 }, BOOM, BEGUN, 0).data).toMatchObject({
      duration_ms: 0,
    });
  });

  it('`settle` throws on an unknown outcome', () => {
    expect(() => settled({ kind: 'shrug' } as never)).toThrow('shrug');
  });
});

describe('events of the whole execution', () => {
  const asleep = fold(
    [settled(BOOM), settled({ kind: 'suspend', wait: { for: 'signal', until: null } }, b)],
    running,
  );

  it('`workflow.waiting` names the nodes that a suspended execution waits for', () => {
    expect(suspended(asleep, BEGUN, null).data).toEqual({
      status: 'waiting',
      wake_at: null,
      node_ids: ['a', 'b'],
    });
    expect(suspended(running, BEGUN, 20_000).data).toEqual({
      status: 'waiting',
      wake_at: '1970-01-01T00:00:20.000Z',
      node_ids: [],
    });
  });

  it('`workflow.recovered` names the interrupted nodes, and counts the recovery only if a process crashed', () => {
    expect(recovered(running, BEGUN, 'crash').data).toEqual({
      status: 'running',
      cause: 'crash',
      recoveries: 1,
      node_ids: ['a', 'b'],
    });
    expect(recovered(asleep, BEGUN, 'hand_over').data).toMatchObject({ recoveries: 0, node_ids: [] });
  });

  it('`recoveryExhausted` returns the event that fails an execution whose processes keep crashing', () => {
    const lost = fold([recovered(running, BEGUN, 'crash')], running);
    expect(recoveryExhausted(plan, lost, BEGUN + 7)).toMatchObject({
      type: 'workflow.failed',
      data: {
        status: 'failed',
        error: { type: 'recovery_exhausted', node_id: null },
        duration_ms: 7,
        progress: { completed: 0, total: 2 },
      },
    });
  });

  it('a cancellation ends an execution, whether the execution has started or not', () => {
    expect(cancelled(2, running, BEGUN + 7, 'enough')).toMatchObject({
      type: 'workflow.cancelled',
      nodeId: null,
      data: { status: 'cancelled', reason: 'enough', duration_ms: 7, progress: { completed: 0, total: 2 } },
    });
    expect(cancelled(2, fold([queued({}, 0)]), BEGUN, null).data).toMatchObject({
      reason: null,
      duration_ms: 0,
    });
  });

  it.each([
    [0.25, 0.25],
    [-1, 0],
    [7, 1],
    [Number.NaN, 0],
  ])(
    '`settle` limits the progress of a node to the range from 0 to 1: %d becomes %d',
    (fraction, expected) => {
      expect(progressed({ node: a, attempt: 2 }, fraction, 'Copying.', BEGUN)).toMatchObject({
        attempt: 2,
        data: { fraction: expected, message: 'Copying.' },
      });
    },
  );
});
