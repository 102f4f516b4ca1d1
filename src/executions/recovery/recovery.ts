import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, type Settings, SETTINGS } from '../../platform/index.js';
import { InProcessDispatcher } from '../dispatch/in-process.dispatcher.js';
import { ExecutionRepository } from '../execution.repository.js';
import { RunLoop } from '../run-loop/run-loop.js';
import { InstanceRegistry } from '../instances/instance-registry.js';

/**
 * The beginning and the end of a process as a runner: at the start it takes up what dead processes left, at
 * the end it leaves what it holds to others.
 */
@Injectable()
export class Recovery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Recovery.name);
  private entered = false;

  constructor(
    private readonly executions: ExecutionRepository,
    private readonly instances: InstanceRegistry,
    private readonly dispatcher: InProcessDispatcher,
    private readonly runLoop: RunLoop,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.instances.enter((dead) => this.takeOver(dead));
    this.entered = true;
    this.dispatcher.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.dispatcher.stop();
    await this.runLoop.drain(this.settings.SHUTDOWN_GRACE_SECONDS * 1_000);
    // Here and not in onApplicationShutdown: by then the database may be closed.
    if (this.entered) await this.instances.leave();
  }

  private async takeOver(dead: readonly string[]): Promise<void> {
    const freed = await this.executions.release(dead, isoTime(this.clock.now()));
    if (freed > 0) this.logger.log(`${freed} executions of a process that ended are taken up again.`);
    this.dispatcher.wake();
  }
}
