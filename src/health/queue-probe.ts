import { Injectable } from '@nestjs/common';

/** Port that probes the queue from which processes get executions. */
export abstract class QueueProbe {
  /** Resolves if the queue responds, rejects otherwise. */
  abstract check(): Promise<void>;

  /**
   * Whether Redis responds; null if Redis is not used. The service works without Redis, so its readiness does not
   * depend on Redis.
   */
  redis(): 'up' | 'down' | null {
    return null;
  }
}

/** Probe of the queue in the memory of this process, which always responds. */
@Injectable()
export class InProcessQueueProbe extends QueueProbe {
  async check(): Promise<void> {}
}
