/**
 * Port that notifies other processes of runnable executions. A notification contains no execution id: the receiver
 * claims from the database, which alone decides what runs next. If a notification is lost, the next poll finds the
 * execution. Every adapter passes `test/contracts/work-notifier.contract.ts`.
 */
export abstract class WorkNotifier {
  /**
   * Notifies at least one other process without waiting. Never fails. Several calls within a short time send one
   * notification.
   */
  abstract notify(): void;

  /**
   * Starts to receive notifications. Called only in processes that run executions.
   * @param listener called for each notification; returns false if the process has no free slot, and other processes
   * must be notified
   */
  abstract onWork(listener: () => boolean): Promise<void>;

  /**
   * Stops receiving notifications. Sends a last one, because other processes can now claim the executions that this
   * process leaves.
   */
  abstract close(): Promise<void>;
}

/** Sends no notifications, because only one process uses the database. */
export class NoWorkNotifier extends WorkNotifier {
  notify(): void {}

  async onWork(): Promise<void> {}

  async close(): Promise<void> {}
}
