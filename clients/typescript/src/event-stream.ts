import { type Backoff, backoffDelay, DEFAULT_BACKOFF } from './backoff.ts';
import { CursorExpiredError, StreamRefusedError } from './event-stream.errors.ts';
import { RecentIds } from './recent-ids.ts';
import type { EventFilter, WorkflowEvent } from './workflow-event.ts';

export interface EventStreamOptions {
  /**
   * Address of the service, for example `http://127.0.0.1:3000`, or a function that returns the address. The function
   * is called for each connection.
   */
  readonly baseUrl: string | (() => string);
  /**
   * An API key with the scope `events:read`, or a function that returns a key. The function is called for each
   * connection, so that keys can rotate. Pages of the service's own origin can omit the token: the sign-in cookie is
   * used instead.
   */
  readonly token?: string | (() => string | Promise<string>);
  readonly filter?: EventFilter;
  /**
   * Cursor of the last event that was received. The stream continues after this event. The cursor `0` starts with the
   * oldest event. Without a cursor, the stream contains only new events.
   */
  readonly after?: string;
  /** Ends the stream when it aborts. */
  readonly signal?: AbortSignal;
  readonly backoff?: Backoff;
  /** Called when a connection opens or closes, for example for a status indicator. */
  readonly onConnection?: (state: ConnectionState) => void;
}

export type ConnectionState =
  | {
      readonly state: 'connected';
      /** False for the first connection of the stream. */ readonly resumed: boolean;
    }
  | {
      readonly state: 'disconnected';
      /** Milliseconds until the next attempt. */ readonly retryInMs: number;
    };

/** Close codes after which another attempt cannot succeed. */
const REFUSALS: readonly number[] = [4400, 4401, 4403, 4409];

/** A connection counts as dead after this number of heartbeat intervals without a message from the service. */
const HEARTBEATS_MISSED = 2.5;

/**
 * Number of recent event ids that are kept to detect duplicates. A duplicate arrives only after a reconnection, and the
 * first copy is always among these recent events.
 */
const REMEMBERED_IDS = 20_000;

const SUBSCRIPTION = 'stream';

/**
 * Yields live events, for use with `for await`. Reconnects automatically and resumes after the last event that it
 * yielded. Yields each event exactly once, and the events of each execution in order.
 * @throws StreamRefusedError, CursorExpiredError
 */
export async function* eventStream(
  options: EventStreamOptions,
): AsyncGenerator<WorkflowEvent, void, undefined> {
  const seen = new RecentIds(REMEMBERED_IDS);
  const backoff = options.backoff ?? DEFAULT_BACKOFF;
  let cursor = options.after;
  let failures = 0;
  let resumed = false;
  while (!isAborted(options.signal)) {
    const connection = new Connection(options, cursor, () => {
      failures = 0;
      options.onConnection?.({ state: 'connected', resumed });
      resumed = true;
    });
    try {
      for await (const event of connection.events()) {
        if (isAborted(options.signal)) return;
        cursor = event.cursor;
        if (seen.add(event.id)) yield event;
      }
      // If no event arrived, the next connection resumes from the start position of this connection.
      cursor ??= connection.startCursor;
    } finally {
      connection.close();
    }
    if (isAborted(options.signal)) return;
    failures += 1;
    const retryInMs = connection.reconnectAfterMs ?? backoffDelay(backoff, failures, Math.random());
    options.onConnection?.({ state: 'disconnected', retryInMs });
    await pause(retryInMs, options.signal);
  }
}

type ServerMessage =
  | { readonly type: 'auth.success'; readonly cursor: string; readonly heartbeat_interval_ms: number }
  | { readonly type: 'subscribed' | 'replay.complete'; readonly cursor: string }
  | { readonly type: 'resume.failed'; readonly oldest_cursor: string }
  | { readonly type: 'reconnect'; readonly after_ms: number }
  | { readonly type: 'error'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly type: 'pong' };

/** One socket, from opening to closing. */
class Connection {
  /** Position of the stream at which the service accepted this connection. */
  startCursor: string | undefined;
  /** Delay before the next connection, in milliseconds. The service requests this delay before it shuts down. */
  reconnectAfterMs: number | undefined;
  private readonly options: EventStreamOptions;
  private readonly cursor: string | undefined;
  private readonly onOpen: () => void;
  private readonly socket: WebSocket;
  private readonly arrived: WorkflowEvent[] = [];
  private failure: Error | undefined;
  private refusal: { readonly code: string; readonly message: string } | undefined;
  private ended = false;
  private wake: () => void = () => undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private heartbeatMs = 25_000;
  private readonly abort = (): void => this.end();

