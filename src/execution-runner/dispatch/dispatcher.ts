import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** A new execution that has run in memory up to its first effect. The caller still has to commit its start. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /** Continues the run. Must be called after the commit of the start. The slot is free again when the run ends. */
  run(written: Execution): void;
  /** Frees the slot. Must be called if the start was not committed. */
  discard(): void;
}

/**
 * A slot of this process that is reserved for an execution before the execution is written. The execution can then be
 * written together with a lease of this process.
 */
export interface Slot {
  /** Id of the process that gets the lease. */
  readonly owner: string;
  /**
   * Runs an execution that is not written yet, in memory and up to its first effect. If the promise rejects, the slot
   * is free again.
   * @param journal events of the execution so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Frees the slot unless an execution uses it. */
  free(): void;
}

/**
 * Claims runnable executions for the free slots of this process. Only the database decides which executions run; calls
 * to this class are only hints. Without a hint, an execution may start later, but it still runs. Every adapter passes
 * `test/contracts/dispatcher.contract.ts`.
 */
export abstract class Dispatcher {
  /**
   * Reserves a slot for a new execution. Null if this process has no free slot, or if older executions may be waiting.
   */
  abstract reserve(): Slot | null;

  /** Announces that an execution is runnable now, or will be at a time in epoch milliseconds. */
  abstract wake(at?: number): void;

  /** False if this process should claim executions but is stuck. */
  abstract get isAlive(): boolean;
}
