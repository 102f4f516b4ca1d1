import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** A new execution that has run in memory up to its first effect, but is not committed yet. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /**
   * Continues the execution until its run ends, and then frees the slot. The caller must call this method after the
   * commit of the start.
   */
  run(written: Execution): void;
  /** Discards the execution and frees the slot. The caller must call this method if the commit of the start failed. */
  discard(): void;
}

/**
 * A slot that is reserved for a new execution. The commit that starts the execution also gives this process the lease.
 */
export interface Slot {
  /** Id of the process that gets the lease of the new execution. */
  readonly owner: string;
  /**
   * Runs a new execution in memory up to its first effect, before the execution is committed. If the run throws an
   * error, the slot becomes free again.
   *
   * @param journal events of the execution so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Frees the slot. Has no effect after an execution has started to use the slot. */
  free(): void;
}

/**
 * Claims runnable executions for the free slots of this process. Only the database decides which executions run. Calls
 * of `wake` only make executions start sooner.
 */
export abstract class Dispatcher {
  /**
   * Reserves a slot for a new execution. Returns null if no slot is free. Also returns null if older executions may be
   * waiting for a slot, because they have precedence.
   */
  abstract reserve(): Slot | null;

  /**
   * Notifies the dispatcher that an execution is or becomes runnable.
   *
   * @param at time in epoch milliseconds; absent if an execution is runnable now
   */
  abstract wake(at?: number): void;

  /** False if a claim has been pending for so long that it counts as stuck. */
  abstract get isAlive(): boolean;
}
