import { describe, expect, it } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import type { EventOf, JournalEvent } from '../execution-events/index.js';
import { fold } from './fold.js';
import { next } from './next.js';
import type { Plan } from './plan.js';
import type { PlannedNode } from './planned-node.js';
import { nodeEvent, nodeFailed } from './recorded.js';
import { hasFailedNode, reusedEvents, type ReuseRequest } from './reuse.js';

const NOW = 50_000;
const PROGRESS = { completed: 9, total: 9 };
const plan = planOf([
  { id: 'a', type: 'effect' },
  { id: 'b', type: 'effect', needs: ['a'], on_error: 'continue' },
  { id: 'c', type: 'effect', needs: ['b'] },
  { id: 'd', type: 'effect', needs: ['a'] },
  { id: 'e', type: 'pure' },
]);

function node(id: string): PlannedNode {
  const found = plan.nodes.get(id);
  if (found === undefined) throw new Error(id);
  return found;
}

function started(id: string, attempt = 1): JournalEvent {
  return nodeEvent('workflow.node.started', 1_000, node(id), attempt, { status: 'running', input: { id } });
}

function complete(id: string, attempt = 1, more: { readonly reused_from?: string } = {}): JournalEvent {
  return nodeEvent('workflow.node.complete', 2_000, node(id), attempt, {
    status: 'completed',
    output: `of ${id}`,
    duration_ms: 7,
    cached: true,
    progress: PROGRESS,
    ...more,
  });
}

function skipped(id: string): JournalEvent {
  const data = { status: 'skipped', reason: 'condition_false', progress: PROGRESS } as const;
  return nodeEvent('workflow.node.skipped', 2_000, node(id), 1, data);
}

function failed(id: string): JournalEvent {
  return nodeFailed(node(id), 1, 2_000, { code: 'boom', message: 'Boom.' }, 1, PROGRESS);
}

function reused(events: readonly JournalEvent[], more: Partial<ReuseRequest> = {}): readonly JournalEvent[] {
  return reusedEvents({
    events,
    executionId: 'source',
    plan,
    isSame: () => true,
    reset: [],
    now: NOW,
    ...more,
  });
}

function names(events: readonly JournalEvent[]): readonly string[] {
  return events.map(({ type, nodeId }) => `${nodeId} ${type.replace('workflow.node.', '')}`);
}

const ALL = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [started(id), complete(id)]);

describe('reusedEvents', () => {
  it('a retry reuses completed nodes, and the events of these nodes name the original execution', () => {
    const events = reused([started('a'), started('a', 2), complete('a', 2)]);
    expect(events).toEqual([
      { ...started('a', 2), at: NOW },
      {
        ...complete('a', 2),
        at: NOW,
        data: {
          ...complete('a', 2).data,
          cached: false,
          reused_from: 'source',
          progress: { completed: 1, total: 5 },
        },
      },
    ]);
  });

  it('a retry records reused events in the order of the plan, and the progress in these events starts with one completed node', () => {
    const events = reused([skipped('e'), started('d'), complete('d'), started('a'), complete('a')]);
    expect(names(events)).toEqual(['a started', 'a complete', 'd started', 'd complete', 'e skipped']);
    expect(events.flatMap(({ data }) => ('progress' in data ? [data.progress] : []))).toEqual(
      [1, 2, 3].map((completed) => ({ completed, total: 5 })),
    );
  });

  it('a retry does not reuse failed, interrupted or pending nodes, or the nodes that depend on these nodes', () => {
    const events = [
      started('a'),
      complete('a'),
      started('b'),
      failed('b'),
      started('c'),
      complete('c'),
      started('d'),
    ];
    expect(names(reused(events))).toEqual(['a started', 'a complete']);
  });

  it('a retry does not reuse nodes that the caller resets, or the nodes that depend on these nodes', () => {
    expect(names(reused(ALL, { reset: ['b'] }))).toEqual([
      'a started',
      'a complete',
      'd started',
      'd complete',
      'e started',
      'e complete',
    ]);
    expect(names(reused(ALL, { reset: ['a'] }))).toEqual(['e started', 'e complete']);
  });

  it('a retry does not reuse changed or new nodes, or the nodes that depend on these nodes', () => {
    expect(names(reused(ALL, { isSame: (id) => id !== 'a' }))).toEqual(['e started', 'e complete']);
    const later: Plan = planOf([
      { id: 'new', type: 'effect' },
      { id: 'e', type: 'pure', needs: ['new'] },
    ]);
    expect(reused(ALL, { plan: later })).toEqual([]);
  });

  it('a retry does not reuse the output of a node that completed and then started again', () => {
    expect(names(reused([complete('e'), started('e')]))).toEqual([]);
    expect(names(reused([complete('e')]))).toEqual(['e complete']);
  });

  it('a retry reuses the start and completion of a loop, but not the events inside the loop', () => {
    const loop = started('a') as EventOf<'workflow.node.started'>;
    const inside = complete('b') as EventOf<'workflow.node.complete'>;
    const events = reused([
      { ...loop, data: { ...loop.data, iterations: 2 } },
      { ...inside, data: { ...inside.data, iteration: 0, iteration_of: 'a' } },
      complete('a'),
    ]);
    expect(names(events)).toEqual(['a started', 'a complete']);
    expect(events[0]?.data).not.toHaveProperty('iterations');
  });

  it('a retry of a retry names the execution that originally ran the node', () => {
    const [, event] = reused([started('a'), complete('a', 1, { reused_from: 'the first' })]);
    expect(event?.data).toMatchObject({ reused_from: 'the first' });
  });

  it('a retry runs only the nodes that it does not reuse, and counts reused nodes as completed', () => {
    const state = fold([queued({}, NOW), ...reused([started('a'), complete('a'), skipped('e')])]);
    const { events, runs } = next(plan, state, NOW, EVALUATION_CONTEXT);
    expect(runs.map(({ node: { id } }) => id)).toEqual(['b', 'd']);
    expect(events[0]).toMatchObject({
      type: 'workflow.started',
      data: { progress: { completed: 2, total: 5 } },
    });
  });

  it('a retry completes immediately if it reuses every node', () => {
    const state = fold([queued({}, NOW), ...reused(ALL)]);
    expect(next(plan, state, NOW, EVALUATION_CONTEXT).events.map(({ type }) => type)).toEqual([
      'workflow.started',
      'workflow.completed',
    ]);
  });
});

it('`hasFailedNode` is true for a failed node even if the execution continued', () => {
  expect([hasFailedNode(ALL), hasFailedNode([...ALL, failed('b')])]).toEqual([false, true]);
});
