import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { Recovery } from './recovery.js';

const NOW = '2030-01-01T00:00:00.000Z';
const OWN = 'this-process';

interface Lease {
  readonly id: string;
  readonly lease: { readonly owner: string; readonly epoch: number };
}

/** Fakes of the dependencies of `Recovery`, which record the calls in order. */
class World {
  readonly log: string[] = [];
  /** Number of executions whose process has crashed. */
  orphans = 0;
  /** Leases of this process in the simulated database. */
  leases: Lease[] = [];
  /** Lease epochs of the executions that run in this process, by execution id. */
  readonly holds = new Map<string, number>();
  handedOver = 0;
  /** Function that `Recovery` registered. The real process calls this function at each heartbeat. */
  poll: () => Promise<void> = () => Promise.reject(new Error('The process has not entered.'));

  recovery(role: 'all' | 'api' = 'all'): Recovery {
    return new Recovery(
      {
        releaseOrphans: (at) => this.did(`release orphans at ${at}`, this.orphans),
        leasesOf: () => Promise.resolve(this.leases as never),
        handBack: ({ id }, at, reason) => this.did(`hand back ${id} at ${at}: ${reason}`, undefined),
        handOver: (id, at) => this.did(`hand over all of ${id} at ${at}`, this.handedOver),
      },
      {
        id: OWN,
        enter: (onBeat) => {
          this.poll = onBeat;
          return this.did('enter', undefined);
        },
        leasesCompared: () => void this.log.push('leases compared'),
        leave: () => this.did('leave', undefined),
      },
      {
        start: () => this.did('start', undefined),
        wake: () => void this.log.push('wake'),
        poll: () => this.did('poll for work', undefined),
        stop: () => this.did('stop claiming', undefined),
        close: () => this.did('close the dispatcher', undefined),
      },
      {
        running: () =>
          [...this.holds].map(([id, epoch]) => ({ id, epoch, stop: () => void this.log.push(`stop ${id}`) })),
        runs: (id, epoch) => this.holds.get(id) === epoch,
        drain: (ms) => this.did(`drain for ${ms} ms`, undefined),
      },
      {
        connect: () => this.did('connect inboxes', undefined),
        sweep: () => this.did('sweep the inboxes', undefined),
      },
      { sweep: () => this.did('sweep the cancellations', undefined) },
      { ROLE: role, SHUTDOWN_GRACE_SECONDS: 30 },
      new ManualClock(Date.parse(NOW)),
    );
  }

  lease(id: string, epoch = 1): void {
    this.leases.push({ id, lease: { owner: OWN, epoch } });
  }

  /** Simulates a heartbeat, and returns the calls that `Recovery` made. */
  async beat(): Promise<readonly string[]> {
    this.log.length = 0;
    await this.poll();
    return [...this.log];
  }

  private did<T>(what: string, result: T): Promise<T> {
    this.log.push(what);
    return Promise.resolve(result);
  }
}

let world: World;

beforeEach(() => {
  Logger.overrideLogger(false);
  world = new World();
});

afterEach(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

describe('process startup', () => {
  it('a starting process registers itself in the database before it claims executions', async () => {
    await world.recovery().onApplicationBootstrap();
    expect(world.log).toEqual(['connect inboxes', 'enter', 'start']);
  });

  it('a process with the role `api` claims no executions and releases no leases', async () => {
    await world.recovery('api').onApplicationBootstrap();
    expect(world.log).toEqual(['connect inboxes', 'enter']);
    expect(await world.beat()).toEqual([]);
  });
});

describe('heartbeats', () => {
  beforeEach(() => world.recovery().onApplicationBootstrap());

  it('a heartbeat that finds no executions of dead processes polls for runnable executions, messages and cancellations', async () => {
    expect(await world.beat()).toEqual([
      `release orphans at ${NOW}`,
      'leases compared',
      'poll for work',
      'sweep the inboxes',
      'sweep the cancellations',
    ]);
  });

  it('a heartbeat wakes the dispatcher after it released the leases of a dead process', async () => {
    world.orphans = 3;
    const log = await world.beat();
    expect(log).toContain('wake');
    expect(log).not.toContain('poll for work');
  });

  it('a heartbeat stops a run whose lease is missing in the database', async () => {
    world.holds.set('a', 1);
    world.holds.set('b', 1);
    world.lease('a');
    const log = await world.beat();
    expect(log).toContain('stop b');
    expect(log).not.toContain('stop a');
  });

  it('a heartbeat stops a run whose lease epoch is older than the epoch in the database', async () => {
    world.holds.set('a', 1);
    world.lease('a', 2);
    expect(await world.beat()).toContain('stop a');
  });

  it('a heartbeat hands back an execution that the process leased but did not run at this and the previous heartbeat', async () => {
    world.lease('a');
    expect((await world.beat()).join()).not.toContain('hand back');
    const log = await world.beat();
    expect(log).toContain(`hand back a at ${NOW}: service_fault`);
    expect(log).toContain('wake');
  });

  it('a heartbeat keeps a lease that had no run at the previous heartbeat, but has one now', async () => {
    world.lease('a');
    await world.beat();
    world.holds.set('a', 1);
    expect((await world.beat()).join()).not.toContain('hand back');
  });

  it('a heartbeat keeps a new lease even if the previous lease of the execution had no run', async () => {
    world.lease('a', 1);
    await world.beat();
    world.leases = [];
    world.lease('a', 2);
    expect((await world.beat()).join()).not.toContain('hand back');
  });
});

describe('process shutdown', () => {
  it('a process that shuts down stops claiming executions before draining, and deregisters after handing over its executions', async () => {
    const recovery = world.recovery();
    await recovery.onApplicationBootstrap();
    world.log.length = 0;
    await recovery.beforeApplicationShutdown();
    expect(world.log).toEqual([
      'stop claiming',
      'drain for 30000 ms',
      `hand over all of ${OWN} at ${NOW}`,
      'close the dispatcher',
      'leave',
    ]);
  });

  it('a process that never registered does not deregister when it shuts down', async () => {
    await world.recovery().beforeApplicationShutdown();
    expect(world.log).not.toContain('leave');
  });
});
