import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { HintCoalescer } from './hint-coalescer.js';
import { Notices } from './notices.js';

/**
 * A process that takes nothing for so long, as one that is stopped, loses the connection: the server keeps all notices until
 * everybody has heard them, and when it has no more room for them nobody can commit.
 */
const UNHEARD_MS = 60_000;

/** Between attempts to connect again. */
const RETRY_MS = 500;

/** Minimum gap between two calls of a listener in a burst: a flood of notifications costs few statements. */
const BURST_GAP_MS = 5;

/**
 * LISTEN and NOTIFY on a connection of its own. Notifications may be missed while that is lost: every listener is called
 * once after it is back. Payloads are neither sent nor read.
 */
export class PostgresNotices extends Notices {
  private readonly logger = new Logger(PostgresNotices.name);
  private readonly listeners = new Map<string, HintCoalescer>();
  private connecting: Promise<Client> | undefined;
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param isOwn whether a server process serves this process: its own notifications are ignored */
  constructor(
    private readonly url: string,
    private readonly isOwn: (backend: number) => boolean = () => false,
  ) {
    super();
  }

  async listen(topic: string, onNotice: () => void): Promise<void> {
    this.listeners.set(topic, new HintCoalescer(onNotice, BURST_GAP_MS));
    await this.listenOn(topic);
  }

  private async listenOn(topic: string): Promise<void> {
    const client = await (this.connecting ??= this.connect());
    await client.query(`LISTEN ${client.escapeIdentifier(topic)}`);
  }

  async tell(topic: string): Promise<void> {
    try {
      await this.client?.query("SELECT pg_notify($1, '')", [topic]);
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
    client.on('notification', ({ channel, processId }) => {
      if (processId !== backendOf(client) && !this.isOwn(processId)) this.listeners.get(channel)?.notify();
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
      for (const [topic, listener] of this.listeners) {
        await this.listenOn(topic);
        listener.notify();
      }
    } catch {
      this.connectLater();
    }
  }
}

/** The server process of a connection; the driver knows it and does not declare it. */
function backendOf(client: Client): number | null | undefined {
  return (client as { readonly processID?: number | null }).processID;
}

/** Ends a connection that may be broken already. */
async function discard(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was broken: there is nothing to end.
  }
}
