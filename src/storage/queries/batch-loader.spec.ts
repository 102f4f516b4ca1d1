import { describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.ts';

function held(): {
  readonly reads: BatchLoader<string>;
  readonly asked: (readonly string[])[];
  answer(found: Readonly<Record<string, string>>): void;
  fail(error: Error): void;
} {
  const asked: (readonly string[])[] = [];
  const underWay: PromiseWithResolvers<ReadonlyMap<string, string>>[] = [];
  const reads = new BatchLoader<string>((keys) => {
    asked.push(keys);
    const reading = Promise.withResolvers<ReadonlyMap<string, string>>();
    underWay.push(reading);
    return reading.promise;
  });
  return {
    reads,
    asked,
    answer: (found) => underWay.shift()?.resolve(new Map(Object.entries(found))),
    fail: (error) => underWay.shift()?.reject(error),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('BatchLoader', () => {
  it('a batch loader uses one read for all keys that are requested in the same turn of the event loop', async () => {
    const { reads, asked, answer } = held();
    const found = Promise.all(['a', 'b', 'a', 'c'].map((key) => reads.find(key)));
    await turn();
    expect(asked).toEqual([['a', 'b', 'c']]);
    answer({ a: 'A', b: 'B' });
    expect(await found).toEqual(['A', 'B', 'A', undefined]);
  });

  it('a batch loader never returns a value that was read before the request', async () => {
    const { reads, asked, answer } = held();
    const before = reads.find('a');
    await turn();
    const after = reads.find('a');
    const other = reads.find('b');
    await turn();
    expect(asked).toEqual([['a']]);
    answer({ a: 'old' });
    expect(await before).toBe('old');
    await turn();
    expect(asked).toEqual([['a'], ['a', 'b']]);
    answer({ a: 'new', b: 'B' });
    expect([await after, await other]).toEqual(['new', 'B']);
  });

  it('a batch loader reads a key again after a failed read', async () => {
    const { reads, answer, fail } = held();
    const [one, two] = [reads.find('a'), reads.find('b')];
    const outcomes = Promise.allSettled([one, two]);
    await turn();
    fail(new Error('away'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = reads.find('a');
    await turn();
    answer({ a: 'A' });
    expect(await again).toBe('A');
  });

  it('a batch loader reads at most 64 keys together', async () => {
    const { reads, asked, answer } = held();
    const keys = Array.from({ length: 100 }, (_, n) => String(n));
    const found = Promise.all(keys.map((key) => reads.find(key)));
    const all = Object.fromEntries(keys.map((key) => [key, key]));
    await turn();
    answer(all);
    await turn();
    answer(all);
    expect(await found).toEqual(keys);
    expect(asked.map(({ length }) => length)).toEqual([64, 36]);
  });
});
