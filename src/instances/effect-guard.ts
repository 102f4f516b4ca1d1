import { Injectable } from '@nestjs/common';

/** Knows whether this process still holds its leases. */
export interface LeaseWatch {
  /** Whether no other process can have taken the leases over. */
  isSure(): boolean;
  /** Confirms the leases once; runs whose leases are lost are stopped before it resolves. Never rejects. */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/**
 * Delays effects of nodes while this process may have lost its leases, as after it was suspended: another process may
 * be running the same attempts.
 */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Called once, by the code that renews this process's leases. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Checked right before an effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /** Resolves when the leases are confirmed, or when the signal aborts, as it does for a lost lease. */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Fails a request before its first byte is sent, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
