/**
 * Port that notifies other processes of runnable executions. A notification contains no execution id, because a woken
 * process claims from the database. If a notification is lost, the next poll finds the execution. All adapters must
 * pass `test/contracts/work-notifier.contract.ts`.
 */
export abstract class WorkNotifier {
  /**
   * Notifies at least one other process. Returns immediately and never throws. Several calls within a short time result
   * in one notification.
   */
  abstract notify(): void;

  /**
   * Starts to receive notifications. Only processes that run executions call this method.
   *
   * @param listener called for each notification; returns false if this process has no free slot, so that another
   * process must be notified
   */
  abstract onWork(listener: () => boolean): Promise<void>;

  /**
   * Stops receiving notifications. Sends a last notification, so that other processes claim the executions that this
   * process hands over.
   */
  abstract close(): Promise<void>;
}

/** Adapter for a database that only one process uses. Sends no notifications. */
export class NoWorkNotifier extends WorkNotifier {
  notify(): void {}

  async onWork(): Promise<void> {}

  async close(): Promise<void> {}
}
