import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { HintCoalescer } from '../hint-coalescer.js';
import { Notices } from './notices.js';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from '../../database/index.js';

/**
 * A process that takes nothing for so long, as one that is stopped, loses the connection: the server keeps all notices until
 * everybody has heard them, and when it has no more room for them nobody can commit.
 */
const UNHEARD_MS = 60_000;

/** Between attempts to connect again. */
const RETRY_MS = 500;

/** Between two statements that find out whether the server still answers. */
const PROBE_MS = 5_000;

/** Longest wait for the end of a connection. */
const GOODBYE_MS = 1_000;

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
  private probe: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly limitMs: number;
  private readonly watch: StatementWatch;

  /**
   * @param isOwn whether a server process serves this process: its own notifications are ignored
   * @param limitMs of statements; the connection is given up after a part of it without an answer
   */
  constructor(
    private readonly url: string,
    private readonly isOwn: (backend: number) => boolean = () => false,
    limitMs = DEFAULT_LIMIT_MS,
  ) {
    super();
    this.limitMs = requestLimitMs(limitMs);
    this.watch = new StatementWatch(this.limitMs);
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
    clearInterval(this.probe);
    if (this.client !== undefined) await discard(this.client);
  }

  private async connect(): Promise<Client> {
    // Many may tell at once.
    const client = new Client({
      connectionString: this.url,
      keepAlive: true,
      // It only hears; a line that is dead without a word would else be found so after hours.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: this.limitMs,
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
      this.watch.limit(client);
      clearInterval(this.probe);
      this.probe = setInterval(() => void ask(client), PROBE_MS).unref();
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

/** On a connection that only listens, nothing else shows that the server has fallen silent. */
async function ask(client: Client): Promise<void> {
  try {
    await client.query('SELECT 1');
  } catch {
    // The connection is given up, which is an event of its own.
  }
}

/** Ends a connection that may be broken already. */
async function discard(client: Client): Promise<void> {
  // A server that has fallen silent does not say goodbye.
  const goodbye = setTimeout(() => {
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }, GOODBYE_MS);
  try {
    await client.end();
  } catch {
    // It was broken: there is nothing to end.
  } finally {
    clearTimeout(goodbye);
  }
}
