import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { BegunRun } from '../run-loop/run-loop.js';

/** A new execution that this process began, in memory. Its start is still to be committed by whoever asked. */
export interface BegunExecution extends Pick<BegunRun, 'decided' | 'maxBytes' | 'endTooLarge'> {
  /** Its start is committed: goes on, and gives the room back in the end. */
  run(written: Execution): void;
  /** Its start was not committed: gives the room back. */
  discard(): void;
}

/** Room for one run in this process, taken before the execution is written so that it can start held. */
export interface Slot {
  /** The process that will hold the execution. */
  readonly owner: string;
  /**
   * Begins an execution that is not written yet: it goes in memory as far as it can without an effect. Gives the room
   * back where that fails.
   * @param journal its events so far
   */
  begin(execution: Execution, journal: readonly JournalEvent[]): Promise<BegunExecution>;
  /** Gives the room back where nothing came of it. */
  free(): void;
}

/**
 * Brings runnable executions to processes that have room. The database alone says what may run; everything
 * here is a hint, and a lost one costs time but no execution.
 * Every adapter passes `test/contracts/dispatcher.contract.ts`.
 */
export abstract class Dispatcher {
  /** Room for a run that begins here and now; null where this process has none or others wait before it. */
  abstract reserve(): Slot | null;

  /** Something became runnable now, or will at an instant (epoch milliseconds). */
  abstract wake(at?: number): void;

  /** False where this process should run what is runnable and something holds it up. */
  abstract get isAlive(): boolean;
}
