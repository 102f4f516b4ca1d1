import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { InProcessDispatcher } from '../dispatch/in-process.dispatcher.js';
import { ExecutionRepository, BackgroundCancellation } from '../../execution-store/index.js';
import { InboxSweeper } from './inbox-sweeper.ts';
import { RunLoop } from '../run-loop/run-loop.js';
import { InstanceRegistry } from '../../instances/index.js';

/**
 * Manages the leases of this process. At each heartbeat, releases the leases of crashed processes, and releases this
 * process's own leases whose executions do not run here. At shutdown, hands over the remaining leases.
 */
@Injectable()
export class Recovery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Recovery.name);
  private entered = false;
  /** Leases, as `<execution id>:<epoch>`, whose executions did not run in this process at the last heartbeat. */
  private idle: ReadonlySet<string> = new Set();

  constructor(
    @Inject(ExecutionRepository)
    private readonly executions: Pick<
      ExecutionRepository,
      'handBack' | 'handOver' | 'leasesOf' | 'releaseOrphans'
    >,
    @Inject(InstanceRegistry)
    private readonly instances: Pick<InstanceRegistry, 'enter' | 'id' | 'leasesCompared' | 'leave'>,
    @Inject(InProcessDispatcher)
    private readonly dispatcher: Pick<InProcessDispatcher, 'close' | 'poll' | 'start' | 'stop' | 'wake'>,
    @Inject(RunLoop) private readonly runLoop: Pick<RunLoop, 'drain' | 'running' | 'runs'>,
    @Inject(InboxSweeper) private readonly inboxes: Pick<InboxSweeper, 'connect' | 'sweep'>,
    @Inject(BackgroundCancellation) private readonly cancellations: Pick<BackgroundCancellation, 'sweep'>,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ROLE' | 'SHUTDOWN_GRACE_SECONDS'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.inboxes.connect();
    const runs = this.settings.ROLE !== 'api';
    await this.instances.enter(async () => (runs ? this.poll() : undefined));
    this.entered = true;
    if (!runs) return;
    await this.dispatcher.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.dispatcher.stop();
    await this.runLoop.drain(this.settings.SHUTDOWN_GRACE_SECONDS * 1_000);
    await this.handOver();
    await this.dispatcher.close();
    // Deregisters the process in this hook, because the database connection may already be closed in
    // `onApplicationShutdown`.
    if (this.entered) await this.instances.leave();
  }

  /**
   * Hands over the remaining leases, such as those of a claim whose response was lost. If the leases stayed, other
   * processes would count the shutdown as a crash of each execution.
   */
  private async handOver(): Promise<void> {
    const handedOver = await this.executions.handOver(this.instances.id, isoTime(this.clock.now()));
    if (handedOver > 0)
      this.logger.log(`${handedOver} executions that did not end in time were handed over.`);
  }

  private async poll(): Promise<void> {
    const freed = (await this.releaseOrphanedLeases()) + (await this.releaseStrayLeases());
    this.instances.leasesCompared();
    if (freed > 0) this.dispatcher.wake();
    else await this.dispatcher.poll();
    await this.inboxes.sweep();
    await this.cancellations.sweep();
  }

  private async releaseOrphanedLeases(): Promise<number> {
    const freed = await this.executions.releaseOrphans(isoTime(this.clock.now()));
    if (freed > 0) this.logger.log(`${freed} executions of an ended process can be claimed again.`);
    return freed;
  }

  /**
   * Compares the leases in the database with the executions that run in this process. Stops a run whose lease another
   * process has taken over, for example while this process was suspended. Releases a lease whose execution did not run
   * at two consecutive heartbeats, for example because the response to the claim was lost.
   *
   * @returns the number of released leases
   */
  private async releaseStrayLeases(): Promise<number> {
    const running = this.runLoop.running();
    const leases = await this.executions.leasesOf(this.instances.id);
    const held = new Set(leases.map(({ id, lease }) => leaseKey(id, lease.epoch)));
    for (const { id, epoch, stop } of running) if (!held.has(leaseKey(id, epoch))) stop();
    const idle = leases.filter(({ id, lease }) => !this.runLoop.runs(id, lease.epoch));
    const strays = idle.filter(({ id, lease }) => this.idle.has(leaseKey(id, lease.epoch)));
    this.idle = new Set(idle.map(({ id, lease }) => leaseKey(id, lease.epoch)));
    for (const lease of strays)
      await this.executions.handBack(lease, isoTime(this.clock.now()), 'service_fault');
    return strays.length;
  }
}

function leaseKey(id: string, epoch: number): string {
  return `${id}:${epoch}`;
}
