/**
 * Minimum milliseconds between two calls of a listener during a burst of notifications. The gap limits the number of
 * statements that listeners send.
 */
export const LISTENER_GAP_MS = 5;

/** Topic of notifications about commits that added batches to the journal. */
export const POSITIONS_TOPIC = 'workflow_positions';

/** Topic on which a process announces that it reads the commits of other processes. */
export const READERS_TOPIC = 'workflow_readers';

/**
 * Sends notifications between the processes that share a database. A notification has no content and may be late,
 * duplicated or lost, so a notified listener reads the tables.
 */
export abstract class Notifications {
  /**
   * Subscribes a listener to a topic. Resolves when the subscription is active.
   *
   * @param onNotice called after notifications, and when notifications may have been missed
   */
  abstract listen(topic: string, onNotice: () => void): Promise<void>;

  /** Ends the subscription to a topic. Never rejects. */
  abstract unlisten(topic: string): Promise<void>;

  /**
   * Notifies the other processes that listen to one of the topics. Never rejects, because those processes also poll for
   * changes.
   */
  abstract notify(...topics: readonly string[]): Promise<void>;

  abstract close(): Promise<void>;
}

/** Adapter for a database with a single process: sends and receives nothing. */
export class NoNotifications extends Notifications {
  async listen(): Promise<void> {}

  async unlisten(): Promise<void> {}

  async notify(): Promise<void> {}

  async close(): Promise<void> {}
}
