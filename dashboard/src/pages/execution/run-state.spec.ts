import { describe, expect, it } from 'vitest';
import type { WorkflowEvent } from '../../api/index.ts';
import { graphOf } from './run-graph.ts';
import { RunJournal } from './run-journal.ts';
import { itemsDone, itemsOf, NO_ITEMS } from './loop-run.ts';
import { RunHistory } from './run-history.ts';
import { fold, INITIAL_RUN_STATE, runOf } from './run-state.ts';
import { moved, scaled, windowOf, zoomOf } from './time-window.ts';
import { criticalPath, readyAt, ticksOf } from './timeline-scale.ts';

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');

type TestEvent = Pick<WorkflowEvent, 'type'> & Partial<Pick<WorkflowEvent, 'node_id' | 'attempt' | 'data'>>;

function journalOf(...events: readonly TestEvent[]): readonly WorkflowEvent[] {
  return events.map((event, index) => ({
    id: `event-${index + 1}`,
    sequence: index + 1,
    cursor: String(index + 1),
    created_at: new Date(BEGIN + index * 1000).toISOString(),
    project_id: 'p',
    workflow_id: 'w',
    execution_id: 'e',
    session_id: null,
    node_id: null,
    attempt: null,
    data: {},
    ...event,
  }));
}

const at = (seconds: number): number => BEGIN + seconds * 1000;
const node = (
  type: `workflow.node.${string}`,
  node_id: string,
  data: WorkflowEvent['data'] = {},
  attempt = 1,
) =>
  ({
    type: type as WorkflowEvent['type'],
    node_id,
    attempt,
    data: { node_id, node_type: 'http', ...data },
  }) as const;

const RUN = journalOf(
  { type: 'workflow.queued', data: { status: 'queued' } },
  { type: 'workflow.started', data: { status: 'running', progress: { completed: 0, total: 2 } } },
  node('workflow.node.started', 'charge', { input: { url: 'x' } }),
  node('workflow.node.retrying', 'charge', {
    error: { code: 'http_status_error', message: '503' },
    retry_at: new Date(at(5)).toISOString(),
    max_attempts: 3,
  }),
  node('workflow.node.started', 'charge', { input: { url: 'x' } }, 2),
  node('workflow.node.complete', 'charge', { output: 7, progress: { completed: 1, total: 2 } }, 2),
  node('workflow.node.started', 'pickup'),
  node('workflow.node.waiting', 'pickup', { waiting_for: 'signal', signal: 'picked', wake_at: null }),
);

