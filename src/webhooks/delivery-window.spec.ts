import { describe, expect, it } from 'vitest';
import type { Batch } from '../journal/index.js';
import { DeliveryWindow, type PendingEvent } from './delivery-window.js';

const batch = (position: number, executionId: string): Batch => ({
  id: `b${position}`,
  position,
  executionId,
  projectId: 'p',
  workflowId: 'w',
  sessionId: null,
  firstSequence: position,
  events: [],
});
const name = (event: PendingEvent | undefined) =>
  event === undefined ? undefined : `${event.batch.executionId}${event.batch.position}.${event.index}`;
const taken = (window: DeliveryWindow): PendingEvent => {
  const event = window.take();
  if (event === undefined) throw new Error('The window has nothing to take.');
  return event;
};

describe('DeliveryWindow', () => {
  it('a delivery window delivers the events of one execution one after another', () => {
    const window = new DeliveryWindow(0);
    window.accept(batch(1, 'a'), [0, 1]);
    window.accept(batch(2, 'b'), [0]);
    window.accept(batch(3, 'a'), [0]);
    const first = taken(window);
    expect([name(first), name(window.take()), name(window.take())]).toEqual(['a1.0', 'b2.0', undefined]);
    window.settle(first);
    const second = taken(window);
    expect(name(second)).toBe('a1.1');
    window.settle(second);
    expect(name(window.take())).toBe('a3.0');
  });

  it('the watermark of a delivery window stays below the first event that is neither delivered nor given up', () => {
    const window = new DeliveryWindow(0);
    window.accept(batch(1, 'a'), [0, 1]);
    window.accept(batch(2, 'b'), [0]);
    window.accept(batch(3, 'c'), []);
    const [a, b] = [taken(window), taken(window)];
    window.settle(b);
    expect(window.watermark).toBe(0);
    window.settle(a);
    expect(window.watermark).toBe(0);
    window.settle(taken(window));
    expect(window.watermark).toBe(3);
    expect(window.size).toBe(0);
  });

  it('a failed webhook event holds back only the events of its own execution', () => {
    const window = new DeliveryWindow(0);
    window.accept(batch(1, 'a'), [0, 1]);
    window.accept(batch(2, 'b'), [0]);
    window.hold(taken(window).batch.executionId);
    expect(window.watermark).toBe(1);
    window.accept(batch(3, 'a'), [0]);
    const b = taken(window);
    expect(name(b)).toBe('b2.0');
    window.settle(b);
    expect(window.watermark).toBe(3);
    expect(window.take()).toBeUndefined();
  });

  it('`DeliveryWindow.release` returns false while the execution has undelivered newer events', () => {
    const window = new DeliveryWindow(5);
    window.hold('a');
    window.accept(batch(6, 'a'), [0]);
    expect(window.release('a', 5)).toBe(false);
    expect(window.release('a', 6)).toBe(true);
    window.accept(batch(7, 'a'), [0]);
    expect(name(window.take())).toBe('a7.0');
  });
});
