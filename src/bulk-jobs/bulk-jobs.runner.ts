import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { allows, type Principal } from '../access/index.js';
import { BulkActions } from '../executions/index.js';
import { CLOCK, type Clock, isoTime, Periodic } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Writer } from '../storage/index.js';
import { TeamsService } from '../teams/index.js';
import { type BulkJob, type BulkOutcome, countsAfter } from './bulk-job.js';
import { BulkJobTakenError } from './bulk-jobs.errors.js';
import { BulkJobsRepository } from './bulk-jobs.repository.js';

/** Number of executions in a page. One commit stores the outcomes of all executions of a page. */
const PAGE = 100;

/**
 * Maximum number of concurrent actions of a bulk job. The limit leaves database connections and CPU time for API
 * requests.
 */
const AT_ONCE = 10;

/** Interval in milliseconds between searches for running jobs whose process has died. */
const ADOPT_MS = 5_000;

/** Delay in milliseconds before a page of executions is processed again after an error. */
const RETRY_MS = 1_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Runs bulk jobs in pages of 100 executions, with one commit after each page. If the process crashes, another process
 * repeats only the page in progress.
 */
@Injectable()
export class BulkJobsRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BulkJobsRunner.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly adoption = new Periodic(
    ADOPT_MS,
    () => this.adopt(),
    (error) =>
      this.logger.warn({ err: error }, 'Bulk jobs of dead processes could not be taken over; trying again.'),
  );
  private readonly sweep = new Periodic(
    HOUR_MS,
    () => this.removeOld(),
    (error) => this.logger.warn({ err: error }, 'Old bulk jobs could not be removed; trying again.'),
  );
  /**
   * Runs a job outside the async context of the request that created the job. Otherwise, the job's retries would use
   * that request's `Idempotency-Key`.
   */
  private readonly outsideRequests = AsyncLocalStorage.snapshot();

  constructor(
    private readonly repository: BulkJobsRepository,
    private readonly bulk: BulkActions,
    private readonly teams: TeamsService,
    private readonly writer: Writer,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.adoption.start(0);
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.adoption.stop(), this.sweep.stop(), ...this.running.values()]);
    await this.writer.commit({ writes: [this.repository.release()] });
  }

  /** Starts to run a bulk job. Has no effect if this process already runs the job. */
  begin(job: BulkJob): void {
    if (this.running.has(job.id) || this.stopping.signal.aborted) return;
    const work = this.outsideRequests(() => this.run(job)).finally(() => this.running.delete(job.id));
    this.running.set(job.id, work);
  }

  private async adopt(): Promise<void> {
    for (const job of await this.repository.adopt()) this.begin(job);
  }

  private async run(begun: BulkJob): Promise<void> {
    let job: BulkJob | null = begun;
    while (job !== null && !this.stopping.signal.aborted)
      try {
        job = await this.step(job);
      } catch (error) {
        // The job was changed elsewhere, for example cancelled. If this process still owns the job, the next search
        // starts the job again.
        if (error instanceof BulkJobTakenError) return;
        this.logger.warn(
          { err: error, job: begun.id },
          'A bulk job was interrupted by an error; trying again.',
        );
        await pause(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
  }

  /**
   * Processes one page. One commit stores the outcomes of this page and the ids of the next page.
   * @returns the changed job; null if the job has ended or the process is shutting down
   */
  private async step(job: BulkJob): Promise<BulkJob | null> {
    const principal = await this.principalOf(job);
    if (principal === null)
      return this.record(job, {
        status: 'stopped',
        statusReason: 'The user who created the job may no longer change executions of the team.',
      });
    const outcomes = await this.work(principal, job);
    if (outcomes.length < job.page.length) return null;
    const page = await this.bulk.idsAfter(principal, job, job.afterId, PAGE);
    const counts = countsAfter(job, outcomes);
    const afterId = page.at(-1) ?? job.afterId;
    return this.record(job, {
      ...counts,
      // The job also processes executions that match only after its creation, so the total may increase.
      total: Math.max(job.total, counts.processed + page.length),
      page,
      afterId,
      ...(page.length === 0 ? { status: 'completed' } : {}),
    });
  }

  private async record(job: BulkJob, changes: Partial<Omit<BulkJob, 'filter'>>): Promise<BulkJob | null> {
    const now = isoTime(this.clock.now());
    const hasEnded = changes.status !== undefined;
    const all = {
      ...changes,
      updatedAt: now,
      ...(hasEnded ? { finishedAt: now, owner: null, page: [] } : {}),
    };
    await this.writer.commit({ writes: [this.repository.change(job, all)] });
    return hasEnded ? null : { ...job, ...all, revision: job.revision + 1 };
  }

  /**
   * @returns fewer outcomes than the page has executions if the process is shutting down
   */
  private async work(principal: Principal, job: BulkJob): Promise<readonly BulkOutcome[]> {
    const outcomes: BulkOutcome[] = [];
    const queue = job.page.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const executionId of queue) {
          if (this.stopping.signal.aborted) return;
          outcomes.push({ executionId, error: await this.bulk.apply(principal, executionId, job) });
        }
      }),
    );
    return outcomes;
  }

  /**
   * The job's creator as a principal, with current rights. Null if the creator may no longer change executions of the
   * team.
   */
  private async principalOf(job: BulkJob): Promise<Principal | null> {
    const [membership, team] = await Promise.all([
      this.teams.membership(job.teamId, job.userId),
      this.teams.find(job.teamId),
    ]);
    if (membership === null || team === null) return null;
    const principal: Principal = {
      userId: job.userId,
      keyId: job.keyId,
      teamId: job.teamId,
      projectId: job.projectId,
      role: membership.role,
      scopes: ['executions:read', 'executions:write', 'workflows:read', 'sessions:read'],
      plan: team.plan,
      address: '',
    };
    return allows(principal, 'executions:write') ? principal : null;
  }

  private removeOld(): Promise<void> {
    const before = isoTime(this.clock.now() - this.settings.RETENTION_DAYS * DAY_MS);
    return this.writer.commit({ writes: [this.repository.deletionBefore(before)] });
  }
}