describe('state of an execution', () => {
  it('folding events in two parts gives the same execution state as folding all events at once', () => {
    const whole = fold(INITIAL_RUN_STATE, RUN);
    for (let cut = 0; cut <= RUN.length; cut += 1)
      expect(fold(fold(INITIAL_RUN_STATE, RUN.slice(0, cut)), RUN.slice(cut))).toEqual(whole);
  });

  it('the execution state contains the attempts of each node, the delays between the attempts and the awaited signal', () => {
    const { nodes, status, progress, sequence } = fold(INITIAL_RUN_STATE, RUN);
    expect({ status, progress, sequence }).toEqual({
      status: 'running',
      progress: { completed: 1, total: 2 },
      sequence: 8,
    });
    expect(nodes.get('charge')).toMatchObject({
      status: 'completed',
      attempt: 2,
      maxAttempts: 3,
      output: { value: 7, url: null },
      segments: [
        { kind: 'run', attempt: 1, from: at(2), to: at(3), outcome: 'failed', error: { message: '503' } },
        { kind: 'retry', from: at(3), to: at(4) },
        { kind: 'run', attempt: 2, from: at(4), to: at(5), outcome: 'completed' },
      ],
    });
    expect(nodes.get('pickup')).toMatchObject({
      status: 'waiting',
      waiting: { kind: 'signal', signal: 'picked', wakeAt: null },
    });
  });

  it('the execution state shows an attempt that a crash interrupted as interrupted, not as failed', () => {
    const { nodes, recoveries } = fold(
      INITIAL_RUN_STATE,
      journalOf(
        { type: 'workflow.started' },
        node('workflow.node.started', 'a'),
        { type: 'workflow.recovered', data: { cause: 'crash' } },
        node('workflow.node.started', 'a'),
      ),
    );
    expect(recoveries).toBe(1);
    expect(nodes.get('a')?.status).toBe('running');
    expect(nodes.get('a')?.segments.map(({ outcome }) => outcome)).toEqual(['interrupted', 'running']);
  });

  it('after a crash, the running nodes of a loop are pending again, and the loop itself stays running', () => {
    const state = fold(
      INITIAL_RUN_STATE,
      journalOf(
        { type: 'workflow.started' },
        node('workflow.node.started', 'each', { iterations: 1 }),
        node('workflow.node.started', 'say', { iteration: 0, iteration_of: 'each' }),
        { type: 'workflow.recovered', data: { cause: 'crash' } },
      ),
    );
    expect(state.nodes.get('each')?.status).toBe('running');
    expect(runOf(state, 'each[0].say')?.status).toBe('pending');
  });

  it('an event of an unknown type changes only the sequence number and the time of the execution state', () => {
    const before = fold(INITIAL_RUN_STATE, journalOf({ type: 'workflow.started' }));
    const unknown = { ...node('workflow.node.exploded', 'a'), sequence: 2 };
    const events = journalOf({ type: 'workflow.started' }, unknown);
    expect(fold(INITIAL_RUN_STATE, events)).toEqual({ ...before, sequence: 2, at: at(1) });
  });

  it('the nodes that run when an execution times out are shown as cancelled', () => {
    const { nodes, status, endedAt } = fold(
      INITIAL_RUN_STATE,
      journalOf({ type: 'workflow.started' }, node('workflow.node.started', 'a'), {
        type: 'workflow.failed',
        data: { status: 'timed_out', error: { type: 'timeout', message: 'Too long.' } },
      }),
    );
    expect({ status, endedAt }).toEqual({ status: 'timed_out', endedAt: at(2) });
    expect(nodes.get('a')?.status).toBe('cancelled');
  });

  it('the execution state contains a separate node status for each item of a loop', () => {
    const inside = (iteration: number) => ({
      iteration,
      iteration_of: 'each',
      progress: { completed: 0, total: 1 },
    });
    const state = fold(
      INITIAL_RUN_STATE,
      journalOf(
        { type: 'workflow.started', data: { progress: { completed: 0, total: 1 } } },
        node('workflow.node.started', 'each', { iterations: 2 }),
        node('workflow.node.started', 'say', inside(0)),
        node('workflow.node.complete', 'say', inside(0)),
        node('workflow.node.started', 'say', inside(1)),
      ),
    );
    expect(state.progress).toEqual({ completed: 0, total: 1 });
    expect(state.nodes.get('each')?.items).toBe(2);
    expect(runOf(state, 'each[0].say')?.status).toBe('completed');
    expect(runOf(state, 'each[1].say')?.status).toBe('running');
    expect(runOf(state, 'each[2].say')).toBeUndefined();
    expect(itemsDone(state.loops.get('each') ?? NO_ITEMS, 1)).toBe(1);
  });

  it('the execution state counts each ended loop item once, even if the items end out of order', () => {
    const inside = (iteration: number) => ({ iteration, iteration_of: 'each' });
    const indexes = Array.from({ length: 200 }, (_, index) => (index * 77) % 200);
    const { loops } = fold(
      INITIAL_RUN_STATE,
      journalOf(
        ...indexes.flatMap((index) => [
          node('workflow.node.started', 'get', inside(index)),
          index % 10 === 0
            ? node('workflow.node.failed', 'get', { ...inside(index), error: { message: 'no' } })
            : node('workflow.node.complete', 'get', inside(index)),
          // The second node in the body of the loop completes only for items with an even index.
          ...(index % 10 !== 0 && index % 2 === 0
            ? [node('workflow.node.complete', 'put', inside(index))]
            : []),
        ]),
      ),
    );
    const loop = loops.get('each') ?? NO_ITEMS;
    expect(itemsOf(loop).map(({ index }) => index)).toEqual(indexes.toSorted((a, b) => a - b));
    expect(loop.failed).toBe(20);
    expect(itemsDone(loop, 2)).toBe(20 + 80);
  });

  it('`RunHistory.at` returns the same state as folding all events up to the given sequence', () => {
    const many = journalOf(
      { type: 'workflow.started' },
      ...Array.from({ length: 700 }, (_, index) => node('workflow.node.started', `n${index % 50}`)),
    );
    const history = new RunHistory();
    for (const sequence of [700, 3, 0, 250, 251, 499, 500, 701])
      expect(history.at(many, sequence)).toEqual(fold(INITIAL_RUN_STATE, many.slice(0, sequence)));
  });

  it('the execution state contains the URL of an output that is too large for its event', () => {
    const { nodes } = fold(
      INITIAL_RUN_STATE,
      journalOf(node('workflow.node.complete', 'a', { output_truncated: true, output_url: '/v1/x' })),
    );
    expect(nodes.get('a')?.output).toEqual({ value: undefined, url: '/v1/x' });
  });
});

