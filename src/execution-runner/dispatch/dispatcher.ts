import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** An uncommitted new execution that has run in memory up to its first effect. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /** Must be called after the commit of the start. The slot is free again when the run ends. */
  run(written: Execution): void;
  /** Must be called if the start was not committed. */
  discard(): void;
}

/**
 * Capacity reserved for one execution before it is written, so that this process gets its lease in
 * the same commit.
 */
export interface Slot {
  /** Id of the process that gets the lease. */
  readonly owner: string;
  /**
   * Runs an unwritten execution in memory up to its first effect. A rejection frees the slot.
   * @param journal events of the execution so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Has no effect while an execution uses the slot. */
  free(): void;
}

/**
 * Claims runnable executions for the free slots of this process. Only the database decides which
 * executions run; calls only make them start sooner.
 */
export abstract class Dispatcher {
  /** Null if no slot is free, or older executions may be waiting. */
  abstract reserve(): Slot | null;

  /**
   * @param at epoch milliseconds; absent if an execution is runnable now
   */
  abstract wake(at?: number): void;

  /** False if claiming is stuck. */
  abstract get isAlive(): boolean;
}
