import { Injectable } from '@nestjs/common';

/** Port that probes the queue from which processes get executions. */
export abstract class QueueProbe {
  abstract check(): Promise<void>;

  /** Whether Redis responds. Null without Redis, on which readiness does not depend. */
  redis(): 'up' | 'down' | null {
    return null;
  }
}

@Injectable()
export class InProcessQueueProbe extends QueueProbe {
  async check(): Promise<void> {}
}