describe('RunJournal', () => {
  const opened = (stored: readonly WorkflowEvent[]) => {
    const asked: number[] = [];
    const streamed: (readonly [after: number, upTo: number])[] = [];
    const journal = new RunJournal({
      pageSize: 3,
      readUpTo: async (after, upTo, take) => {
        streamed.push([after, upTo]);
        await Promise.resolve();
        take(stored.slice(after, upTo));
      },
      readPage: (after) => {
        asked.push(after);
        return Promise.resolve(stored.slice(after, after + 3));
      },
      schedule: (show) => show(),
    });
    return { journal, asked, streamed };
  };

  it('`RunJournal` reads the events of an execution page by page', async () => {
    const { journal, asked } = opened(RUN);
    await journal.catchUp();
    expect(asked).toEqual([0, 3, 6]);
    expect(journal.read()).toMatchObject({ isRead: true, events: RUN, state: { sequence: 8 } });
  });

  it('`RunJournal` requests the first page of events, and reads further events up to a given sequence number from a stream', async () => {
    const { journal, asked, streamed } = opened(RUN);
    await journal.catchUp(7);
    expect(streamed).toEqual([[3, 7]]);
    // After the stream, the journal requests one page of events that are newer than the streamed events.
    expect(asked).toEqual([0, 7]);
    expect(journal.read()).toMatchObject({ isRead: true, events: RUN });
  });

  it('`RunJournal` shows the first page of events while it still streams further events', async () => {
    const journal = new RunJournal({
      pageSize: 3,
      readUpTo: () => new Promise(() => undefined),
      readPage: () => Promise.resolve(RUN.slice(0, 3)),
      schedule: (show) => show(),
    });
    void journal.catchUp(8);
    await expect.poll(() => journal.read().state.sequence).toBe(3);
    expect(journal.read().isRead).toBe(false);
  });

  it('`RunJournal` ignores repeated events, and reads missing events before it shows later events', async () => {
    const { journal, asked, streamed } = opened(RUN);
    const [first, second] = RUN;
    const last = RUN.at(-1);
    if (first === undefined || second === undefined || last === undefined) throw new Error('no events');
    journal.take(first);
    journal.take(first);
    journal.take(second);
    expect(asked).toEqual([]);
    expect(journal.read().state.sequence).toBe(2);
    journal.take(last);
    expect(journal.read().state.sequence).toBe(2);
    await expect.poll(() => journal.read().state.sequence).toBe(8);
    expect(streamed).toEqual([[2, 8]]);
    expect(asked).toEqual([8]);
    expect(journal.read().events).toEqual(RUN);
  });

  it('`RunJournal` reports the error of a failed read until a later read succeeds', async () => {
    let broken = true;
    const journal = new RunJournal({
      pageSize: 100,
      readUpTo: () => Promise.resolve(),
      readPage: () => (broken ? Promise.reject(new Error('gone')) : Promise.resolve(RUN)),
      schedule: (show) => show(),
    });
    await journal.catchUp();
    expect(journal.read()).toMatchObject({ isRead: false, error: new Error('gone') });
    broken = false;
    await journal.catchUp();
    expect(journal.read()).toMatchObject({ isRead: true, error: null, events: RUN });
  });
});

