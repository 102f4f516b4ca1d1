/** Topic of commits that assign journal positions. */
export const POSITIONS_TOPIC = 'workflow_positions';

/**
 * Notifications between the processes on one database. They reduce polling. A notification has no content, because
 * every user of the database can send and receive notifications; the listener reads new rows from the tables. A
 * notification may be late, duplicated, merged with others or lost.
 */
export abstract class Notifications {
  /**
   * Listens to a topic. When the promise has resolved, notifications that other processes send are received.
   * @param onNotice called for each notification, and when notifications may have been missed
   */
  abstract listen(topic: string, onNotice: () => void): Promise<void>;

  /**
   * Notifies the other processes. Never rejects: a process that misses the notification finds the change later by
   * polling.
   */
  abstract notify(topic: string): Promise<void>;

  abstract close(): Promise<void>;
}

/** Adapter for a database that only this process uses: sends and receives nothing. */
export class NoNotifications extends Notifications {
  async listen(): Promise<void> {}

  async notify(): Promise<void> {}

  async close(): Promise<void> {}
}
