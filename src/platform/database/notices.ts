/** Topic of the commits of `PostgresWriter` that give out positions. One of a single short row tells it, as JSON. */
export const POSITIONS_TOPIC = 'workflow_positions';

/**
 * What processes on one database tell each other, so that nobody has to ask it again and again. A notice is a
 * hint: it may come late, several times or once for many, and may be lost.
 */
export abstract class Notices {
  /**
   * Begins to hear a topic of other processes. Resolves when every later notice will be heard.
   * @param onNotice is given what was told with it; also called, with nothing, when notices may have been missed
   */
  abstract listen(topic: string, onNotice: (text: string) => void): Promise<void>;

  /**
   * Tells the other processes. Never rejects: who was not told finds out by itself, later.
   * @param text a few words that go with it, such as an id
   */
  abstract tell(topic: string, text?: string): Promise<void>;

  abstract close(): Promise<void>;
}

/** For a database that this process alone uses. */
export class NoNotices extends Notices {
  async listen(): Promise<void> {}

  async tell(): Promise<void> {}

  async close(): Promise<void> {}
}