describe('graph of an execution', () => {
  it('the graph of an execution sorts nodes by their dependencies, including references in expressions', () => {
    const graph = graphOf([
      { id: 'last', type: 'set', needs: ['first'], with: { value: '{{ nodes.middle.output }}' } },
      { id: 'middle', type: 'set', if: 'nodes["first"].output == 1', with: { value: 'nodes.unknown' } },
      { id: 'first', type: 'set' },
    ]);
    expect(graph.map(({ id, needs }) => [id, needs])).toEqual([
      ['first', []],
      ['middle', ['first']],
      ['last', ['first', 'middle']],
    ]);
    expect(graph[0]?.neededBy).toEqual(['last', 'middle']);
  });

  it('the critical path of an execution contains the nodes that determined its duration', () => {
    const graph = graphOf([
      { id: 'a', type: 'set' },
      { id: 'quick', type: 'set', needs: ['a'] },
      { id: 'slow', type: 'set', needs: ['a'] },
      { id: 'z', type: 'set', needs: ['quick', 'slow'] },
    ]);
    const { nodes, startedAt } = fold(
      INITIAL_RUN_STATE,
      journalOf(
        { type: 'workflow.started' },
        node('workflow.node.started', 'a'),
        node('workflow.node.complete', 'a'),
        node('workflow.node.started', 'slow'),
        node('workflow.node.started', 'quick'),
        node('workflow.node.complete', 'quick'),
        node('workflow.node.complete', 'slow'),
        node('workflow.node.started', 'z'),
      ),
    );
    const z = graph.at(-1);
    if (z === undefined) throw new Error('no nodes');
    expect(readyAt(z, nodes, startedAt)).toBe(at(6));
    expect([...criticalPath(graph, nodes)]).toEqual(['z', 'slow', 'a']);
  });

  it('the axis of the timeline has one to six ticks for any duration', () => {
    expect(ticksOf({ from: 0, to: 4800 }).map(({ at: place }) => place)).toEqual([0, 1000, 2000, 3000, 4000]);
    for (const to of [1, 7, 90, 61_000, 86_400_000]) {
      expect(ticksOf({ from: 0, to }).length).toBeGreaterThanOrEqual(1);
      expect(ticksOf({ from: 0, to }).length).toBeLessThanOrEqual(6);
    }
  });

  it('the ticks of a timeline of a few milliseconds have different labels', () => {
    for (const to of [1, 2, 3, 9]) {
      const labels = ticksOf({ from: 0, to }).map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  it('adjacent ticks of a zoomed timeline have different labels', () => {
    const labels = ticksOf({ from: 1210, to: 1290 }).map(({ label }) => label);
    expect(labels).toEqual(['1.22 s', '1.24 s', '1.26 s', '1.28 s']);
  });
});

describe('time window of the timeline', () => {
  it('the zoomed range of the timeline is stored in the URL, and an invalid range in the URL is ignored', () => {
    expect(zoomOf({ from: 1200.4, to: 3400 }, 10_000)).toBe('1200-3400');
    expect(windowOf('1200-3400')).toEqual({ from: 1200, to: 3400 });
    expect(zoomOf({ from: 0, to: 10_000 }, 10_000)).toBeUndefined();
    for (const bad of [undefined, '', '7', '5-3', 'a-b', '-3-5', '1200-1201'])
      expect(windowOf(bad)).toBeNull();
  });

  it('the zoomed range of the timeline stays within the execution when the user zooms or pans', () => {
    const part = { from: 800, to: 1000 };
    expect(scaled(part, 0.5, 1000)).toEqual({ from: 850, to: 950 });
    expect(scaled(part, 2, 1000)).toEqual({ from: 600, to: 1000 });
    expect(scaled(part, 100, 1000)).toEqual({ from: 0, to: 1000 });
    expect(moved(part, 0.25, 1000)).toEqual(part);
    expect(moved(part, -0.25, 1000)).toEqual({ from: 750, to: 950 });
    expect(moved({ from: 10, to: 110 }, -0.25, 1000)).toEqual({ from: 0, to: 100 });
  });
});
