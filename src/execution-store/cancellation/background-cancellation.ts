import { inBackground } from '../../database/index.js';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { CLOCK, type Clock } from '../../platform/index.js';
import { Cancellation, hasEndedReason, type TreeSweeper } from '../cancellation.js';
import { ExecutionLookupRepository } from '../execution-lookup.repository.js';
import {
  type CancellationJob,
  CancellationJobRepository,
  type Orphan,
} from './cancellation-job.repository.js';

/** Number of executions that a job cancels before another job gets its turn. */
const PAGE = 100;

/** Maximum number of cancellations at the same time. A higher number would slow down the commits of other work. */
const AT_ONCE = 16;

/** Delay in milliseconds before a failed page of cancellations is tried again. */
const RETRY_MS = 1_000;

/**
 * Delay in milliseconds before the last query of a job. The last query finds an execution whose start was committed
 * only after the earlier queries.
 */
const LAST_QUERY_DELAY_MS = 2_000;

/**
 * Interval in milliseconds between polls for orphans that no job cancels. An orphan is an unfinished execution whose
 * parent has ended.
 */
const ORPHANS_EVERY_MS = 60_000;

/** Maximum number of orphans that one poll reads. */
const ORPHANS = 500;

/** Progress of the jobs that cancel executions of the same tree, workflow, session or project. */
interface Sweep {
  readonly job: CancellationJob;
  readonly ids: Set<string>;
  isLastLook: boolean;
  /** Id of the last execution on the previous page. Empty before the first page. */
  after: string;
  readonly done: PromiseWithResolvers<void>;
}

interface Cancelled {
  readonly id: string;
  readonly reason: string;
  /** True if the job that cancels the execution also cancels its descendants. */
  readonly isSwept: boolean;
}

/**
 * Cancels many executions in the background, in pages of 100. Jobs are stored, so that another process can take over
 * the jobs of a dead process.
 */
