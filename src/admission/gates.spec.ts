import { describe, expect, it } from 'vitest';
import { freeSlots, type AdmissionState, placeIn } from './gates.js';

const EMPTY: AdmissionState = { taken: [], isWaitedFor: false, isBehind: false };

describe('freeSlots', () => {
  it.each<[string, number | null, readonly number[], number, readonly number[]]>([
    ['the lowest numbers are free in a workflow without running executions', 3, [], 2, [0, 1]],
    ['a number between two taken slots is free', 3, [0, 2], 5, [1]],
    ['no slot is free when max_running is reached', 2, [0, 1], 1, []],
    ['no slot is free if a lowered max_running is reached by slots with higher numbers', 2, [3, 4], 1, []],
    ['slots are free up to a lowered max_running, despite a slot with a higher number', 2, [4], 5, [0]],
    ['every other slot is free without max_running', null, [0, 1], 3, [2, 3, 4]],
  ])('`freeSlots` returns the free slots of a workflow: %s', (_, cap, taken, wanted, free) =>
    expect(freeSlots(cap, taken, wanted)).toEqual(free),
  );
});

describe('placeIn', () => {
  it('a new execution takes a slot if one is free and no execution waits', () => {
    expect(placeIn({ ...EMPTY, taken: [0] }, 2)).toEqual({ slot: 1 });
  });
  it('a new execution queues behind waiting executions, even if a slot is free', () => {
    expect(placeIn({ ...EMPTY, isWaitedFor: true }, 2)).toBe('max_running');
  });
  it('a new execution is queued if as many executions run as `max_running` allows', () => {
    expect(placeIn({ ...EMPTY, taken: [0] }, 1)).toBe('max_running');
  });
  it('a new execution waits for its turn in the session before it takes a slot', () => {
    expect(placeIn({ taken: [0], isWaitedFor: true, isBehind: true }, 1)).toBe('serial_session');
  });
});
