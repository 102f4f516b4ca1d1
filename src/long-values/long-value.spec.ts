import { describe, expect, it } from 'vitest';
import {
  LongValue,
  type LongValuePlace,
  objectOf,
  readTextInMemory,
  recordedValue,
  ValuesNotLoadedError,
  withLazyField,
} from './long-value.js';

const PLACE: LongValuePlace = { executionId: null, sequence: 3, field: 'output' };

describe('LongValue', () => {
  it('a long value keeps only its location once its text is stored', () => {
    const value = LongValue.ofText('"abc"');
    expect([value.text, value.pieces, value.place, value.size]).toEqual(['"abc"', ['"abc"'], null, 5]);
    value.markStored(PLACE);
    expect([value.text, value.pieces, value.place, value.size]).toEqual([null, null, PLACE, 5]);
  });

  it('the size of a long value with several pieces is the total size of the pieces', () => {
    const value = LongValue.ofPieces(['[', LongValue.ofText('12'), ']']);
    expect([value.size, value.text]).toEqual([4, null]);
    expect(LongValue.ofPieces([LongValue.ofText('12')]).text).toBeNull();
  });

  it('`readTextInMemory` throws if the text of a long value is only in storage', () => {
    expect(readTextInMemory(LongValue.ofText('[1]'))).toEqual([1]);
    const stored = LongValue.storedAt(PLACE, 7);
    expect(() => readTextInMemory(stored)).toThrow(ValuesNotLoadedError);
    expect(new ValuesNotLoadedError([stored]).values).toEqual([stored]);
  });
});

describe('recordedValue', () => {
  it('`recordedValue` returns a short field unchanged, and null for an absent field', () => {
    expect(recordedValue({ output: 7 }, 'output', 3)).toBe(7);
    expect(recordedValue({}, 'output', 3)).toBeNull();
  });

  it('`recordedValue` returns a reference to the stored long value if the event marks the field as truncated', () => {
    const value = recordedValue({ output_truncated: true, output_bytes: 9 }, 'output', 3);
    expect(value).toEqual(LongValue.storedAt(PLACE, 9));
    expect(recordedValue({ output_truncated: true }, 'output', 3)).toEqual(LongValue.storedAt(PLACE, 0));
  });
});

describe('withLazyField', () => {
  it('a lazy field is read once, at its first access', () => {
    let reads = 0;
    const target = withLazyField({}, 'output', LongValue.ofText('[1]'), (value) => {
      reads += 1;
      return readTextInMemory(value);
    }) as { readonly output?: unknown };
    expect([Object.keys(target), reads]).toEqual([['output'], 0]);
    expect([target.output, target.output, reads]).toEqual([[1], [1], 1]);
  });

  it('`withLazyField` adds an ordinary field if the value is short', () => {
    expect(withLazyField({ a: 1 }, 'output', 'short', readTextInMemory)).toEqual({ a: 1, output: 'short' });
  });
});

describe('objectOf', () => {
  it('`objectOf` returns a plain JSON object if all values are short', () => {
    expect(
      objectOf([
        ['a', 1],
        ['b', [2]],
      ]),
    ).toEqual({ a: 1, b: [2] });
  });

  it('`objectOf` returns a long value if one of its fields is a long value', () => {
    const long = LongValue.ofText('"long"');
    const value = objectOf([
      ['a', 1],
      ['b', long],
    ]);
    if (!(value instanceof LongValue)) throw new Error('It is not long.');
    expect(value.pieces).toEqual(['{"a":1', ',"b":', long, '}']);
    expect(value.size).toBe('{"a":1,"b":"long"}'.length);
  });
});
