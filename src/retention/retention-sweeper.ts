import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { firstIdAt } from '../platform/index.ts';
import { DiskReclaimer } from '../storage/index.ts';
import { ResultRepository } from '../node-results/index.ts';
import { type EndedExecution, TotalsRepository } from '../execution-totals/index.ts';

/** Maximum number of executions that are deleted per commit. */
const EXECUTIONS = 50;
/**
 * Maximum number of events that are deleted per commit. An execution with more events is deleted in a commit of its
 * own.
 */
const EVENTS = 2_000;

/** Maximum number of cached results that are deleted per commit. */
const RESULTS = 100;

/** Milliseconds between two commits of the deletion, so that the deletion hardly delays executions. */
const PAUSE_MS = 10;

/** Milliseconds for which the hourly counts of executions are kept: 8 days, one day more than the statistics show. */
const HOURS_KEPT_MS = 8 * 24 * 3_600_000;

export interface Trimmed {
  readonly executions: number;
  readonly results: number;
  readonly bytes: number;
}

@Injectable()
export class RetentionSweeper {
  constructor(
    @Inject(TotalsRepository)
    private readonly totals: Pick<TotalsRepository, 'watermark' | 'finishedBefore' | 'remove' | 'prune'>,
    @Inject(ResultRepository) private readonly results: Pick<ResultRepository, 'removeExpired'>,
    private readonly space: DiskReclaimer,
  ) {}

  /**
   * Deletes expired data in small commits.
   *
   * @param before epoch milliseconds; executions that finished before this time are deleted
   * @param now epoch milliseconds; cached node results that expired by this time are deleted
   * @param signal stops the deletion between two commits
   */
  async trim(before: number, now: number, signal: AbortSignal): Promise<Trimmed> {
    const executions = await this.trimExecutions(before, signal);
    const results = await this.trimResults(now, signal);
    if (!signal.aborted) await this.totals.prune(now - HOURS_KEPT_MS);
    return { executions, results, bytes: await this.reclaimDisk(signal) };
  }

  private async trimExecutions(before: number, signal: AbortSignal): Promise<number> {
    let removed = 0;
    let after = firstIdAt(0);
    while (!signal.aborted) {
      const watermark = await this.totals.watermark();
      const { ended } = await this.totals.finishedBefore(after, before, EXECUTIONS);
      const step = firstOf(ended);
      const last = step.at(-1);
      if (last === undefined) break;
      // If the totals of executions changed meanwhile, nothing is deleted, and the next pass of this loop repeats the
      // step.
      if (await this.totals.remove(watermark, step)) {
        removed += step.length;
        after = last.id;
      }
      await pause(PAUSE_MS);
    }
    return removed;
  }

  private async trimResults(now: number, signal: AbortSignal): Promise<number> {
    let removed = 0;
    while (!signal.aborted) {
      const step = await this.results.removeExpired(now, RESULTS);
      removed += step;
      if (step < RESULTS) break;
      await pause(PAUSE_MS);
    }
    return removed;
  }

  private async reclaimDisk(signal: AbortSignal): Promise<number> {
    const first = await this.space.vacuum();
    let left = first;
    while (left > 0 && !signal.aborted) {
      await pause(PAUSE_MS);
      left = await this.space.vacuum();
    }
    return first - left;
  }
}

/**
 * Returns the first executions of a list that one commit can delete together. Returns at least one execution.
 */
function firstOf(ended: readonly EndedExecution[]): readonly EndedExecution[] {
  let events = 0;
  const step = ended.findIndex((execution, index) => {
    events += execution.events;
    return index > 0 && events > EVENTS;
  });
  return step < 0 ? ended : ended.slice(0, step);
}
