import { Injectable } from '@nestjs/common';

/** Reports whether this process still holds its leases. */
export interface LeaseWatch {
  /** True if no other process can have taken over the leases. */
  isSure(): boolean;
  /** Confirms the leases once. Stops the runs with a lost lease before it resolves. Never rejects. */
  confirm(): Promise<void>;
}

const ALWAYS_SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

/** Delays effects of nodes while another process may have taken over their executions. */
@Injectable()
export class EffectGuard {
  private watch = ALWAYS_SURE;

  /** Must be called once, by the code that renews the leases. */
  watchWith(watch: LeaseWatch): void {
    this.watch = watch;
  }

  /** Whether the leases are certainly held at this moment. Must be checked right before an effect. */
  isSure(): boolean {
    return this.watch.isSure();
  }

  /** Resolves when the leases are confirmed or the signal aborts. The signal of a run with a lost lease aborts. */
  async confirmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.watch.isSure()) await this.watch.confirm();
  }
}

/** Thrown before a request is sent, because this process may have lost its leases. */
export class EffectHeldError extends Error {
  override readonly name = 'EffectHeldError';
}
