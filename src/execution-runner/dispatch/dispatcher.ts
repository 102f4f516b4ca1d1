import type { NextRun } from '../run-loop/run-loop.js';

/**
 * A slot that is reserved for a new execution. The commit that starts the execution also gives this process the lease.
 */
export interface Slot {
  /** Id of the process that gets the lease of the new execution. */
  readonly owner: string;
  /** Uses the slot until the run of the new execution ends. The caller must call this method after the commit. */
  occupy(run: Promise<NextRun>): void;
  /** Frees the slot. Has no effect if the slot is occupied or already free. */
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
