import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CLOCK, type Clock, firstIdAt, Periodic } from '../platform/index.js';
import { type WordEntry, WordIndexRepository } from './word-index.repository.js';

/**
 * Age in milliseconds at which an execution can be added to the word index. Ids are ordered by time, but a
 * process with a slower clock may still insert an execution with a smaller id.
 */
const MIN_AGE_MS = 5 * 60_000;

/** Maximum number of executions that one commit adds to the word index. */
const STEP = 200;

/**
 * Maximum number of late rows that one pass checks. A late row is an execution that was indexed before it ended. The
 * next pass continues after the last checked row.
 */
const MAX_LATE_ROWS = 1_000;

/**
 * Pause after each step of a pass, as a multiple of the step's duration. With 4, the word index uses at most a fifth of
 * the database writer's time.
 */
const PAUSE_FACTOR = 4;

/** Maximum number of index entries that one pass checks for deleted executions. */
const MAX_CHECKED = 20_000;
/** Number of index entries that one query checks for deleted executions. */
const CHECK_STEP = 500;

const INTERVAL_MS = 60_000;

const FIRST_ID = firstIdAt(0);
const FIRST_ENTRY: WordEntry = { projectId: FIRST_ID, word: '', executionId: FIRST_ID };

/** Updates the word index in the background. Commits of executions therefore do not write to the index. */
@Injectable()
export class WordIndexKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WordIndexKeeper.name);
  private stopped = false;
  private lateAfter = FIRST_ID;
  private checkedUpTo = FIRST_ENTRY;
  private readonly poll = new Periodic(
    INTERVAL_MS,
    () => this.keep(),
    (error) => this.logger.warn({ err: error }, 'The search index could not be updated; trying again.'),
  );

  constructor(
    private readonly repository: WordIndexRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.poll.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.poll.stop();
  }

  /**
   * Runs a pass. Adds executions older than 5 minutes to the word index, and the errors of executions that ended after
   * they were indexed. Then removes entries of deleted executions.
   */
  async keep(): Promise<void> {
    await this.settleLate();
    await this.whileBusy(() => this.advance());
    let checked = 0;
    await this.whileBusy(async () => {
      const count = await this.checkNext();
      checked += count;
      return count === CHECK_STEP && checked < MAX_CHECKED;
    });
  }

  /**
   * Repeats a step until the step returns false or the process shuts down. A pause after each step limits the load of
   * the database.
   */
  private async whileBusy(step: () => Promise<boolean>): Promise<void> {
    for (;;) {
      const begun = performance.now();
      if (this.stopped || !(await step())) return;
      await pause(Math.ceil((performance.now() - begun) * PAUSE_FACTOR));
    }
  }

  /**
   * Adds the next executions to the word index.
   *
   * @returns true if more executions may be ready for indexing
   */
  private async advance(): Promise<boolean> {
    const watermark = await this.repository.watermark();
    const before = firstIdAt(this.clock.now() - MIN_AGE_MS);
    const rows = await this.repository.between(watermark.upToId, before, STEP);
    if (rows.length === 0) return false;
    // If two processes update the index at the same time, one commit fails. The process whose commit failed tries again
    // at its next poll.
    return (await this.repository.advance(watermark, rows)) && rows.length === STEP;
  }

  private async settleLate(): Promise<void> {
    const watermark = await this.repository.watermark();
    const ids = await this.repository.lateRows(this.lateAfter, MAX_LATE_ROWS);
    this.lateAfter = ids.length < MAX_LATE_ROWS ? FIRST_ID : (ids.at(-1) ?? FIRST_ID);
    const rows = await this.repository.byId(ids);
    const ended = rows.filter(({ hasEnded }) => hasEnded);
    const existing = new Set(rows.map(({ id }) => id));
    const removed = ids.filter((id) => !existing.has(id));
    if (ended.length + removed.length > 0) await this.repository.settle(watermark, ended, removed);
  }

  /**
   * Checks the next entries of the word index, and removes entries of deleted executions.
   *
   * @returns the number of checked entries; less than `CHECK_STEP` at the end of the index
   */
  private async checkNext(): Promise<number> {
    const entries = await this.repository.entriesAfter(this.checkedUpTo, CHECK_STEP);
    await this.repository.removeOrphans(entries);
    this.checkedUpTo = entries.length < CHECK_STEP ? FIRST_ENTRY : (entries.at(-1) ?? FIRST_ENTRY);
    return entries.length;
  }
}
