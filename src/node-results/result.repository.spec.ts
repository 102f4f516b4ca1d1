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

const keep = (text: string, key = KEY, expiresAt = NOW + 60 * SECOND): Promise<void> =>
  results.keep(key, PROJECT, { output: null, computedAt: NOW, expiresAt }, text);

/**
 * Claims the computation of the result `KEY` for a process, `second` seconds after `NOW`.
 *
 * @param maxAge seconds; the claim fails if a stored result is younger
 */
const claim = (holder: string, second = 0, maxAge = 60): Promise<boolean> =>
  results.claim(KEY, PROJECT, holder, NOW + (second - maxAge) * SECOND, NOW + second * SECOND);

const holders = async (): Promise<readonly (string | null)[]> =>
  (await world.rows<{ holder: string | null }>('SELECT holder FROM results ORDER BY id')).map(
    ({ holder }) => holder,
  );

describe('ResultRepository.find', () => {
  it('`find` returns undefined for an unknown key', async () => {
    expect(await results.find(KEY)).toBeUndefined();
  });

  it('`find` returns undefined while the first computation of a result is in progress', async () => {
    await claim(mine);
    expect(await results.find(KEY)).toBeUndefined();
  });

  it('`find` returns a result with its output, size and times', async () => {
    await keep('{"n":[1,null]}');
    expect(await results.find(KEY)).toEqual({
      output: { n: [1, null] },
      size: 14,
      computedAt: NOW,
      expiresAt: NOW + 60 * SECOND,
    });
  });

  it('`find` returns a result whose output is null', async () => {
    await keep('null');
    expect(await results.find(KEY)).toMatchObject({ output: null, size: 4 });
  });

  it.each([
    [INLINE_LIMIT, false],
    [INLINE_LIMIT + 1, true],
  ])('`find` returns a result of %i characters as a LongValue: %s', async (length, isLong) => {
    const text = JSON.stringify('x'.repeat(length - 2));
    await keep(text);
    const found = await results.find(KEY);
    expect(found?.output instanceof LongValue).toBe(isLong);
    expect(found?.size).toBe(length);
  });
});

describe('ResultRepository.claim', () => {
  it('`claim` grants only one of several concurrent claims of a result', async () => {
    const claims = await Promise.all([mine, other, await world.addProcess()].map((id) => claim(id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('`claim` grants a claim of a result to the process that already holds the result', async () => {
    await claim(mine);
    expect(await claim(mine)).toBe(true);
  });

  it('`claim` returns false if a live process has already claimed the result', async () => {
    await claim(other);
    expect(await claim(mine, 600)).toBe(false);
    expect(await holders()).toEqual([other]);
  });

  it('`claim` returns true if the process that has claimed the result is dead', async () => {
    await claim(other);
    await world.instances.remove([other]);
    expect(await claim(mine)).toBe(true);
    expect(await holders()).toEqual([mine]);
  });

  it.each<[string, number, number, boolean]>([
    ['is refused while the result may be used', 59, 60, false],
    ['succeeds if the result has expired', 60, 600, true],
    ['succeeds if the result is too old for the node', 10, 10, true],
    ['is refused if the result is just young enough for the node', 9, 10, false],
  ])(
    'the age of a stored result decides whether a node may claim the result: the claim %s',
    async (_, second, maxAge, isClaimed) => {
      await keep('1');
      expect(await claim(mine, second, maxAge)).toBe(isClaimed);
    },
  );

  it('a claim to compute a result does not remove the result that is already stored', async () => {
    await keep('"earlier"');
    await claim(mine, 10, 10);
    expect(await results.find(KEY)).toMatchObject({ output: 'earlier', computedAt: NOW });
  });

  it('`claim` rejects if the database refuses the write', async () => {
    await world.rows('ALTER TABLE results RENAME TO hidden');
    try {
      await expect(claim(mine)).rejects.toThrow('results');
    } finally {
      await world.rows('ALTER TABLE hidden RENAME TO results');
    }
  });
});

describe('ResultRepository.keep and release', () => {
  it('`keep` replaces an older result and releases the claim on the result', async () => {
    await keep('"old"');
    await claim(mine, 10, 10);
    await keep('"new"');
    expect([(await results.find(KEY))?.output, await holders()]).toEqual(['new', [null]]);
  });

  it('after `release` by one process, another process can claim the result', async () => {
    await claim(other);
    await results.release(KEY, other);
    expect(await claim(mine)).toBe(true);
  });

  it('`release` has no effect for a process that does not hold the claim', async () => {
    await claim(other);
    await results.release(KEY, mine);
    expect(await holders()).toEqual([other]);
  });
});

describe('ResultRepository.removeExpired', () => {
  const keys = async (): Promise<string> =>
    (await world.rows<{ id: string }>('SELECT id FROM results ORDER BY id')).map(({ id }) => id).join('');

  it('`removeExpired` removes expired results and keeps all unexpired results', async () => {
    await keep('1', 'a', NOW);
    await keep('1', 'b', NOW + 1);
    expect([await results.removeExpired(NOW, 10), await keys()]).toEqual([1, 'b']);
  });

  it('`removeExpired` removes at most the given number of results per call', async () => {
    for (const key of ['a', 'b', 'c']) await keep('1', key, NOW);
    expect(await results.removeExpired(NOW, 2)).toBe(2);
    expect(await results.removeExpired(NOW, 2)).toBe(1);
    expect(await results.removeExpired(NOW, 2)).toBe(0);
  });

  it('`removeExpired` keeps the row of a result that a live process is computing', async () => {
    await claim(mine);
    expect([await results.removeExpired(NOW + 600 * SECOND, 10), await holders()]).toEqual([0, [mine]]);
  });

  it('`removeExpired` keeps the row of an expired result that a live process claims meanwhile', async () => {
    await keep('1', KEY, NOW);
    const removal = results.removeExpired(NOW, 10);
    const claimed = claim(mine, 1, 0);
    await Promise.all([removal, claimed]);
    expect([await claimed, await holders()]).toEqual([true, [mine]]);
  });

  it('`removeExpired` removes the row of a result that a dead process has claimed', async () => {
    await claim(mine);
    await world.instances.remove([mine]);
    expect([await results.removeExpired(NOW, 10), await holders()]).toEqual([1, []]);
  });
});
