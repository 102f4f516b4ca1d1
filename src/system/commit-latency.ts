import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { Writer } from '../storage/index.js';

const MAX_COMMITS = 1_024;

/** Maximum age of the commits that the statistics include, in milliseconds. */
const WINDOW_MS = 5 * 60_000;

export interface CommitFigures {
  readonly count: number;
  /** Median duration of a commit in milliseconds. Null if the last five minutes had no commit. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly maxMs: number | null;
}

@Injectable()
export class CommitLatency {
  private readonly commits: { readonly at: number; readonly durationMs: number }[] = [];
  private next = 0;

  constructor(
    @Inject(Writer) writer: Pick<Writer, 'onCommit'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    writer.onCommit((durationMs) => {
      this.commits[this.next] = { at: clock.now(), durationMs };
      this.next = (this.next + 1) % MAX_COMMITS;
    });
  }

  /** Returns statistics of the commit durations of the last five minutes. At most the last 1,024 commits count. */
  read(): CommitFigures {
    const since = this.clock.now() - WINDOW_MS;
    const durations = this.commits
      .filter(({ at }) => at >= since)
      .map(({ durationMs }) => durationMs)
      .toSorted((a, b) => a - b);
    const quantile = (share: number): number | null =>
      durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? null;
    return {
      count: durations.length,
      p50Ms: quantile(0.5),
      p95Ms: quantile(0.95),
      maxMs: durations.at(-1) ?? null,
    };
  }
}
