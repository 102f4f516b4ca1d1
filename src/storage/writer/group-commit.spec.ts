import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asRequest } from '../../database/index.js';
import { CommitQueue } from './group-commit.js';

const LIMIT_MS = 5_000;

/**
 * Adds a unit of work, inside or outside a request.
 *
 * @returns an object with the outcome of the unit
 */
function added(queue: CommitQueue, key: string, isRequest = true): { outcome: string } {
  const state = { outcome: 'open' };
  const add = (): void =>
    void queue.add({ key, writes: [] }).then(
      () => (state.outcome = 'written'),
      (error: Error) => (state.outcome = error.name),
    );
  if (isRequest) asRequest(new ServerResponse(new IncomingMessage(new Socket())), LIMIT_MS, add);
  else add();
  return state;
}

function keysOf(batch: ReturnType<CommitQueue['take']>): readonly (string | undefined)[] {
  return batch.map(({ unit }) => unit.key);
}

describe('CommitQueue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a unit of work that waits too long for its commit is rejected and not written', async () => {
    const queue = new CommitQueue();
    const first = added(queue, 'first');
    await vi.advanceTimersByTimeAsync(2_000);
    const second = added(queue, 'second');
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 2_000);
    expect([first.outcome, second.outcome]).toEqual(['StatementTimeoutError', 'open']);
    expect(keysOf(queue.take())).toEqual(['second']);
  });

  it('a unit of work of a request is rejected if its commit takes too long', async () => {
    const queue = new CommitQueue();
    const under = added(queue, 'under way');
    queue.take();
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(under.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(under.outcome).toBe('StatementTimeoutError');
  });

  it('a unit of work that was added to an empty queue is rejected if it is not committed within the timeout', async () => {
    const queue = new CommitQueue();
    added(queue, 'early');
    const batch = queue.take();
    for (const { resolve } of batch) resolve();
    queue.settled(batch);
    await vi.advanceTimersByTimeAsync(LIMIT_MS + 1_000);
    const late = added(queue, 'late');
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(late.outcome).toBe('StatementTimeoutError');
  });

  it('a unit of work outside a request has no timeout', async () => {
    const queue = new CommitQueue();
    added(queue, 'request');
    const own = added(queue, 'own', false);
    await vi.advanceTimersByTimeAsync(LIMIT_MS * 2);
    expect(own.outcome).toBe('open');
    expect(keysOf(queue.take())).toEqual(['own']);
  });
});
