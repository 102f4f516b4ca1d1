import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** A new execution whose run has begun in memory; the caller still has to commit its start. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /** Call after the start is committed: the run continues, and the slot is freed when it ends. */
  run(written: Execution): void;
  /** Call if the start was not committed: frees the slot. */
  discard(): void;
}

/**
 * A reserved slot of this process. It is reserved before the execution is written, so that the execution starts with a
 * lease.
 */
export interface Slot {
  /** Id of the process that will hold the lease. */
  readonly owner: string;
  /**
   * Begins an execution that is not written yet: runs it in memory up to its first effect. Frees the slot if that
   * fails.
   * @param journal its events so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Frees the slot if it was not used. */
  free(): void;
}

/**
 * Brings runnable executions to processes with free slots. The database alone decides what runs; every call here is a
 * hint. A lost hint delays an execution but never loses one. Every adapter passes
 * `test/contracts/dispatcher.contract.ts`.
 */
export abstract class Dispatcher {
  /**
   * Reserves a slot for a run that begins now. Null if this process has no free slot, or if older executions may be
   * waiting.
   */
  abstract reserve(): Slot | null;

  /** Hints that an execution is runnable now, or will be at an instant (epoch milliseconds). */
  abstract wake(at?: number): void;

  /** False if this process should run executions but is stuck. */
  abstract get isAlive(): boolean;
}
