import { describe, expect, it } from 'vitest';
import type { EventDataByType, NodeEvent, NodeEventType } from '../execution-events/index.js';
import { LongValue } from '../long-values/index.js';
import { isoTime } from '../platform/index.js';
import { type NodeExecution, NodeTable } from './node-execution.js';
import type { NodePlace } from './node-rows.js';

const START = Date.UTC(2030, 0, 1);
const at = (second: number): string => isoTime(START + second * 1_000);
const PROGRESS = { completed: 1, total: 1 };
const BROKEN = { code: 'broken', message: 'Broken.' };
const OUTER: NodePlace = { node: { id: 'a', type: 'set' }, iteration: null };
const inLoop = (index: number): NodePlace => ({
  node: { id: 'b', type: 'set' },
  iteration: { of: 'a', index },
});

type Given<T extends NodeEventType> = Omit<EventDataByType[T], 'node_id' | 'node_type' | 'status'>;

/** A node event that occurs `second` seconds after the start of the execution. */
function event<T extends NodeEventType>(
  type: T,
  second: number,
  data: Given<T>,
  { nodeId = 'a', attempt = 1 } = {},
): NodeEvent {
  const whole = { node_id: nodeId, node_type: 'set', ...data };
  return { type, at: START + second * 1_000, nodeId, attempt, data: whole } as unknown as NodeEvent;
}

const started = (second: number, attempt = 1): NodeEvent =>
  event('workflow.node.started', second, { input: { n: attempt } }, { attempt });
const completed = (second: number, attempt = 1): NodeEvent =>
  event(
    'workflow.node.complete',
    second,
    { output: 'done', duration_ms: 40, cached: false, progress: PROGRESS },
    { attempt },
  );
const retrying = (second: number, attempt = 1): NodeEvent =>
  event(
    'workflow.node.retrying',
    second,
    { error: BROKEN, duration_ms: 20, retry_at: at(second + 5), delay_ms: 5_000, max_attempts: 3 },
    { attempt },
  );
const waiting = (second: number, data: Partial<Given<'workflow.node.waiting'>> = {}): NodeEvent =>
  event('workflow.node.waiting', second, { waiting_for: 'timer', wake_at: at(60), ...data });

type Status = Parameters<NodeTable['list']>[0];

function rowsOf(
  places: readonly NodePlace[],
  events: readonly NodeEvent[],
  status: Status = 'running',
): readonly NodeExecution[] {
  const table = new NodeTable(places);
  for (const [index, one] of events.entries()) table.add(one, index + 1);
  return table.list(status);
}
const rowOf = (...events: readonly NodeEvent[]): NodeExecution | undefined => rowsOf([OUTER], events)[0];

