import { expect, it } from 'vitest';
import { type Evidence, judge, verdictLines } from './verdict.js';
import type { WireEvent } from '../../src/display/index.js';
import { LOST_AND_RESUMED, wireEvent } from '../../test/support/wire-event.js';

const GOOD: Evidence = {
  journal: LOST_AND_RESUMED,
  live: LOST_AND_RESUMED,
  nodeIds: ['order', 'price'],
  kills: 1,
};

function broken(change: Partial<Evidence>): readonly string[] {
  const verdict = judge({ ...GOOD, ...change });
  expect(verdict.good).toBe(false);
  return verdict.findings.filter(({ holds }) => !holds).map(({ text }) => text);
}

function without(sequence: number): readonly WireEvent[] {
  return LOST_AND_RESUMED.filter((event) => event.sequence !== sequence);
}

it('the verdict of the demo is good for a complete journal and a socket without duplicates', () => {
  const verdict = judge(GOOD);
  expect(verdict.good).toBe(true);
  expect(verdict.findings.map(({ text }) => text)).toEqual([
    'The journal has 11 events, sequences 1 to 11 without a gap.',
    'Each of the 2 nodes has exactly one result.',
    'The socket delivered the same 11 events.',
    'The server was killed once; the execution was recovered at #8 and completed.',
  ]);
});

it('the verdict of the demo is good even if the socket repeats events', () => {
  const verdict = judge({ ...GOOD, live: [...LOST_AND_RESUMED, ...LOST_AND_RESUMED.slice(4, 6)] });
  expect(verdict.good).toBe(true);
  expect(verdict.findings[2]?.text).toBe('The socket delivered the same 11 events, 2 of them twice.');
});

it('the verdict of the demo reports a gap in the sequence numbers and an empty journal', () => {
  expect(broken({ journal: without(4), live: without(4) })).toEqual([
    expect.stringContaining('are not 1, 2, 3 and so on: 1 2 3 5'),
  ]);
  expect(broken({ journal: [], live: [] })).toContain(
    'The sequences of the journal are not 1, 2, 3 and so on: there are none.',
  );
});

it('the verdict of the demo reports nodes that have two results or no result', () => {
  const twice = [
    ...LOST_AND_RESUMED.slice(0, 10),
    wireEvent(11, 5000, 'workflow.node.complete', { node_id: 'order' }),
    wireEvent(12, 5000, 'workflow.completed', { status: 'completed' }),
  ];
  expect(broken({ journal: twice, live: twice })).toEqual(['Not every node has one result: order has 2.']);
  expect(broken({ nodeIds: ['order', 'price', 'stock'] })).toEqual([
    'Not every node has one result: stock has 0.',
  ]);
});

it('the verdict of the demo reports events that the socket lost, added or changed', () => {
  expect(broken({ live: without(7) })).toEqual([
    expect.stringMatching(/differ: 1 events .* 0 events are not in the journal/),
  ]);
  expect(
    broken({
      journal: LOST_AND_RESUMED,
      live: [...LOST_AND_RESUMED, wireEvent(99, 0, 'workflow.paused', {})],
    }),
  ).toEqual([expect.stringMatching(/differ: 0 events .* 1 events are not in the journal/)]);
  const changed = LOST_AND_RESUMED.map((event) =>
    event.sequence === 3 ? { ...event, created_at: '2020-01-01T00:00:00.000Z' } : event,
  );
  expect(broken({ live: changed })).toEqual([expect.stringMatching(/differ: 1 events/)]);
});

it('the verdict of the demo reports an execution that did not complete', () => {
  const failed = [
    ...LOST_AND_RESUMED.slice(0, 10),
    wireEvent(11, 5000, 'workflow.failed', { status: 'failed' }),
  ];
  expect(broken({ journal: failed, live: failed })).toEqual([expect.stringContaining('did not complete')]);
});

it('the verdict of the demo uses only ASCII if the terminal lacks Unicode', () => {
  const bad = verdictLines(judge({ ...GOOD, live: without(7) }), { unicode: false, color: false });
  expect(bad[0]).toBe('Verdict: FAILED. See the differences above.');
  expect(bad.map((line) => line.trim().split(' ')[0])).toEqual(['Verdict:', 'ok', 'ok', 'NO', 'ok']);
});
