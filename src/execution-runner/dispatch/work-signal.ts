/**
 * Tells the processes with room that there is work which the sender does not take itself. A hint carries no execution:
 * the listener asks the database, which alone decides what runs next. A lost hint costs the time until the next poll, a
 * repeated one costs a query. Every adapter passes `test/contracts/work-signal.contract.ts`.
 */
export abstract class WorkSignal {
  /** Never waits and never fails; of many in a row some are sent. */
  abstract tell(): void;

  /**
   * Starts listening; for processes that run executions.
   * @param onWork called with each hint
   */
  abstract listen(onWork: () => void): Promise<void>;

  /** Stops listening and sends one hint: executions that ran here can be claimed by others. */
  abstract close(): Promise<void>;
}

/** For the only process on a database. */
export class NoWorkSignal extends WorkSignal {
  tell(): void {}

  async listen(): Promise<void> {}

  async close(): Promise<void> {}
}
