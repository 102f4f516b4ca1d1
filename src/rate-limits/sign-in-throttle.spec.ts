import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { RateLimitError, UnavailableError } from '../errors/index.js';
import { MAX_DELAY_MS, MAX_DELAYED_OF_NETWORK, SIGN_IN_LIMITS, SignInThrottle } from './sign-in-throttle.js';

const ADA = { account: 'ada@example.com', address: '192.0.2.1', device: null };
const { account, network, device } = SIGN_IN_LIMITS;

describe('SignInThrottle', () => {
  let clock: ManualClock;
  let throttle: SignInThrottle;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clock = new ManualClock();
    throttle = new SignInThrottle(clock);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /**
   * Makes several sign-in attempts, one after another.
   *
   * @returns the delay of each attempt in milliseconds
   */
  async function delays(times: number, attempt: Partial<typeof ADA> = {}): Promise<readonly number[]> {
    const waited: number[] = [];
    for (let time = 0; time < times; time += 1) waited.push(await delayOf({ ...ADA, ...attempt }));
    return waited;
  }

  async function delayOf(attempt: Parameters<SignInThrottle['admit']>[0]): Promise<number> {
    let admitted = false;
    const admission = throttle.admit(attempt).then(() => (admitted = true));
    let waited = 0;
    for (await settled(); !admitted; waited += 1_000) {
      if (waited > 2 * MAX_DELAY_MS) throw new Error('The attempt is never admitted.');
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await admission;
    return waited;
  }

  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  const from = (host: number): string => `198.51.100.${host}`;

  it('after several sign-in attempts on an account, each further attempt is delayed longer, up to a maximum', async () => {
    const waited: number[] = [];
    for (let host = 0; host < account.capacity + 6; host += 1)
      waited.push(...(await delays(1, { address: from(host) })));
    expect(waited).toEqual([
      ...Array<number>(account.capacity).fill(0),
      ...[1_000, 2_000, 4_000],
      ...Array<number>(3).fill(MAX_DELAY_MS),
    ]);
    expect(await delays(1, { account: 'bob@example.com' })).toEqual([0]);
  });

  it('many sign-in attempts from a network delay further attempts from this network', async () => {
    for (let count = 0; count < network.capacity; count += 1)
      expect(await delays(1, { account: `${count}@example.com` })).toEqual([0]);
    expect(await delays(1, { account: 'bob@example.com' })).toEqual([1_000]);
    expect(await delays(1, { account: 'bob@example.com', address: from(1) })).toEqual([0]);
  });

  it('the delay of sign-in attempts decreases as time passes', async () => {
    await delays(account.capacity + 2);
    clock.advance(3 * 60_000);
    expect(await delays(1)).toEqual([0]);
  });

  it('a successful sign-in clears the delay of its account, but not the delay of its network', async () => {
    await delays(account.capacity);
    const admission = throttle.admit(ADA);
    await vi.advanceTimersByTimeAsync(1_000);
    (await admission).succeeded();
    expect(await delays(account.capacity)).toEqual(Array<number>(account.capacity).fill(0));
    for (let count = 2 * account.capacity; count < network.capacity; count += 1)
      await delays(1, { account: `${count}@example.com` });
    expect(await delays(1, { account: 'bob@example.com' })).toEqual([1_000]);
  });

  it('sign-in attempts from other devices do not delay the sign-in attempts of a known device', async () => {
    for (let host = 0; host < 60; host += 1) await delays(1, { address: from(host) });
    await delays(5);
    const known = { ...ADA, device: 'phone' };
    for (let count = 0; count < device.capacity; count += 1) expect(await delayOf(known)).toBe(0);
    expect(await delayOf(known)).toBe(MAX_DELAY_MS);
    expect(await delayOf({ ...ADA, device: 'laptop' })).toBe(0);
    clock.advance(60_000);
    expect(await delayOf(known)).toBe(0);
  });

  it('a sign-in attempt is refused while too many attempts from the same network wait', async () => {
    await delays(account.capacity + 5);
    const waiting = Array.from({ length: MAX_DELAYED_OF_NETWORK }, () => throttle.admit(ADA));
    const refused = throttle.admit(ADA);
    await expect(refused).rejects.toBeInstanceOf(RateLimitError);
    await expect(refused).rejects.toMatchObject({
      code: 'too_many_sign_in_attempts',
      retryAfterSeconds: MAX_DELAY_MS / 1_000,
    });
    const other = throttle.admit({ ...ADA, address: from(1) });
    await vi.advanceTimersByTimeAsync(MAX_DELAY_MS);
    expect(await Promise.all([...waiting, other])).toHaveLength(MAX_DELAYED_OF_NETWORK + 1);
    expect(await delays(1)).toEqual([MAX_DELAY_MS]);
  });

  it('waiting sign-in attempts are rejected at shutdown', async () => {
    await delays(account.capacity);
    const waiting = throttle.admit(ADA);
    throttle.beforeApplicationShutdown();
    await expect(waiting).rejects.toBeInstanceOf(UnavailableError);
  });
});
