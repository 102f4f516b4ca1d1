import { describe, expect, it } from 'vitest';
import { freeSlots, type Line, placeIn } from './gates.js';

const EMPTY: Line = { taken: [], isWaitedFor: false, isBehind: false };

describe('free slots', () => {
  it.each<[string, number | null, readonly number[], number, readonly number[]]>([
    ['are the lowest', 3, [], 2, [0, 1]],
    ['fill gaps', 3, [0, 2], 5, [1]],
    ['are none at the cap', 2, [0, 1], 1, []],
    ['are none over a cap that was lowered, whatever their numbers', 2, [3, 4], 1, []],
    ['are as many as the lowered cap leaves', 2, [4], 5, [0]],
    ['are without end where there is no cap', null, [0, 1], 3, [2, 3, 4]],
  ])('%s', (_, cap, taken, wanted, free) => expect(freeSlots(cap, taken, wanted)).toEqual(free));
});

describe('admission of a new execution', () => {
  it('takes a slot if one is free and no execution waits', () => {
    expect(placeIn({ ...EMPTY, taken: [0] }, 2)).toEqual({ slot: 1 });
  });
  it('queues behind waiting executions, even if a slot is free', () => {
    expect(placeIn({ ...EMPTY, isWaitedFor: true }, 2)).toBe('max_running');
  });
  it('queues if the cap is reached', () => {
    expect(placeIn({ ...EMPTY, taken: [0] }, 1)).toBe('max_running');
  });
  it('waits for its session first', () => {
    expect(placeIn({ taken: [0], isWaitedFor: true, isBehind: true }, 1)).toBe('serial_session');
  });
});
