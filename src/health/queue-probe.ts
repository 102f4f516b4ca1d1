import { Injectable } from '@nestjs/common';

/** Port to the queue that brings executions to processes; bound where the service is composed. */
export abstract class QueueProbe {
  /** Resolves when the queue responds, rejects otherwise. */
  abstract check(): Promise<void>;

  /** Whether Redis responds, if it is used. The queue works without it, so readiness does not depend on it. */
  redis(): 'up' | 'down' | null {
    return null;
  }
}

/** In one process the queue is in memory: it always responds. */
@Injectable()
export class InProcessQueueProbe extends QueueProbe {
  async check(): Promise<void> {}
}
