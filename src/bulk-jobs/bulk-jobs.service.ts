import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { type AuditEvent, AuditTrail } from '../audit/index.js';
import { BulkActions, type BulkTerms, filterToJson } from '../executions/index.js';
import { InstanceRegistry } from '../instances/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { BulkJob } from './bulk-job.js';
import {
  BulkJobFinishedError,
  BulkJobNotFoundError,
  BulkJobOutOfReachError,
  TooManyBulkJobsError,
} from './bulk-jobs.errors.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';
import { BulkJobsRunner } from './bulk-jobs.runner.js';

const MAX_RUNNING = 10;

@Injectable()
export class BulkJobsService {
  constructor(
    private readonly repository: BulkJobsRepository,
    private readonly bulk: BulkActions,
    private readonly runner: BulkJobsRunner,
    private readonly instance: InstanceRegistry,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates and starts a bulk job for the executions that match the filter and were created before this call.
   * @throws ProjectNotFoundError; ProjectOutOfReachError; TooManyBulkJobsError.
   */
  async create(principal: Principal, request: BulkTerms): Promise<BulkJob> {
    const now = isoTime(this.clock.now());
    const { createdBefore } = request.filter;
    const filter = {
      ...request.filter,
      createdBefore: createdBefore !== undefined && createdBefore < now ? createdBefore : now,
    };
    const total = await this.bulk.count(principal, { ...request, filter });
    if ((await this.repository.countRunning(principal.teamId)) >= MAX_RUNNING)
      throw new TooManyBulkJobsError(MAX_RUNNING);
    const job: BulkJob = {
      id: newId(),
      teamId: principal.teamId,
      projectId: principal.projectId,
      userId: principal.userId,
      keyId: principal.keyId,
      action: request.action,
      filter,
      reason: request.reason,
      version: request.version,
      status: 'running',
      statusReason: null,
      total,
      processed: 0,
      succeeded: 0,
      failed: 0,
      failures: [],
      page: [],
      afterId: null,
      owner: this.instance.id,
      revision: 1,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    const event = {
      ...eventOf('bulk_job.created', job),
      after: { action: job.action, filter: filterToJson(job.filter), reason: job.reason, total },
    };
    await this.audit.commit(principal, event, [this.repository.insertion(job)], job.id);
    this.runner.begin(job);
    return job;
  }

  /** @throws BulkJobNotFoundError; BulkJobOutOfReachError. */
  async read(principal: Principal, id: string): Promise<BulkJob> {
    const job = await this.repository.find(id);
    if (job === undefined) throw new BulkJobNotFoundError(id);
    const isReached =
      job.teamId === principal.teamId &&
      (principal.projectId === null || principal.projectId === job.projectId);
    if (!isReached) throw new BulkJobOutOfReachError(id);
    return job;
  }

  list(principal: Principal, place: IdPlace): Promise<PageRows<BulkJob>> {
    return this.repository.list(principal.teamId, principal.projectId, place);
  }

  /**
   * Cancels a bulk job, which then ends before its next page. Has no effect on a job that is already cancelled.
   * @throws BulkJobNotFoundError; BulkJobOutOfReachError; BulkJobFinishedError.
   */
  async cancel(principal: Principal, id: string): Promise<BulkJob> {
    // The commit fails if the runner changes the job after the read, so the loop reads the job again.
    for (;;) {
      const job = await this.read(principal, id);
      if (job.status === 'cancelled') return job;
      if (job.status !== 'running') throw new BulkJobFinishedError(job.status);
      const now = isoTime(this.clock.now());
      const ended = { status: 'cancelled', owner: null, updatedAt: now, finishedAt: now } as const;
      const taken = new Error('Another request changed the bulk job at the same time.');
      try {
        const write = this.repository.change(job, ended, () => taken);
        await this.audit.commit(principal, eventOf('bulk_job.cancelled', job), [write]);
        return await this.read(principal, id);
      } catch (error) {
        if (error !== taken) throw error;
      }
    }
  }
}

function eventOf(action: `bulk_job.${string}`, { id, teamId, projectId, filter }: BulkJob): AuditEvent {
  return { teamId, projectId: filter.projectId ?? projectId, action, target: { type: 'bulk_job', id } };
}
