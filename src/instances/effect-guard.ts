import { Injectable } from '@nestjs/common';

/** What knows whether this process still holds the leases of what it runs. */
export interface LeaseWatch {
  /** Whether no other process can have taken them over by now. */
  isSure(): boolean;
  /** Tries to find out once; runs whose leases are gone are stopped before it resolves. Never rejects. */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/**
 * Holds effects of nodes back while this process may have lost its leases, as after it was suspended: what it had only
 * committed to may be done by another process by now.
 */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Called once, by what keeps the leases of this process. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Asked right before an effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /** Resolves when the leases are confirmed, or when the signal is aborted, as by a lost lease. */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Fails a request of which no byte is sent, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
