import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

describe('the fair queue', () => {
  it('the fair queue returns the items of different owners in turn', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0] as string, item);
    expect(queue.size).toBe(6);
    const served = Array.from({ length: 7 }, () => queue.shift());
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('the fair queue does not return an item that was removed', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    queue.push('b', 'b1');
    queue.remove('a', 'a1');
    queue.remove('b', 'b1');
    queue.remove('c', 'c1');
    expect([queue.shift(), queue.shift()]).toEqual(['a2', undefined]);
  });
});
