import { describe, expect, it } from 'vitest';
import { fold } from '../engine/index.js';
import { LongValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import { StateBytes, stateSize } from './state-size.js';

const stateWith = (input: Json | LongValue) => ({ ...fold([]), input });

describe('size estimate of states', () => {
  it('the estimated JSON size of a state has an error below 25 %', () => {
    const value = { list: Array.from({ length: 1_000 }, (_, n) => ({ name: `item ${n}`, note: 'abc' })) };
    const size = stateSize(stateWith(value));
    expect(size / JSON.stringify(value).length).toBeGreaterThan(0.8);
    expect(size / JSON.stringify(value).length).toBeLessThan(1.25);
  });

  it('the size of an execution state does not include long values', () => {
    expect(stateSize(stateWith(LongValue.ofText('x'.repeat(100_000))))).toBeLessThan(100);
  });

  it('the size of an execution state is measured again when the size may have doubled since the last measurement', () => {
    const bytes = new StateBytes();
    const state = stateWith('x'.repeat(1_000));
    expect(bytes.after(50_000, state)).toBe(50_000);
    const measured = stateSize(state);
    expect(bytes.after(50_000, state)).toBe(measured);
    expect(bytes.after(10, state)).toBe(measured + 10);
  });
});
