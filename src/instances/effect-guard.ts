import { Injectable } from '@nestjs/common';

/** Reports whether this process still holds its leases. */
export interface LeaseWatch {
  /** True if no other process can have taken over the leases. */
  isSure(): boolean;
  /** Confirms the leases once. Before it resolves, stops the runs whose leases are lost. Never rejects. */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/**
 * Delays effects of nodes while this process may have lost its leases, for example after the process was suspended. In
 * that case, another process may already be running the same attempts.
 */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Sets the source of lease information. Called once, by the code that renews the leases. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Whether the leases are certainly held at this moment. Callers check this right before an effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /**
   * Resolves when the leases are confirmed, or when the signal aborts. If the lease of a run is lost, its signal
   * aborts.
   */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Thrown before the first byte of a request is sent, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
