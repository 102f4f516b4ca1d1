import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { READERS_TOPIC } from '../storage/index.js';
import { CommitSubscription } from './commit-subscription.js';

/** Number of checks after which an unused subscription ends. */
const CHECKS = 3;

let hasReaders: boolean;
let failure: Error | null;
/** Every call of `listen`, `unlisten` and the listener, in order. */
let calls: string[];
/** For each announcement of readers, the number of earlier entries of `calls`. */
let announcedAfter: number[];
let subscription: CommitSubscription;

beforeEach(() => {
  hasReaders = true;
  failure = null;
  calls = [];
  announcedAfter = [];
  subscription = new CommitSubscription(
    {
      listen: async () => {
        calls.push('listen');
        if (failure !== null) throw failure;
      },
      unlisten: async () => void calls.push('unlisten'),
      notify: async (topic) => {
        if (topic === READERS_TOPIC) announcedAfter.push(calls.length);
      },
    },
    () => hasReaders,
    () => void calls.push('notice'),
    new Logger(CommitSubscription.name),
  );
});
afterEach(() => void vi.restoreAllMocks());

async function check(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) subscription.check();
  await endOfTurn();
}

describe('CommitSubscription', () => {
  it('a process without a reader does not subscribe to notifications about commits', async () => {
    hasReaders = false;
    await check(2 * CHECKS);
    expect(calls).toEqual([]);
  });

  it('when the subscription has started, the listener is called once, because it received no notifications of earlier commits', async () => {
    subscription.subscribe();
    subscription.subscribe();
    await endOfTurn();
    expect(calls).toEqual(['listen', 'notice']);
  });

  it('the subscription ends after 3 consecutive checks without a reader', async () => {
    subscription.subscribe();
    hasReaders = false;
    await check(CHECKS - 1);
    expect(calls).not.toContain('unlisten');
    await check(1);
    expect(calls).toEqual(['listen', 'notice', 'unlisten']);
  });

  it('a check that finds a reader restarts the count of checks without a reader', async () => {
    subscription.subscribe();
    hasReaders = false;
    await check(CHECKS - 1);
    hasReaders = true;
    await check(1);
    hasReaders = false;
    await check(CHECKS - 1);
    expect(calls).toEqual(['listen', 'notice']);
  });

  it('a reader that leaves before the next check also restarts the count', async () => {
    subscription.subscribe();
    hasReaders = false;
    await check(CHECKS - 1);
    subscription.subscribe();
    await check(CHECKS - 1);
    expect(calls).toEqual(['listen', 'notice']);
  });

  it('a reader after the end of the subscription starts a new one', async () => {
    subscription.subscribe();
    hasReaders = false;
    await check(CHECKS);
    subscription.subscribe();
    await endOfTurn();
    expect(calls).toEqual(['listen', 'notice', 'unlisten', 'listen', 'notice']);
  });

  it('a failed subscription is logged and repeated at the next check', async () => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    failure = new Error('no connection');
    subscription.subscribe();
    await endOfTurn();
    expect(warn).toHaveBeenCalledTimes(1);
    failure = null;
    await check(1);
    expect(calls).toEqual(['listen', 'listen', 'notice']);
  });

  it('a subscription is announced to the other processes after it has started, and again at every check until it ends', async () => {
    subscription.subscribe();
    expect(announcedAfter).toEqual([]);
    await endOfTurn();
    expect(announcedAfter).toEqual([1]);
    hasReaders = false;
    await check(CHECKS);
    expect(announcedAfter).toHaveLength(1 + CHECKS);
    await check(CHECKS);
    expect(announcedAfter).toHaveLength(1 + CHECKS);
  });
});
