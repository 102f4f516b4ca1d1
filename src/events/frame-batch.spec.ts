import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { paused } from '../../test/support/simulated-run.js';
import type { Batch } from '../journal/index.js';
import { newId } from '../platform/index.js';
import { eventFrame } from './frame.js';
import { FrameBatch } from './frame-batch.ts';

function batchOf(position: number, events: number): Batch {
  return {
    id: newId(),
    position,
    executionId: newId(),
    projectId: newId(),
    workflowId: newId(),
    sessionId: null,
    firstSequence: 1,
    events: Array.from({ length: events }, () => paused(1_000)),
  };
}

const SILENT = { flush: (): void => undefined };

it('`FrameBatch` stores each event once, and sockets that receive the same frames share one buffer', () => {
  const turn = new FrameBatch({ websocket: 0 });
  const [one, other] = [batchOf(7, 2), batchOf(8, 2)];
  const places = [0, 1].map((index) => turn.place(one, index, SILENT));
  places.push(turn.place(other, 1, SILENT));
  expect(places).toEqual([0, 1, 2]);
  // The second socket receives one event that the frame batch already contains, and one new event.
  expect([turn.place(one, 1, SILENT), turn.place(other, 0, SILENT)]).toEqual([1, 3]);
  const joined = turn.bytes([0, 1, 2, 3]);
  expect(joined).toEqual(Buffer.concat([eventFrame(one, 0), eventFrame(other, 1)]));
  expect(turn.bytes([0, 1, 2, 3])).toBe(joined);
  expect(turn.bytes([1, 2])).toEqual(eventFrame(one, 1));
});

it('`FrameBatch` flushes after all queued callbacks of the event loop, and then starts a new batch at slot 0', async () => {
  const turn = new FrameBatch({ websocket: 0 });
  const order: string[] = [];
  const batch = batchOf(7, 1);
  turn.place(batch, 0, { flush: () => order.push('frames') });
  setImmediate(() => order.push('next commit'));
  while (!order.includes('frames')) await nextTurn();
  expect(order).toEqual(['next commit', 'frames']);
  await nextTurn();
  expect(order).toHaveLength(2);
  expect(turn.place(batchOf(8, 1), 0, SILENT)).toBe(0);
});
