import { Injectable } from '@nestjs/common';

/** Port of the health check for the queue of executions. */
export abstract class QueueProbe {
  abstract check(): Promise<void>;

  /**
   * Returns the state of Redis; null if the service runs without Redis. The readiness of the process does not depend on
   * Redis.
   */
  redis(): 'up' | 'down' | null {
    return null;
  }
}

@Injectable()
export class InProcessQueueProbe extends QueueProbe {
  async check(): Promise<void> {}
}
