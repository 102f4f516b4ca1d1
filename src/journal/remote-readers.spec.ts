import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { READERS_TOPIC } from '../storage/index.js';
import { RemoteReaders } from './remote-readers.js';

/** Milliseconds for which an announcement is valid. */
const VALID_MS = 15_000;

let appeared: number;
/** The listeners that `RemoteReaders` has subscribed, by topic. */
let listeners: Map<string, () => void>;
let readers: RemoteReaders;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  appeared = 0;
  listeners = new Map();
  readers = new RemoteReaders(
    { listen: async (topic, onNotice) => void listeners.set(topic, onNotice) },
    () => (appeared += 1),
  );
});
afterEach(() => void vi.useRealTimers());

function announce(): void {
  listeners.get(READERS_TOPIC)?.();
}

describe('RemoteReaders', () => {
  it('a process that has just started assumes that other processes have readers', async () => {
    await readers.start();
    vi.advanceTimersByTime(VALID_MS - 1);
    expect(readers.exist).toBe(true);
    vi.advanceTimersByTime(1);
    expect(readers.exist).toBe(false);
  });

  it('an announcement is valid for 15 seconds', async () => {
    await readers.start();
    vi.advanceTimersByTime(2 * VALID_MS);
    announce();
    vi.advanceTimersByTime(VALID_MS - 1);
    expect(readers.exist).toBe(true);
    vi.advanceTimersByTime(1);
    expect(readers.exist).toBe(false);
  });

  it('only an announcement after a time without a valid one reports that readers have appeared', async () => {
    await readers.start();
    announce();
    expect(appeared).toBe(0);
    vi.advanceTimersByTime(VALID_MS);
    announce();
    expect(appeared).toBe(1);
    announce();
    expect(appeared).toBe(1);
  });
});
