import type { Execution } from '../../execution-store/index.js';
import type { JournalEvent } from '../../execution-events/index.js';

/**
 * Writes a new execution in one commit: what made it, and what was decided about it since.
 * @returns the execution as it was written
 */
export type FirstCommit = (decided: readonly JournalEvent[], room: number) => Promise<Execution>;

/** Room for one run in this process, taken before the execution is written so that it can start held. */
export interface Slot {
  /** The process that will hold the execution. */
  readonly owner: string;
  /**
   * Begins an execution that is not written yet: it goes in memory as far as it can without an effect, and is
   * written as it is then. Rejects with what `write` rejects with; the room is given back.
   * @param journal its events so far
   */
  open(execution: Execution, journal: readonly JournalEvent[], write: FirstCommit): Promise<Execution>;
  /** Goes on with what was opened; gives the room back where that has ended. */
  run(): void;
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
