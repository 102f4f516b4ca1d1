import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CommitHealth, type CommitListener } from '../commit-health.js';
import type { DiskReclaimer } from './disk-reclaimer.ts';
import { CommitQueue, committed, type PendingUnit } from './group-commit.js';
import { Corruption, SqliteError } from '../../database/index.js';
import type { CutOutcome, WriteAnswer, WriteRequest } from './sqlite-commit.program.js';
import type { CommitRequest, RefusedUnit, SentWrite, UnitOutcome } from './sqlite-commits.js';
import { isRowWrite, type UnitOfWork, type Write, Writer } from './unit-of-work.js';

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Maximum duration of a fast disk flush, in milliseconds. After a fast flush, the thread gets a second commit before
 * the first one ends. After a slow flush, more units of work share the next commit.
 */
const FAST_FLUSH_MS = 2;

/**
 * Group commit on SQLite, in a thread with its own connection. If the thread fails, the process ends, because the
 * outcomes of the thread's commits are unknown.
 */
export class SqliteWriter extends Writer implements DiskReclaimer {
  private readonly queue = new CommitQueue();
  /** Thread that commits. Null until `warmUp`, the first commit or `vacuum` starts the thread. */
  private thread: Worker | null = null;
  private scheduled = false;
  private closed = false;
  /** Batches of units that were sent to the thread and have not ended, in commit order. */
  private readonly underWay: (readonly PendingUnit[])[] = [];
  /** Maximum number of commits that the thread may have at the same time: 1 or 2. */
  private maxUnderWay = 1;
  /** Callers that wait for the result of `vacuum`, in the order of their requests. */
  private readonly cuts: ((outcome: CutOutcome) => void)[] = [];
  private readonly idle: (() => void)[] = [];
  private readonly health = new CommitHealth(true);

  /**
   * @param path path of the existing database file
   *
   * @param corruption known corruption of the file; nothing is written to a corrupt file
   */
  constructor(
    private readonly path: string,
    private readonly corruption = new Corruption(),
  ) {
    super();
  }

  async commit(unit: UnitOfWork): Promise<void> {
    if (this.closed) throw closed();
    this.corruption.check();
    const done = this.queue.add(unit);
    this.schedule();
    await done;
  }

  override warmUp(): void {
    this.thread ??= this.startThread();
    this.rest();
  }

  onCommit(listener: CommitListener): void {
    this.health.listenWith(listener);
  }

  check(): void {
    this.corruption.check();
    this.health.check();
  }

  /**
   * Returns free pages to the disk. The commit thread does this work, because another connection would compete for the
   * write lock.
   */
  async vacuum(): Promise<number> {
    if (this.closed) throw closed();
    this.corruption.check();
    const outcome = await new Promise<CutOutcome>((resolve) => {
      this.post('cut');
      this.cuts.push(resolve);
    });
    if ('left' in outcome) return outcome.left;
    throw new SqliteError(outcome.message, outcome.code);
  }

  async drain(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.drain();
    if (this.thread === null) return;
    const end = once(this.thread, 'exit');
    this.post('end');
    await end;
  }

  private get isIdle(): boolean {
    return this.queue.isEmpty && this.underWay.length === 0 && this.cuts.length === 0;
  }

  private post(request: WriteRequest): void {
    this.thread ??= this.startThread();
    // The commit thread keeps the process alive only while the thread has work.
    this.thread.ref();
    this.thread.postMessage(request);
  }

  private startThread(): Worker {
    const thread = new Worker(new URL(`./sqlite-commit.program.${ENDING}`, import.meta.url), {
      name: 'commits',
      workerData: this.path,
      execArgv: [],
    });
    thread.on('message', (answer: WriteAnswer) => {
      if ('units' in answer) {
        this.maxUnderWay = answer.flushedInMs < FAST_FLUSH_MS ? 2 : 1;
        const batch = this.underWay.shift() ?? [];
        this.health.completed();
        this.settle(batch, answer.units);
      } else this.cuts.shift()?.(answer);
      this.rest();
    });
    return thread;
  }

  /** Schedules one commit for all units of work that arrive in this turn of the event loop. */
  private schedule(): void {
    if (this.scheduled || this.underWay.length >= this.maxUnderWay) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.send();
    });
  }

  private send(): void {
    const batch = this.queue.take();
    this.underWay.push(batch);
    this.health.sent(batch.length);
    try {
      this.post(requestOf(batch));
    } catch (error) {
      // The batch could not be sent to the commit thread, because a parameter has a type that cannot be sent to a
      // thread.
      const message = error instanceof Error ? error.message : String(error);
      this.underWay.pop();
      this.health.completed();
      this.settle(
        batch,
        batch.map(() => ({ write: null, kind: 'database', message, code: null })),
      );
      this.rest();
    }
    if (!this.queue.isEmpty) this.schedule();
  }

  private settle(batch: readonly PendingUnit[], outcomes: readonly UnitOutcome[]): void {
    this.queue.settled(batch);
    batch.forEach((pending, index) => {
      const outcome = outcomes[index] ?? [];
      if (isRefused(outcome)) {
        const error = errorOf(pending.unit, outcome);
        this.corruption.note(error);
        this.health.failed(error);
        pending.reject(error);
      } else {
        this.health.succeeded();
        committed(pending, generatedBy(pending.unit, outcome));
      }
    });
    if (!this.queue.isEmpty) this.schedule();
  }

  /** Lets the process end while the writer is idle, and resolves pending `drain` calls. */
  private rest(): void {
    if (this.underWay.length === 0 && this.cuts.length === 0) this.thread?.unref();
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }
}

function closed(): Error {
  return new Error('The database is closed.');
}

function requestOf(batch: readonly PendingUnit[]): CommitRequest {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (sql: string): number => {
    let place = places.get(sql);
    if (place === undefined) {
      place = texts.push(sql) - 1;
      places.set(sql, place);
    }
    return place;
  };
  const sent = (write: Write): SentWrite => {
    if (isRowWrite(write))
      return {
        text: placeOf(write.shape.sqlite),
        parameters: write.row,
        guard: write.orFail === undefined ? null : 'one',
      };
    return {
      text: placeOf(write.sql),
      parameters: write.parameters,
      guard: write.orFail === undefined ? null : 'some',
    };
  };
  return { texts, units: batch.map(({ unit }) => unit.writes.map(sent)) };
}

function isRefused(outcome: UnitOutcome): outcome is RefusedUnit {
  return 'kind' in outcome;
}

function generatedBy({ writes }: UnitOfWork, rows: readonly number[]): readonly (number | null)[] {
  return writes.map((write, index) =>
    isRowWrite(write) && write.shape.returning !== undefined ? (rows[index] ?? null) : null,
  );
}

function errorOf({ writes }: UnitOfWork, refused: RefusedUnit): Error {
  const write = refused.write === null ? undefined : writes[refused.write];
  return ownError(write, refused.kind) ?? new SqliteError(refused.message, refused.code);
}

/**
 * Returns the write's own error for a failed condition (guard) or a duplicate row. Undefined if the write
 * defines no such error.
 */
function ownError(write: Write | undefined, kind: RefusedUnit['kind']): Error | undefined {
  if (write === undefined) return undefined;
  if (kind === 'guard') return write.orFail?.();
  return kind === 'duplicate' && !isRowWrite(write) ? write.onDuplicate?.() : undefined;
}
