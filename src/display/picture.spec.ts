import { expect, it } from 'vitest';
import { blankPicture, type Picture, withEvent } from './picture.js';
import type { WireEvent } from './wire-event.js';
import { BEGIN, LOST_AND_RESUMED, wireEvent } from '../../test/support/wire-event.js';

const BLANK = blankPicture([
  { id: 'order', type: 'http' },
  { id: 'price', type: 'http' },
]);

function after(events: readonly WireEvent[]): Picture {
  return events.reduce(withEvent, BLANK);
}

it('the picture of an execution contains the spans of each node, including an attempt that a crash interrupted', () => {
  const picture = after(LOST_AND_RESUMED);
  expect(picture).toMatchObject({
    status: 'completed',
    sequence: 11,
    completed: 2,
    finishedAt: BEGIN + 5000,
  });
  expect(picture.nodes.get('order')).toMatchObject({
    status: 'completed',
    attempt: 2,
    fault: null,
    spans: [
      { kind: 'run', from: BEGIN, to: BEGIN + 500 },
      { kind: 'wait', from: BEGIN + 500, to: BEGIN + 1500 },
      { kind: 'run', from: BEGIN + 1500, to: BEGIN + 2000 },
    ],
  });
  expect(picture.nodes.get('price')).toMatchObject({
    status: 'completed',
    spans: [
      { kind: 'lost', from: BEGIN + 2000, to: BEGIN + 4000 },
      { kind: 'run', from: BEGIN + 4000, to: BEGIN + 5000 },
    ],
  });
});

it('the picture of an execution does not depend on the order of events or on repeated events', () => {
  const shuffled = [4, 0, 3, 3, 1, 2, 10, 9, 9, 8, 5, 0, 7, 6, 10].flatMap(
    (index) => LOST_AND_RESUMED[index] ?? [],
  );
  expect(after(shuffled)).toEqual(after(LOST_AND_RESUMED));
});

it('the picture of an execution shows an event only after all previous events have arrived', () => {
  const picture = after(LOST_AND_RESUMED.filter(({ sequence }) => sequence !== 6));
  expect(picture.sequence).toBe(5);
  expect(picture.nodes.get('order')?.status).toBe('running');
  expect(picture.nodes.get('price')?.status).toBe('pending');
});

it('`withEvent` does not change the picture of an execution for an event that the picture already contains', () => {
  const picture = after(LOST_AND_RESUMED.slice(0, 4));
  expect(LOST_AND_RESUMED.slice(0, 4).reduce(withEvent, picture)).toBe(picture);
});

it('the picture of a paused execution shows the status `paused` even after a recovery', () => {
  const paused = [
    ...LOST_AND_RESUMED.slice(0, 3),
    wireEvent(4, 100, 'workflow.paused', { status: 'paused', reason: null }),
    wireEvent(5, 200, 'workflow.recovered', { status: 'running', node_ids: ['order'] }),
  ];
  expect(after(paused).status).toBe('paused');
});

it('the picture of an execution does not change after an event of an unknown type', () => {
  const [first, second] = LOST_AND_RESUMED;
  if (first === undefined || second === undefined) throw new Error('There are no events.');
  const unknown = { ...second, type: 'workflow.exploded' } as unknown as WireEvent;
  expect(after([first, unknown])).toMatchObject({ status: 'queued', sequence: 2 });
});
