import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StoreWorld } from '../../test/support/store-world.js';
import { INLINE_LIMIT, LongValue } from '../long-values/index.js';
import { newId } from '../platform/index.js';
import { ResultRepository } from './result.repository.js';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const PROJECT = newId();
const KEY = 'key';

let world: StoreWorld;
let results: ResultRepository;
let mine: string;
let other: string;

beforeAll(async () => {
  world = await StoreWorld.open();
  results = new ResultRepository(world.store.dataSource, 'sqlite', world.store.writer);
});
afterAll(() => world.close());

beforeEach(async () => {
  await world.rows('DELETE FROM results');
  [mine, other] = [await world.addProcess(), await world.addProcess()];
});

/** Stores a result computed at `NOW` that expires after a minute. */
const keep = (text: string, key = KEY, expiresAt = NOW + 60 * SECOND): Promise<void> =>
  results.keep(key, PROJECT, { output: null, computedAt: NOW, expiresAt }, text);

/** Claims the key `second` seconds after `NOW`, for a node with a maximum age of `maxAge` seconds. */
const claim = (holder: string, second = 0, maxAge = 60): Promise<boolean> =>
  results.claim(KEY, PROJECT, holder, NOW + (second - maxAge) * SECOND, NOW + second * SECOND);

const holders = async (): Promise<readonly (string | null)[]> =>
  (await world.rows<{ holder: string | null }>('SELECT holder FROM results ORDER BY id')).map(
    ({ holder }) => holder,
  );

describe('finding a result', () => {
  it('find resolves with undefined for an unknown key', async () => {
    expect(await results.find(KEY)).toBeUndefined();
  });

  it('find resolves with undefined while the first result is being computed', async () => {
    await claim(mine);
    expect(await results.find(KEY)).toBeUndefined();
  });

  it('find resolves with the output, its size and its times', async () => {
    await keep('{"n":[1,null]}');
    expect(await results.find(KEY)).toEqual({
      output: { n: [1, null] },
      size: 14,
      computedAt: NOW,
      expiresAt: NOW + 60 * SECOND,
    });
  });

  it('find resolves with an output of null', async () => {
    await keep('null');
    expect(await results.find(KEY)).toMatchObject({ output: null, size: 4 });
  });

  it.each([
    [INLINE_LIMIT, false],
    [INLINE_LIMIT + 1, true],
  ])('keeps a stored output of %i characters as a LongValue: %s', async (length, isLong) => {
    const text = JSON.stringify('x'.repeat(length - 2));
    await keep(text);
    const found = await results.find(KEY);
    expect(found?.output instanceof LongValue).toBe(isLong);
    expect(found?.size).toBe(length);
  });
});

describe('claiming a result', () => {
  it('one of several concurrent claims succeeds', async () => {
    const claims = await Promise.all([mine, other, await world.addProcess()].map((id) => claim(id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('a claim succeeds again for its holder', async () => {
    await claim(mine);
    expect(await claim(mine)).toBe(true);
  });

  it('a claim is refused while a live process holds it', async () => {
    await claim(other);
    expect(await claim(mine, 600)).toBe(false);
    expect(await holders()).toEqual([other]);
  });

  it('a claim of a dead process can be taken over', async () => {
    await claim(other);
    await world.instances.remove([other]);
    expect(await claim(mine)).toBe(true);
    expect(await holders()).toEqual([mine]);
  });

  it.each<[string, number, number, boolean]>([
    ['is refused while the result may be used', 59, 60, false],
    ['succeeds when the result has expired', 60, 600, true],
    ['succeeds when the result is too old for the node', 10, 10, true],
    ['is refused when the result is just young enough for the node', 9, 10, false],
  ])('%s', async (_, second, maxAge, isClaimed) => {
    await keep('1');
    expect(await claim(mine, second, maxAge)).toBe(isClaimed);
  });

  it('a claim keeps the earlier result for nodes that accept it', async () => {
    await keep('"earlier"');
    await claim(mine, 10, 10);
    expect(await results.find(KEY)).toMatchObject({ output: 'earlier', computedAt: NOW });
  });

  it('a claim rejects when the database refuses the write', async () => {
    await world.rows('ALTER TABLE results RENAME TO hidden');
    try {
      await expect(claim(mine)).rejects.toThrow('results');
    } finally {
      await world.rows('ALTER TABLE hidden RENAME TO results');
    }
  });
});

describe('storing and releasing a result', () => {
  it('storing a result replaces the older one and ends the claim', async () => {
    await keep('"old"');
    await claim(mine, 10, 10);
    await keep('"new"');
    expect([(await results.find(KEY))?.output, await holders()]).toEqual(['new', [null]]);
  });

  it('a released result can be claimed by another process', async () => {
    await claim(other);
    await results.release(KEY, other);
    expect(await claim(mine)).toBe(true);
  });

  it('release ignores the claim of another process', async () => {
    await claim(other);
    await results.release(KEY, mine);
    expect(await holders()).toEqual([other]);
  });
});

describe('removing expired results', () => {
  const keys = async (): Promise<string> =>
    (await world.rows<{ id: string }>('SELECT id FROM results ORDER BY id')).map(({ id }) => id).join('');

  it('removes expired results and keeps the others', async () => {
    await keep('1', 'a', NOW);
    await keep('1', 'b', NOW + 1);
    expect([await results.removeExpired(NOW, 10), await keys()]).toEqual([1, 'b']);
  });

  it('removes expired results up to the limit per call', async () => {
    for (const key of ['a', 'b', 'c']) await keep('1', key, NOW);
    expect(await results.removeExpired(NOW, 2)).toBe(2);
    expect(await results.removeExpired(NOW, 2)).toBe(1);
    expect(await results.removeExpired(NOW, 2)).toBe(0);
  });

  it('keeps an expired result that a live process is recomputing', async () => {
    await claim(mine);
    expect([await results.removeExpired(NOW + 600 * SECOND, 10), await holders()]).toEqual([0, [mine]]);
  });

  it('removes the claim of a dead process', async () => {
    await claim(mine);
    await world.instances.remove([mine]);
    expect([await results.removeExpired(NOW, 10), await holders()]).toEqual([1, []]);
  });
});
