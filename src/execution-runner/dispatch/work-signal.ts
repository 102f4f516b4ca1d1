/** A process that runs executions, as a signal sees it. */
export interface WorkListener {
  /** Resolves when there is room here and nothing known that would fill it. */
  hungry(): Promise<void>;

  /** There may be work in the database. @returns false where there is no room to take it now */
  hear(): boolean;
}

/**
 * Tells processes with room that there is work which the one that knows of it does not take. It is a hint and
 * carries no execution: who hears it asks the database, which alone says what runs next. A lost hint costs the
 * time until somebody looks by itself, one that comes several times costs a look.
 * Every adapter passes `test/contracts/work-signal.contract.ts`.
 */
export abstract class WorkSignal {
  /** Never waits and never fails; of many in a row some are told. */
  abstract tell(): void;

  /** Begins to hear; for processes that run executions. */
  abstract listen(listener: WorkListener): Promise<void>;

  /** Hears nothing more; tells the others once, since what ran here may be theirs now. */
  abstract close(): Promise<void>;
}

/** For the only process on a database. */
export class NoWorkSignal extends WorkSignal {
  tell(): void {}

  async listen(): Promise<void> {}

  async close(): Promise<void> {}
}
