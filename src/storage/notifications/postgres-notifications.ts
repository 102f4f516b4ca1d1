import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { HintCoalescer } from '../hint-coalescer.ts';
import { Notifications } from './notifications.ts';
import { newPostgresClient, StatementWatch } from '../../database/index.ts';

/**
 * Milliseconds after which PostgreSQL disconnects a client that acknowledges no data, such as a stopped process.
 * PostgreSQL keeps notifications until every listener has read them. When that queue is full, commits fail.
 */
const UNHEARD_MS = 60_000;

/** Delay between reconnection attempts, in milliseconds. */
const RETRY_MS = 500;

/** Interval between probes of the server, in milliseconds. */
const PROBE_MS = 5_000;

/** Maximum time to close a connection gracefully, in milliseconds. */
const GOODBYE_MS = 1_000;

/**
 * Minimum gap in milliseconds between two calls of a listener during a burst, so that many notifications cause few
 * statements.
 */
const BURST_GAP_MS = 5;

/**
 * LISTEN and NOTIFY on a dedicated connection. Notifications are lost while the connection is down, so every listener
 * is called once after a reconnect. Payloads are neither sent nor read.
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
   * @param limitMs statement timeout; if the server does not respond within a fraction of this time, the connection is
   * dropped
   */
  constructor(
    private readonly url: string,
    limitMs?: number,
  ) {
    super();
    this.watch = StatementWatch.asInRequests(limitMs);
    this.limitMs = this.watch.limitMs;
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
      // The connection is lost. It emits its own event.
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
    const client = await newPostgresClient(this.url, {
      keepAlive: true,
      // The connection mostly receives. Without keep-alive, a dead connection would stay unnoticed for hours.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: this.limitMs,
      pipeline: true,
      // A flush to disk is not needed, because notifications may be lost. During a flush, PostgreSQL would hold the
      // lock on its queue of notifications.
      options: `-c tcp_user_timeout=${UNHEARD_MS} -c synchronous_commit=off`,
    });
    let ended = false;
    const again = (error?: Error): void => {
      if (ended || this.closed) return;
      ended = true;
      this.logger.warn({ err: error }, 'The connection for notifications was lost; reconnecting.');
      void discard(client);
      this.connectLater();
    };
    client.on('error', again).on('end', again);
    client.on('notification', ({ channel, processId }) => {
      if (processId !== backendOf(client)) this.listeners.get(channel)?.notify();
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

/** Process id of the server process behind the connection. The driver has this id but does not declare it. */
function backendOf(client: Client): number | null | undefined {
  return (client as { readonly processID?: number | null }).processID;
}

/** Probes the server. On a connection that only listens, nothing else shows that the server has stopped responding. */
async function ask(client: Client): Promise<void> {
  try {
    await client.query('SELECT 1');
  } catch {
    // The failed connection is dropped and emits its own event.
  }
}

/** Closes a connection that may already be broken. */
async function discard(client: Client): Promise<void> {
  // An unresponsive server does not complete the close, so the socket is destroyed after a timeout.
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
