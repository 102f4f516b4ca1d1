import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { Retention } from './retention.js';
import type { Trimmed } from './retention-sweeper.ts';

const NOW = Date.UTC(2030, 0, 31);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A process that deletes expired data. The ports of the process are fakes. */
class World {
  readonly clock = new ManualClock(NOW);
  isFree = true;
  trimmed: Trimmed = { executions: 0, results: 0, bytes: 0 };
  failure: Error | null = null;
  gate: Promise<void> = Promise.resolve();
  signal: AbortSignal | undefined;
  readonly log: string[] = [];

  readonly retention = new Retention(
    {
      trim: async (before, now, signal) => {
        this.signal = signal;
        this.log.push(`trim what ended ${(now - before) / DAY} days ago`);
        await this.gate;
        if (this.failure !== null) throw this.failure;
        return this.trimmed;
      },
    },
    { removeOldChanges: async () => void this.log.push('forget old states') },
    {
      claim: async (name, holder, since, now) => {
        this.log.push(`claim ${name} for ${holder} unless within ${(now - since) / MINUTE} minutes`);
        return this.isFree;
      },
      release: async (name) => void this.log.push(`release ${name}`),
    },
    { id: 'this-process' },
    { RETENTION_DAYS: 30 },
    this.clock,
  );
}

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('retention', () => {
  it('retention deletes old executions and then releases its claim', async () => {
    await world.retention.run();
    expect(world.log).toEqual([
      'claim retention for this-process unless within 59 minutes',
      'forget old states',
      'trim what ended 30 days ago',
      'release retention',
    ]);
  });

  it('retention deletes nothing while another process holds the claim on retention', async () => {
    world.isFree = false;
    await world.retention.run();
    expect(world.log).toHaveLength(1);
  });

  it('retention releases its claim after a failed sweep', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    world.failure = new Error('The database is away.');
    await world.retention.run();
    expect([world.log.at(-1), warned.mock.calls.length]).toEqual(['release retention', 1]);
    world.failure = null;
    await world.retention.run();
    expect(world.log.filter((line) => line.startsWith('trim'))).toHaveLength(2);
  });

  it('retention logs what a sweep deleted', async () => {
    const said = vi.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    await world.retention.run();
    expect(said).not.toHaveBeenCalled();
    world.trimmed = { executions: 12, results: 3, bytes: 5 * 1_048_576 };
    await world.retention.run();
    expect(said.mock.calls).toEqual([
      [
        'Deleted 12 executions that ended more than 30 days ago and 3 expired results; 5 MB returned to the disk.',
      ],
    ]);
  });

  it('two concurrent calls of `Retention.run` share one sweep', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    const first = world.retention.run();
    expect(world.retention.run()).toBe(first);
    gate.resolve();
    await first;
    expect(world.log.filter((line) => line.startsWith('trim'))).toHaveLength(1);
  });

  it('retention sweeps five minutes after the start and then every hour', async () => {
    world.retention.onApplicationBootstrap();
    await vi.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(world.log).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await endOfTurn();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    await endOfTurn();
    expect(world.log.filter((line) => line.startsWith('trim'))).toHaveLength(2);
  });

  it('a shutdown aborts the current retention sweep, waits for the end of the sweep, and starts no later sweep', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.retention.onApplicationBootstrap();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    const ended = world.retention.beforeApplicationShutdown();
    expect(world.signal?.aborted).toBe(true);
    gate.resolve();
    await ended;
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    expect(world.log.filter((line) => line.startsWith('trim'))).toHaveLength(1);
  });
});
