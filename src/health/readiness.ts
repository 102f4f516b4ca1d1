import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { DatabaseProbe } from '../storage/index.js';
import type { Checks } from './checks.js';
import { NotReadyError, ShuttingDownError } from './health.errors.js';
import { QueueProbe } from './queue-probe.js';

/** Time after which a dependency counts as down. */
const TIMEOUT_MS = 1_000;

/** Whether this process should get requests. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private leaving = false;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseProbe,
    private readonly queue: QueueProbe,
  ) {}

  /** @throws ShuttingDownError; NotReadyError naming each dependency that does not respond. */
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

  /** Not ready from now on; requests that still arrive are answered. */
  leave(): void {
    this.leaving = true;
  }

  /** The first hook of a shutdown: load balancers notice while running work still has its grace period. */
  onModuleDestroy(): void {
    this.leave();
  }

  /** @param reasons collects the errors of probes */
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
