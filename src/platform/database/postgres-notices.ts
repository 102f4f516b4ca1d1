import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Notices } from './notices.js';

/**
 * A process that takes nothing for so long, as one that is stopped, loses the connection: the server keeps all notices until
 * everybody has heard them, and when it has no more room for them nobody can commit.
 */
const UNHEARD_MS = 60_000;

/** Between attempts to connect again. */
const RETRY_MS = 500;

/**
 * LISTEN and NOTIFY on a connection of its own. When that was lost, there may have been notices that nobody
 * heard: after the next one every listener is called once.
 */
export class PostgresNotices extends Notices {
  private readonly logger = new Logger(PostgresNotices.name);
  private readonly listeners = new Map<string, (text: string) => void>();
  private connecting: Promise<Client> | undefined;
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param own what this process's own notices carry: of those it need not hear */
  constructor(
    private readonly url: string,
    private readonly own: string,
  ) {
    super();
  }

  async listen(topic: string, onNotice: (text: string) => void): Promise<void> {
    this.listeners.set(topic, onNotice);
    const client = await (this.connecting ??= this.connect());
    await client.query(`LISTEN ${client.escapeIdentifier(topic)}`);
  }

  async tell(topic: string, text = ''): Promise<void> {
    try {
      await this.client?.query('SELECT pg_notify($1, $2)', [
        topic,
        text === '' ? this.own : `${this.own} ${text}`,
      ]);
    } catch {
      // A connection that is lost is told of by itself.
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    if (this.client !== undefined) await discard(this.client);
  }

  private async connect(): Promise<Client> {
    // Many may tell at once.
    const client = new Client({
      connectionString: this.url,
      keepAlive: true,
      // It only hears; a line that is dead without a word would else be found so after hours.
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      options: `-c tcp_user_timeout=${UNHEARD_MS}`,
    });
    let ended = false;
    const again = (error?: Error): void => {
      if (ended || this.closed) return;
      ended = true;
      this.logger.warn({ err: error }, 'The connection that hears of commits was lost; connecting again.');
      void discard(client);
      this.connectLater();
    };
    client.on('error', again).on('end', again);
    client.on('notification', ({ channel, payload = '' }) => {
      if (!payload.startsWith(this.own)) this.listeners.get(channel)?.(afterSpace(payload));
    });
    this.client = client;
    try {
      await client.connect();
      return client;
    } catch (error) {
      ended = true;
      await discard(client);
      throw error;
    }
  }

  private connectLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connectAgain(), RETRY_MS);
  }

  private async connectAgain(): Promise<void> {
    if (this.closed) return;
    try {
      this.connecting = this.connect();
      await this.connecting;
      for (const [topic, onNotice] of this.listeners) {
        await this.listen(topic, onNotice);
        onNotice('');
      }
    } catch {
      this.connectLater();
    }
  }
}

/** What was told behind who told it; nothing where it was nothing. */
function afterSpace(payload: string): string {
  const space = payload.indexOf(' ');
  return space === -1 ? '' : payload.slice(space + 1);
}

/** Ends a connection that may be broken already. */
async function discard(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was broken: there is nothing to end.
  }
}