  constructor(options: EventStreamOptions, cursor: string | undefined, onOpen: () => void) {
    this.options = options;
    this.cursor = cursor;
    this.onOpen = onOpen;
    const { baseUrl } = options;
    const origin = typeof baseUrl === 'string' ? baseUrl : baseUrl();
    this.socket = new WebSocket(`${origin.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`);
    this.socket.addEventListener('open', () => void this.authenticateAndSubscribe());
    this.socket.addEventListener('message', ({ data }) => this.read(String(data)));
    this.socket.addEventListener('close', ({ code }) => this.closed(code));
    this.socket.addEventListener('error', () => this.end());
    options.signal?.addEventListener('abort', this.abort, { once: true });
    this.watch();
  }

  /** Yields events until the socket ends. @throws StreamRefusedError, CursorExpiredError */
  async *events(): AsyncGenerator<WorkflowEvent, void, undefined> {
    for (;;) {
      const event = this.arrived.shift();
      if (event !== undefined) yield event;
      else if (this.failure !== undefined) throw this.failure;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    clearTimeout(this.watchdog);
    clearInterval(this.pinger);
    this.options.signal?.removeEventListener('abort', this.abort);
    this.socket.close();
  }

  private async authenticateAndSubscribe(): Promise<void> {
    const { token, filter } = this.options;
    try {
      const key = typeof token === 'function' ? await token() : token;
      const resume = this.cursor !== undefined && filter === undefined ? { resume_from: this.cursor } : {};
      this.send({ type: 'auth', token: key, ...resume });
      if (filter === undefined) return;
      this.send({
        type: 'subscribe',
        id: SUBSCRIPTION,
        filter,
        ...(this.cursor === undefined ? {} : { after: this.cursor }),
      });
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.end();
    }
  }

  private read(text: string): void {
    this.watch();
    const message = JSON.parse(text) as ServerMessage | WorkflowEvent;
    if ('sequence' in message) {
      this.arrived.push(message);
      this.wake();
    } else this.handleControlMessage(message);
  }

  private handleControlMessage(message: ServerMessage): void {
    switch (message.type) {
      case 'auth.success':
        this.heartbeatMs = message.heartbeat_interval_ms;
        this.startCursor ??= message.cursor;
        // Scripts in browsers cannot see WebSocket pings, so the stream sends its own ping messages.
        this.pinger = setInterval(() => this.send({ type: 'ping' }), this.heartbeatMs);
        if (this.options.filter === undefined) this.onOpen();
        return;
      case 'subscribed':
        this.startCursor = message.cursor;
        this.onOpen();
        return;
      case 'resume.failed':
        this.failure = new CursorExpiredError(message.oldest_cursor);
        this.end();
        return;
      case 'reconnect':
        this.reconnectAfterMs = message.after_ms;
        return;
      case 'error':
        this.refusal = message.error;
        // After a refused subscription, the service keeps the socket open, but no event would ever arrive.
        if (this.startCursor !== undefined && this.options.filter !== undefined) this.refuse(null);
        return;
      case 'replay.complete':
      case 'pong':
        return;
    }
  }

  private closed(code: number): void {
    if (REFUSALS.includes(code) && !this.mayHaveFreshToken(code)) this.refuse(code);
    this.end();
  }

  /**
   * Returns whether another attempt may have a valid token. This is so if the service accepted the token of this
   * connection before the token expired, and if a function can return a new token.
   */
  private mayHaveFreshToken(code: number): boolean {
    return code === 4401 && this.startCursor !== undefined && typeof this.options.token === 'function';
  }

  private refuse(closeCode: number | null): void {
    const { code, message } = this.refusal ?? {
      code: 'closed',
      message: `The service closed the stream (${closeCode}).`,
    };
    this.failure = new StreamRefusedError(code, message, closeCode);
    this.end();
  }

  private end(): void {
    this.ended = true;
    this.wake();
  }

  private watch(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.end(), this.heartbeatMs * HEARTBEATS_MISSED);
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
