import { describe, expect, it } from 'vitest';
import { Reservations } from './reservations.js';

/** Returns a function that requests reservations by name, and the list of the names of granted reservations. */
function asker(reservations: Reservations) {
  const granted: string[] = [];
  const take = (name: string, bytes: number, signal?: AbortSignal): Promise<void> =>
    reservations.take(bytes, signal).then(() => void granted.push(name));
  return { granted, take };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Reservations', () => {
  it('memory reservations are granted in the order of their requests, as soon as they fit into the limit', async () => {
    const reservations = new Reservations(() => 10);
    const { granted, take } = asker(reservations);
    for (const [name, bytes] of [
      ['a', 6],
      ['b', 6],
      ['c', 1],
    ] as const)
      void take(name, bytes);
    await settled();
    expect(granted).toEqual(['a']);
    reservations.free(6);
    await settled();
    expect(granted).toEqual(['a', 'b', 'c']);
    expect(reservations.bytes).toBe(7);
  });

  it('a memory reservation of any size is granted if no other reservation exists', async () => {
    const reservations = new Reservations(() => -5);
    const { granted, take } = asker(reservations);
    await take('a', 100);
    void take('b', 1);
    await settled();
    expect(granted).toEqual(['a']);
    reservations.free(100);
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });

  it('aborting a waiting memory reservation rejects it and grants the next reservation', async () => {
    const reservations = new Reservations(() => 10);
    const { granted, take } = asker(reservations);
    const controller = new AbortController();
    await take('a', 6);
    const large = take('b', 6, controller.signal);
    void take('c', 4);
    controller.abort(new Error('stop'));
    await expect(large).rejects.toThrow('stop');
    await settled();
    expect(granted).toEqual(['a', 'c']);
    expect(reservations.bytes).toBe(10);
  });

  it('waiting memory reservations are granted when the limit grows', async () => {
    let room = 1;
    const reservations = new Reservations(() => room);
    const { granted, take } = asker(reservations);
    await take('a', 1);
    void take('b', 4);
    room = 5;
    reservations.grant();
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });
});
