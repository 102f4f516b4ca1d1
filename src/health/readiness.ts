import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DatabaseProbe } from '../storage/index.js';
import type { Checks } from './checks.js';
import { NotReadyError, ShuttingDownError } from './health.errors.js';
import { QueueProbe } from './queue-probe.js';

/** Milliseconds after which a dependency that has not responded counts as down. */
const TIMEOUT_MS = 1_000;

@Injectable()
export class Readiness implements OnModuleDestroy {
  private leaving = false;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseProbe,
    private readonly queue: QueueProbe,
  ) {}

  /**
   * @throws ShuttingDownError
   *
   * @throws NotReadyError that lists every dependency and whether it responds
   */
  async check(): Promise<Checks> {
    if (this.leaving) throw new ShuttingDownError();
    const reasons: unknown[] = [];
    const [{ database }, { queue }] = await Promise.all([
      this.asked('database', this.database, reasons),
      this.asked('queue', this.queue, reasons),
    ]);
    const checks = { database: upOrDown(database), queue: upOrDown(queue) };
    if (Object.values(checks).includes('down')) throw new NotReadyError(checks, reasons[0]);
    const redis = this.queue.redis();
    return redis === null ? checks : { ...checks, redis };
  }

  /** Makes every later readiness check fail. The process still handles requests. */
  leave(): void {
    this.leaving = true;
  }

  /** Fails the readiness check at the beginning of a shutdown, so that load balancers stop sending requests early. */
  onModuleDestroy(): void {
    this.leave();
  }

  /** @param reasons receives the error of a failed probe */
  private asked<Name extends string>(name: Name, probe: { check(): Promise<void> }, reasons: unknown[]) {
    return this.indicators
      .check(name)
      .attempt(async () => {
        try {
          await probe.check();
        } catch (error) {
          reasons.push(error);
          throw error;
        }
      })
      .withTimeout(TIMEOUT_MS);
  }
}

function upOrDown({ status }: { readonly status: string }): 'up' | 'down' {
  return status === 'up' ? 'up' : 'down';
}
