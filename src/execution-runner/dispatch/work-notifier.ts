/**
 * Notifies processes with free slots of work that the sender does not take itself. A hint names no execution: the
 * receiver queries the database, which alone decides what runs next. A lost hint delays work until the next poll; a
 * repeated one costs a query. Every adapter passes `test/contracts/work-notifier.contract.ts`.
 */
export abstract class WorkNotifier {
  /** Sends a hint without waiting; never fails. Hints in quick succession are coalesced. */
  abstract tell(): void;

  /**
   * Starts listening; for processes that run executions.
   * @param onWork called for each hint
   */
  abstract listen(onWork: () => void): Promise<void>;

  /** Stops listening and sends one hint: other processes can claim the executions that ran here. */
  abstract close(): Promise<void>;
}

/** For a database with a single process: sends nothing. */
export class NoWorkSignal extends WorkNotifier {
  tell(): void {}

  async listen(): Promise<void> {}

  async close(): Promise<void> {}
}
