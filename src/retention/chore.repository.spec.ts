import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StoreWorld } from '../../test/support/store-world.js';
import { ChoreRepository } from './chore.repository.js';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const CHORE = 'retention';

let world: StoreWorld;
let chores: ChoreRepository;
let mine: string;
let other: string;

beforeAll(async () => {
  world = await StoreWorld.open();
  chores = new ChoreRepository('sqlite', world.store.writer);
});
afterAll(() => world.close());

beforeEach(async () => {
  await world.rows('DELETE FROM chores');
  [mine, other] = [await world.addProcess(), await world.addProcess()];
});

/**
 * Claims the chore `minute` minutes after `NOW`. The claim requires that the last run began at least 60 minutes before.
 */
const claim = (holder: string, minute: number, name = CHORE): Promise<boolean> =>
  chores.claim(name, holder, NOW + (minute - 60) * MINUTE, NOW + minute * MINUTE);

const stored = (): Promise<readonly unknown[]> =>
  world.rows('SELECT name, holder, started_at FROM chores ORDER BY name');

describe('ChoreRepository.claim', () => {
  it('`claim` grants the first claim of a chore, and stores the id of the process and the start time', async () => {
    expect(await claim(mine, 0)).toBe(true);
    expect(await stored()).toEqual([{ name: CHORE, holder: mine, started_at: new Date(NOW).toISOString() }]);
  });

  it('`claim` grants only one of several concurrent claims of a chore', async () => {
    const claims = await Promise.all([mine, other, await world.addProcess()].map((id) => claim(id, 0)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('`claim` refuses a claim while a live process holds the chore', async () => {
    await claim(other, 0);
    const before = await stored();
    expect(await claim(mine, 600)).toBe(false);
    expect(await stored()).toEqual(before);
  });

  it('`claim` grants a later claim to the process that holds the chore, because its release may have failed', async () => {
    await claim(mine, 0);
    expect(await claim(mine, 59)).toBe(false);
    expect(await claim(mine, 60)).toBe(true);
  });

  it.each([
    [59, false],
    [60, true],
    [61, true],
  ])('a chore can be claimed %i minutes after the start of its last run: %s', async (minute, isClaimed) => {
    await claim(other, 0);
    await chores.release(CHORE, other);
    expect(await claim(mine, minute)).toBe(isClaimed);
  });

  it.each([
    [59, false],
    [60, true],
  ])(
    'a chore of a crashed process can be claimed %i minutes after its start: %s',
    async (minute, isClaimed) => {
      await claim(other, 0);
      await world.instances.remove([other]);
      expect(await claim(mine, minute)).toBe(isClaimed);
    },
  );

  it('`claim` grants a claim of a chore while another process runs a different chore', async () => {
    await claim(other, 0, 'backup');
    expect(await claim(mine, 0)).toBe(true);
  });

  it('`ChoreRepository.claim` rejects if the database refuses the write', async () => {
    await world.rows('ALTER TABLE chores RENAME TO hidden');
    try {
      await expect(claim(mine, 0)).rejects.toThrow('chores');
    } finally {
      await world.rows('ALTER TABLE hidden RENAME TO chores');
    }
  });
});

describe('ChoreRepository.release', () => {
  it('`release` clears the holder of a chore and keeps the start time of its last run', async () => {
    await claim(mine, 0);
    await chores.release(CHORE, mine);
    expect(await stored()).toMatchObject([{ holder: null, started_at: new Date(NOW).toISOString() }]);
  });

  it('`release` does not end the claim of another process on a chore', async () => {
    await claim(mine, 0);
    await world.instances.remove([mine]);
    await claim(other, 60);
    await chores.release(CHORE, mine);
    expect(await stored()).toMatchObject([{ holder: other }]);
  });
});
