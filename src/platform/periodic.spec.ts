import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Periodic } from './periodic.js';

describe('Periodic', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const fail = (error: unknown): never => {
    throw error;
  };

  it('a periodic task runs after each interval', async () => {
    let runs = 0;
    const periodic = new Periodic(100, () => void (runs += 1), fail);
    periodic.start();
    periodic.start();
    expect(runs).toBe(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(runs).toBe(3);
    await periodic.stop();
    await vi.advanceTimersByTimeAsync(300);
    expect(runs).toBe(3);
    periodic.start();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toBe(4);
    await periodic.stop();
  });

  it('a periodic task does not start while its last run is in progress', async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const periodic = new Periodic(
      100,
      () => {
        const run = Promise.withResolvers<void>();
        runs.push(run);
        return run.promise;
      },
      fail,
    );
    periodic.start();
    await vi.advanceTimersByTimeAsync(350);
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toHaveLength(2);
    let hasStopped = false;
    const stopped = periodic.stop().then(() => (hasStopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(hasStopped).toBe(false);
    runs[1]?.resolve();
    await stopped;
    expect(hasStopped).toBe(true);
  });

  it('a periodic task reports an error of a run and runs again after the next interval', async () => {
    const errors: unknown[] = [];
    const periodic = new Periodic(
      100,
      () => fail(new Error(`attempt ${errors.length + 1}`)),
      (error) => errors.push(error),
    );
    periodic.start();
    await vi.advanceTimersByTimeAsync(200);
    expect(errors).toEqual([new Error('attempt 1'), new Error('attempt 2')]);
    await periodic.stop();
  });
});
