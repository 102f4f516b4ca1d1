import { Injectable } from '@nestjs/common';

/** Port to what brings executions to the processes that run them; bound where the service is composed. */
export abstract class QueueProbe {
  /** Resolves when the queue answers, rejects when it does not. */
  abstract check(): Promise<void>;

  /** Whether Redis answers, where it is used. Without it the queue goes on, so that turns nothing red. */
  redis(): 'up' | 'down' | null {
    return null;
  }
}

/** In one process the queue is the process's own memory: it answers as long as anything here does. */
@Injectable()
export class InProcessQueueProbe extends QueueProbe {
  async check(): Promise<void> {}
}
