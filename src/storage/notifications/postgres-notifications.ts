import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { type Client, escapeIdentifier } from 'pg';
import { HintCoalescer } from '../hint-coalescer.ts';
import { LISTENER_GAP_MS, Notifications } from './notifications.ts';
import { newPostgresClient, StatementWatch } from '../../database/index.ts';

/**
 * Milliseconds after which PostgreSQL disconnects a client that acknowledges no data. Without this limit, a stopped
 * client would fill PostgreSQL's queue of notifications.
 */
const UNACKNOWLEDGED_MS = 60_000;

const RETRY_MS = 500;

const PROBE_MS = 5_000;

/** Maximum milliseconds for a graceful close of a connection. The socket of a slower connection is destroyed. */
const MAX_CLOSE_MS = 1_000;

/**
 * Sends notifications by LISTEN and NOTIFY on a dedicated connection. After a reconnect, every listener is called once,
 * because notifications may have been lost.
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
   * @param limitMs statement timeout; if the server does not respond within a fraction of this time, the connection
   * is dropped
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
    this.listeners.set(topic, new HintCoalescer(onNotice, LISTENER_GAP_MS));
    await this.listenOn(topic);
  }

  async unlisten(topic: string): Promise<void> {
    this.listeners.delete(topic);
    try {
      await this.client?.query(`UNLISTEN ${escapeIdentifier(topic)}`);
    } catch {
      // The lost connection has no subscriptions, and the reconnect listens only to the remaining topics.
    }
  }

  private async listenOn(topic: string): Promise<void> {
    const client = await (this.connecting ??= this.connect());
    await client.query(`LISTEN ${escapeIdentifier(topic)}`);
  }

  async notify(...topics: readonly string[]): Promise<void> {
    try {
      await this.client?.query("SELECT pg_notify(topic, '') FROM unnest($1::text[]) AS topic", [topics]);
    } catch {
      // A failed NOTIFY needs no handling, because the lost connection emits an event that starts the reconnect.
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.probe);
    if (this.client !== undefined) await discard(this.client);
  }

  private async connect(): Promise<Client> {
    // The option `pipeline` lets concurrent `notify` calls share the connection.
    const client = await newPostgresClient(this.url, {
      keepAlive: true,
      // A listening connection sends no data. Without TCP keep-alive, the death of the server would stay unnoticed for
      // hours.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: this.limitMs,
      pipeline: true,
      // `synchronous_commit=off`: NOTIFY need not wait for the disk, because notifications may be lost anyway.
      // PostgreSQL would lock its queue of notifications during the wait.
      options: `-c tcp_user_timeout=${UNACKNOWLEDGED_MS} -c synchronous_commit=off`,
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

/** Returns the id of the server process behind a connection. The type declarations of the driver lack this property. */
function backendOf(client: Client): number | null | undefined {
  return (client as { readonly processID?: number | null }).processID;
}

/**
 * Sends a query to detect a dead server. A connection that only listens sends no data and would not notice the death.
 */
async function ask(client: Client): Promise<void> {
  try {
    await client.query('SELECT 1');
  } catch {
    // A failed probe needs no handling, because the lost connection emits an event that starts the reconnect.
  }
}

/** Closes a connection that may already be broken. */
async function discard(client: Client): Promise<void> {
  // A dead server does not answer the close, so the socket is destroyed after one second.
  const goodbye = setTimeout(() => {
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
  }, MAX_CLOSE_MS);
  try {
    await client.end();
  } catch {
    // The connection was already broken, so nothing remains to be closed.
  } finally {
    clearTimeout(goodbye);
  }
}
