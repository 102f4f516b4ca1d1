import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { HintCoalescer } from '../hint-coalescer.ts';
import { Notifications } from './notifications.ts';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from '../../database/index.ts';

/**
 * Disconnects a client that acknowledges nothing for this long (milliseconds), such as a stopped process. PostgreSQL
 * keeps notifications until every listener has read them. When its queue is full, commits fail.
 */
const UNHEARD_MS = 60_000;

/** Delay between reconnection attempts, in milliseconds. */
const RETRY_MS = 500;

/** Interval between probes of the server, in milliseconds. */
const PROBE_MS = 5_000;

/** Maximum time to close a connection gracefully, in milliseconds. */
const GOODBYE_MS = 1_000;

/**
 * Minimum gap in milliseconds between two calls of a listener in a burst, so that many notifications cost few
 * statements.
 */
const BURST_GAP_MS = 5;

/**
 * LISTEN and NOTIFY on a dedicated connection. Notifications are lost while it is down, so every listener is called
 * once after a reconnect. Payloads are neither sent nor read.
 */
export class PostgresNotifications extends Notifications {
  private readonly logger = new Logger(PostgresNotifications.name);
  private readonly listeners = new Map<string, HintCoalescer>();
  private connecting: Promise<Client> | undefined;
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private probe: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly limitMs: number;
  private readonly watch: StatementWatch;

  /**
   * @param isOwn whether a backend serves this process; its notifications are ignored
   * @param limitMs statement limit; the connection is dropped after a fraction of it without a response
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

  async notify(topic: string): Promise<void> {
    try {
      await this.client?.query("SELECT pg_notify($1, '')", [topic]);
    } catch {
      // A lost connection emits its own event.
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.probe);
    if (this.client !== undefined) await discard(this.client);
  }

  private async connect(): Promise<Client> {
    // `pipeline` lets concurrent notify calls share the connection.
    const client = new Client({
      connectionString: this.url,
      keepAlive: true,
      // The connection mostly receives. Without keep-alive a silently dead one would be detected only after hours.
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

/** The backend's process id. The driver knows it but does not declare it. */
function backendOf(client: Client): number | null | undefined {
  return (client as { readonly processID?: number | null }).processID;
}

/** Probes the server: nothing else shows that it stopped responding on a connection that only listens. */
async function ask(client: Client): Promise<void> {
  try {
    await client.query('SELECT 1');
  } catch {
    // The failed connection is dropped and emits its own event.
  }
}

/** Closes a connection that may already be broken. */
async function discard(client: Client): Promise<void> {
  // An unresponsive server does not complete the close, so destroy the socket after a timeout.
  const goodbye = setTimeout(() => {
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }, GOODBYE_MS);
  try {
    await client.end();
  } catch {
    // The connection was already broken.
  } finally {
    clearTimeout(goodbye);
  }
}