@Injectable()
export class BackgroundCancellation implements TreeSweeper, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundCancellation.name);
  private readonly sweeps = new Map<string, Sweep>();
  private readonly turns: Sweep[] = [];
  private working: Promise<void> | null = null;
  private stopped = false;
  private orphansAt = 0;

  constructor(
    @Inject(CancellationJobRepository)
    private readonly jobs: Pick<CancellationJobRepository, 'adopt' | 'orphans' | 'remove'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancelChild' | 'sweepWith'>,
    @Inject(ExecutionLookupRepository)
    private readonly lookup: Pick<ExecutionLookupRepository, 'unfinishedIds'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.cancellation.sweepWith(this);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.working;
  }

  begin(job: CancellationJob): Promise<void> {
    const key = keyOf(job);
    const known = this.sweeps.get(key);
    if (known !== undefined) {
      known.ids.add(job.id);
      // An execution whose start is being committed now must be found as well, so the job gets a last query of its own.
      known.isLastLook = false;
      return known.done.promise;
    }
    const sweep: Sweep = {
      job,
      ids: new Set([job.id]),
      isLastLook: false,
      after: '',
      done: Promise.withResolvers(),
    };
    this.sweeps.set(key, sweep);
    this.enqueue(sweep);
    return sweep.done.promise;
  }

  async settled(job: CancellationJob, ms: number): Promise<void> {
    const sweep = this.sweeps.get(keyOf(job));
    if (sweep === undefined) return;
    const given = new AbortController();
    await Promise.race([sweep.done.promise, pause(ms, undefined, { signal: given.signal })]);
    given.abort();
  }

  /**
   * Takes over the cancellation jobs of dead processes. Once a minute, also cancels unfinished children of ended
   * parents that no job cancels.
   */
  async sweep(): Promise<void> {
    for (const job of await this.jobs.adopt()) void this.begin(job);
    const now = this.clock.now();
    if (now < this.orphansAt) return;
    this.orphansAt = now + ORPHANS_EVERY_MS;
    const orphans = await this.jobs.orphans(null, ORPHANS);
    for (const rootId of new Set(orphans.map((orphan) => orphan.rootId)))
      if (rootId !== null) void this.begin({ id: rootId, kind: 'tree', subjectId: rootId, reason: null });
    const [failed] = await this.cancelAll(orphans.filter(({ rootId }) => rootId === null).map(toCancelled));
    if (failed !== undefined)
      this.logger.warn({ err: failed }, 'Children of ended executions could not be cancelled; trying again.');
  }

  private enqueue(sweep: Sweep): void {
    this.turns.push(sweep);
    this.start();
  }

  private start(): void {
    this.working ??= inBackground(() => this.work()).finally(() => {
      this.working = null;
      if (this.turns.length > 0 && !this.stopped) this.start();
    });
  }

  private async work(): Promise<void> {
    // Waits one microtask, so that jobs for the same tree, workflow, session or project share the queries.
    await Promise.resolve();
    for (let sweep = this.turns.shift(); sweep !== undefined; sweep = this.turns.shift()) {
      if (this.stopped) return;
      try {
        await this.page(sweep);
      } catch (error) {
        this.logger.warn({ err: error, job: sweep.job }, 'Executions could not be cancelled; trying again.');
        this.enqueueLater(sweep, RETRY_MS);
      }
    }
  }

  private enqueueLater(sweep: Sweep, ms: number): void {
    setTimeout(() => {
      if (!this.stopped) this.enqueue(sweep);
    }, ms).unref();
  }

  private async page(sweep: Sweep): Promise<void> {
    const { kind, subjectId } = sweep.job;
    // Copies the ids of the jobs before the query. A job that is added during the query is not complete with this page
    // and needs another query.
    const jobs = [...sweep.ids];
    const found =
      kind === 'tree'
        ? (await this.jobs.orphans(subjectId, PAGE)).map(toCancelled)
        : (await this.lookup.unfinishedIds(kind, subjectId, sweep.after, PAGE)).map((id) => ({
            id,
            reason: sweep.job.reason ?? '',
            isSwept: false,
          }));
    if (found.length === 0) return this.reachEnd(sweep, jobs);
    const failed = await this.cancelAll(found);
    if (failed.length === found.length) throw failed[0];
    if (kind !== 'tree') sweep.after = found.at(-1)?.id ?? '';
    this.turns.push(sweep);
  }

  /**
   * Handles an empty page: starts again from the first page, schedules the last query of the job, or deletes the job.
   */
  private async reachEnd(sweep: Sweep, jobs: readonly string[]): Promise<void> {
    if (sweep.after !== '') {
      sweep.after = '';
      this.turns.push(sweep);
      return;
    }
    sweep.done.resolve();
    if (sweep.job.kind !== 'tree' && !sweep.isLastLook) {
      sweep.isLastLook = true;
      this.enqueueLater(sweep, LAST_QUERY_DELAY_MS);
      return;
    }
    await this.jobs.remove(jobs);
    for (const id of jobs) sweep.ids.delete(id);
    if (sweep.ids.size > 0) this.turns.push(sweep);
    else this.sweeps.delete(keyOf(sweep.job));
  }

  /**
   * Cancels executions, at most `AT_ONCE` at the same time.
   *
   * @returns the errors of the failed cancellations
   */
  private async cancelAll(found: readonly Cancelled[]): Promise<readonly unknown[]> {
    const failed: unknown[] = [];
    const queue = found.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const { id, reason, isSwept } of queue) {
          if (this.stopped) return;
          try {
            await this.cancellation.cancelChild(id, reason, isSwept);
          } catch (error) {
            failed.push(error);
          }
        }
      }),
    );
    return failed;
  }
}

function toCancelled({ id, parentId }: Orphan): Cancelled {
  return { id, reason: hasEndedReason(parentId), isSwept: true };
}

function keyOf({ kind, subjectId }: CancellationJob): string {
  return `${kind}:${subjectId}`;
}
