import type { Execution } from '../execution.js';
import type { JournalEvent } from '../../engine/index.js';

/** Room for one run in this process, taken before the execution is written so that it can start held. */
export interface Slot {
  /** The process that will hold the execution. */
  readonly owner: string;
  /** Runs an execution that was written with this owner's lease. */
  run(execution: Execution, journal: readonly JournalEvent[]): void;
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
}
