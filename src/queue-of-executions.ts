import { Inject, Injectable } from '@nestjs/common';
import { Dispatcher } from './execution-runner/index.js';
import { QueueProbe } from './health/index.js';
import { REDIS, type RedisLink } from './redis/index.js';

/** Health probe of the execution queue: whether the dispatcher still claims executions, and whether Redis responds. */
@Injectable()
export class QueueOfExecutions extends QueueProbe {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(REDIS) private readonly link: RedisLink | null,
  ) {
    super();
  }

  async check(): Promise<void> {
    if (!this.dispatcher.isAlive)
      throw new Error('The database has not responded to a claim of executions for at least 40 s.');
  }

  override redis(): 'up' | 'down' | null {
    if (this.link === null) return null;
    return this.link.isUp ? 'up' : 'down';
  }
}
