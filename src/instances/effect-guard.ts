import { Injectable } from '@nestjs/common';

/** Reports whether this process still holds its leases. */
export interface LeaseWatch {
  /** True if no other process can have taken over the leases. */
  isSure(): boolean;
  /** Confirms the leases once. Stops the runs whose leases are lost before it resolves. Never rejects. */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/**
 * Delays effects of nodes while this process may have lost its leases, for example after the process was suspended.
 * Another process may be running the same attempts.
 */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Sets the source of lease information. The code that renews the leases calls it once. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Whether the leases are held at this moment. Callers check it right before an effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /** Resolves when the leases are confirmed, or when the signal aborts. A lost lease aborts the signal. */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Fails a request before its first byte is sent, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
