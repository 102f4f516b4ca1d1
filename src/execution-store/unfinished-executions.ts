import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';
import { BackgroundCancellation } from './cancellation/background-cancellation.js';
import { CancellationJobRepository } from './cancellation/cancellation-job.repository.js';

/**
 * Maximum time in milliseconds for which a deletion waits for the cancellation of executions. The remaining executions
 * are cancelled in the background.
 */
const WAIT_MS = 250;

@Injectable()
export class UnfinishedExecutions {
  constructor(
    private readonly jobs: CancellationJobRepository,
    private readonly background: BackgroundCancellation,
  ) {}

  cancellation(kind: 'workflow' | 'session' | 'project', ownerId: string, reason: string): DeletionEffect {
    const job = this.jobs.ofOwner(kind, ownerId, reason);
    return {
      writes: [this.jobs.insert(job)],
      begin: () => {
        void this.background.begin(job);
        return this.background.settled(job, WAIT_MS);
      },
    };
  }
}
