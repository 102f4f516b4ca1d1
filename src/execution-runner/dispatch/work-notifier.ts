/**
 * Notifies processes with free slots of executions that the sender does not run itself. A hint contains no execution
 * id: the receiver queries the database, which alone decides what runs next. If a hint is lost, the next poll finds the
 * execution. A superfluous hint costs one query. Every adapter passes `test/contracts/work-notifier.contract.ts`.
 */
export abstract class WorkNotifier {
  /** Sends a hint without waiting. Never fails. Several hints within a short time are sent as one. */
  abstract notify(): void;

  /**
   * Starts to receive hints. Called only in processes that run executions.
   * @param listener called for each hint
   */
  abstract onWork(listener: () => void): Promise<void>;

  /**
   * Stops receiving hints. Sends a last hint, because other processes can now claim what this process leaves behind.
   */
  abstract close(): Promise<void>;
}

/** Sends no hints, because only one process uses the database. */
export class NoWorkNotifier extends WorkNotifier {
  notify(): void {}

  async onWork(): Promise<void> {}

  async close(): Promise<void> {}
}
