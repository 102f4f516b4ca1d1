import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** An uncommitted new execution that has run in memory up to its first effect. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /**
   * Continues the execution. Must be called after the commit of the start. The slot is free again when the run ends.
   */
  run(written: Execution): void;
  /** Discards the execution and frees the slot. Must be called if the start was not committed. */
  discard(): void;
}

/** Capacity reserved for a new execution, so that the commit of its start also gives this process the lease. */
export interface Slot {
  /** Id of the process that gets the lease. */
  readonly owner: string;
  /**
   * Runs an execution that is not written yet, in memory and up to its first effect. If this fails, the slot is free
   * again.
   * @param journal events of the execution so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Frees the slot, unless an execution uses it. */
  free(): void;
}

/**
 * Claims runnable executions for the free slots of this process. The database alone decides which executions run. Calls
 * of a dispatcher only make executions start sooner.
 */
export abstract class Dispatcher {
  /** Reserves a slot. Returns null if no slot is free, or if older executions may be waiting. */
  abstract reserve(): Slot | null;

  /**
   * @param at epoch milliseconds; absent if an execution is runnable now
   */
  abstract wake(at?: number): void;

  /** False if a pending claim does not end. */
  abstract get isAlive(): boolean;
}
