import { Injectable } from '@nestjs/common';

/** Reports whether this process still holds the leases of its executions. */
export interface LeaseWatch {
  /** True if no other process can have taken over the leases of this process. */
  isSure(): boolean;
  /**
   * Tries once to confirm the leases with a heartbeat. Executions with a lost lease are stopped before the promise
   * resolves. The promise never rejects.
   */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/**
 * Delays the effects of nodes, such as HTTP requests, while another process may have taken over their
 * executions.
 */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Sets the source of the lease status. Must be called once, by the code that renews the leases. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Whether this process certainly holds its leases now. Callers must check this directly before each effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /** Resolves when the leases are confirmed, or when the signal aborts because the run has lost its lease. */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Thrown instead of sending a request, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
