/** Topic of commits that assign journal positions. */
export const POSITIONS_TOPIC = 'workflow_positions';

/**
 * Notifications between the processes on one database, so that no process has to poll it all the time. A notification
 * has no content: anybody with a login to the database can hear and send one, so the listener reads what is new from
 * the tables. It may come late, several times or once for many, and may be lost.
 */
export abstract class Notices {
  /**
   * Starts to listen to a topic. Resolves when every later notification of another process will be heard.
   * @param onNotice also called when notifications may have been missed
   */
  abstract listen(topic: string, onNotice: () => void): Promise<void>;

  /** Notifies the other processes. Never rejects: a process that misses it finds out later by polling. */
  abstract tell(topic: string): Promise<void>;

  abstract close(): Promise<void>;
}

/** For a database that this process alone uses. */
export class NoNotices extends Notices {
  async listen(): Promise<void> {}

  async tell(): Promise<void> {}

  async close(): Promise<void> {}
}
