import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock, isoTime, Periodic } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Writer } from '../storage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { HooksRepository } from './hooks.repository.js';

const HOUR_MS = 3_600_000;
/**
 * Time in milliseconds for which deliveries are stored: 7 days. Within this time, a repeated request gets the execution
 * of the first request.
 */
const DELIVERY_RETENTION_MS = 7 * 24 * HOUR_MS;

@Injectable()
export class OldDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OldDeliveries.name);
  private readonly sweep = new Periodic(
    HOUR_MS,
    () => this.remove(),
    (error) => this.logger.warn({ err: error }, 'Old hook deliveries could not be deleted; trying again.'),
  );

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly hooks: HooksRepository,
    private readonly writer: Writer,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.ROLE !== 'api') this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  remove(): Promise<void> {
    const now = this.clock.now();
    return this.writer.commit({
      writes: [
        this.deliveries.deletionBefore(isoTime(now - DELIVERY_RETENTION_MS)),
        this.hooks.expiredTokenDeletion(isoTime(now)),
      ],
    });
  }
}