describe('NodeTable', () => {
  it('a node without events is pending and has no attempts', () => {
    expect(rowOf()).toMatchObject({ status: 'pending', attempt: 0, attempts: [], startedAt: null });
  });

  it('a node row shows values, logs, times and duration of a completed attempt', () => {
    const end = event('workflow.node.complete', 2, {
      output: { ok: true },
      logs: ['one line'],
      duration_ms: 1_900,
      cached: true,
      progress: PROGRESS,
    });
    expect(rowOf(started(0), end)).toMatchObject({
      status: 'completed',
      input: { n: 1 },
      output: { ok: true },
      logs: ['one line'],
      cached: true,
      startedAt: at(0),
      finishedAt: at(2),
      durationMs: 1_900,
      attempts: [{ attempt: 1, status: 'completed', startedAt: at(0), finishedAt: at(2), error: null }],
    });
  });

  it('a node row shows a failed attempt and the time of the next attempt', () => {
    expect(rowOf(started(0), retrying(1))).toMatchObject({
      status: 'retrying',
      error: BROKEN,
      wakeAt: at(6),
      finishedAt: null,
      attempts: [{ status: 'failed', finishedAt: at(1), error: BROKEN }],
    });
  });

  it('a node row keeps the error of the last attempt while the next attempt runs', () => {
    expect(rowOf(started(0), retrying(1), started(6, 2))).toMatchObject({
      status: 'running',
      attempt: 2,
      error: BROKEN,
      wakeAt: null,
      startedAt: at(0),
      input: { n: 2 },
    });
  });

  it('a node row has no error after a later attempt has succeeded', () => {
    const row = rowOf(started(0), retrying(1), started(6, 2), completed(7, 2));
    expect(row).toMatchObject({ status: 'completed', error: null });
    expect(row?.attempts).toMatchObject([
      { attempt: 1, status: 'failed', error: BROKEN },
      { attempt: 2, status: 'completed', error: null },
    ]);
  });

  it('a node row shows the first start time of an attempt that starts again after a crash', () => {
    expect(rowOf(started(0), started(9))?.attempts).toEqual([
      { attempt: 1, status: 'running', startedAt: at(0), finishedAt: null, error: null },
    ]);
  });

  it.each([
    [{ waiting_for: 'timer' }, { kind: 'timer', signal: null, title: null }],
    [
      { waiting_for: 'signal', signal: 'go', title: 'Release?' },
      { kind: 'signal', signal: 'go', title: 'Release?' },
    ],
    [
      { waiting_for: 'child', child_execution_id: 'child-1' },
      { kind: 'child', signal: null, title: null },
    ],
  ] as const)('a node row shows what a node waits for: %o', (data, waitingFor) => {
    expect(rowOf(started(0), waiting(1, data))).toMatchObject({
      status: 'waiting',
      waitingFor,
      wakeAt: at(60),
    });
  });

  it('a node row keeps the id of the child execution after the wait for the child ends', () => {
    const wait = waiting(1, { waiting_for: 'child', child_execution_id: 'child-1' });
    expect(rowOf(started(0), wait, started(2), completed(3))).toMatchObject({
      childExecutionId: 'child-1',
      waitingFor: null,
      wakeAt: null,
    });
  });

  it('a node row of a skipped node has no attempts', () => {
    const skip = event('workflow.node.skipped', 1, { reason: 'condition_false', progress: PROGRESS });
    expect(rowOf(skip)).toMatchObject({ status: 'skipped', attempt: 0, attempts: [], finishedAt: at(1) });
  });

  it('a progress report of a node does not change the row of the node', () => {
    const report = event('workflow.node.progress', 1, { fraction: 0.5, message: null });
    expect(rowOf(started(0), report)).toEqual(rowOf(started(0)));
  });

  it('a node row refers to a long value by the sequence number of the event that contains the value', () => {
    const start = event('workflow.node.started', 0, {
      input: undefined,
      ...{ input_truncated: true, input_bytes: 20_000 },
    } as unknown as Given<'workflow.node.started'>);
    const input = rowOf(waiting(0), start)?.input;
    expect(input).toBeInstanceOf(LongValue);
    expect(input).toMatchObject({ size: 20_000, place: { sequence: 2, field: 'input' } });
  });
});

describe('NodeTable of an execution that has ended', () => {
  it.each<[string, readonly NodeEvent[], string]>([
    ['pending', [], 'cancelled'],
    ['running', [started(0)], 'cancelled'],
    ['waiting', [started(0), waiting(1)], 'cancelled'],
    ['retrying', [started(0), retrying(1)], 'cancelled'],
    ['completed', [started(0), completed(1)], 'completed'],
  ])(
    'a node row shows the final status of a %s node after the execution has ended',
    (_before, events, status) => {
      expect(rowsOf([OUTER], events, 'failed')[0]).toMatchObject({ status, wakeAt: null, waitingFor: null });
    },
  );

  it('the node rows of a cancelled execution show an attempt without an end event as cancelled', () => {
    const [row] = rowsOf([OUTER], [started(0), retrying(1), started(6, 2)], 'cancelled');
    expect(row?.attempts.map(({ status }) => status)).toEqual(['failed', 'cancelled']);
  });
});

describe('NodeTable rows inside a loop', () => {
  const item = (index: number): NodeEvent =>
    event(
      'workflow.node.started',
      1,
      { input: `item ${index}`, iteration: index, iteration_of: 'a' },
      { nodeId: 'b' },
    );

  it('a node row of one loop item applies only the events of that item', () => {
    const [outer, first, second] = rowsOf([OUTER, inLoop(0), inLoop(1)], [started(0), item(1)]);
    expect([outer?.status, first?.status, second?.status]).toEqual(['running', 'pending', 'running']);
    expect(second).toMatchObject({ iteration: 1, input: 'item 1' });
  });

  it('the row of an unfinished node inside an ended loop shows the node as cancelled', () => {
    const [row] = rowsOf([inLoop(0)], [started(0), item(0), completed(2)]);
    expect(row?.status).toBe('cancelled');
  });

  it('an event of a loop item that is not on the requested page does not change the node rows', () => {
    expect(rowsOf([inLoop(0)], [started(0), item(7)])).toMatchObject([{ status: 'pending' }]);
  });
});
