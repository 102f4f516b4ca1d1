/** Topic of commits that assign journal positions. */
export const POSITIONS_TOPIC = 'workflow_positions';

/**
 * Notifications between the processes on one database, which reduce polling. A notification has no content: anyone with
 * a login to the database can send or receive one, so the listener reads new rows from the tables. It may be late,
 * duplicated, merged with others or lost.
 */
export abstract class Notifications {
  /**
   * Listens to a topic. Resolves once later notifications of other processes will be received.
   * @param onNotice also called when notifications may have been missed
   */
  abstract listen(topic: string, onNotice: () => void): Promise<void>;

  /** Notifies the other processes. Never rejects: a process that misses it finds out later by polling. */
  abstract notify(topic: string): Promise<void>;

  abstract close(): Promise<void>;
}

/** For a database that only this process uses. */
export class NoNotifications extends Notifications {
  async listen(): Promise<void> {}

  async notify(): Promise<void> {}

  async close(): Promise<void> {}
}
