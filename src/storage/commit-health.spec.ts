import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StatementTimeoutError } from '../database/index.js';
import { CommitHealth } from './commit-health.js';

describe('CommitHealth.check', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('a commit that takes more than three seconds is reported, even if a later parallel commit ends', () => {
    const health = new CommitHealth(false);
    const stuck = health.sent(1);
    vi.advanceTimersByTime(2_000);
    health.completed(health.sent(1));
    vi.advanceTimersByTime(1_001);
    expect(() => health.check()).toThrow(StatementTimeoutError);
    health.completed(stuck);
    health.check();
  });

  it('the time that a commit waits for the commit before it does not count if the database makes commits one by one', () => {
    const health = new CommitHealth(true);
    health.sent(1);
    health.sent(1);
    vi.advanceTimersByTime(2_000);
    health.completed();
    vi.advanceTimersByTime(2_000);
    health.check();
    vi.advanceTimersByTime(1_001);
    expect(() => health.check()).toThrow(StatementTimeoutError);
  });
});
