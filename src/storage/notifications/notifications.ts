/** Minimum milliseconds between two calls of a listener. A burst of notifications then causes few statements. */
export const LISTENER_GAP_MS = 5;

/** Topic of commits that assign journal positions. */
export const POSITIONS_TOPIC = 'workflow_positions';

/**
 * Notifications between the processes on one database. A notification has no content and may be late, duplicated or
 * lost, so listeners read the tables.
 */
export abstract class Notifications {
  /**
   * Listens to a topic. Notifications after the promise has resolved are received.
   *
   * @param onNotice called for each notification, and when notifications may have been missed
   */
  abstract listen(topic: string, onNotice: () => void): Promise<void>;

  /** Notifies the other processes that listen to one of the topics. Never rejects, because polls also find the change. */
  abstract notify(...topics: readonly string[]): Promise<void>;

  abstract close(): Promise<void>;
}

/** Adapter for a database with a single process: sends and receives nothing. */
export class NoNotifications extends Notifications {
  async listen(): Promise<void> {}

  async notify(): Promise<void> {}

  async close(): Promise<void> {}
}
