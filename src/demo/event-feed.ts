import type { WireEvent } from './wire-event.js';

/** Between an ended connection and the next attempt, in milliseconds. */
const RETRY_MS = 150;

/** What a feed tells. */
export interface FeedListener {
  readonly event: (event: WireEvent) => void;
  /** The key or the cursor was refused, so there is nothing to wait for. */
  readonly refused: (error: Error) => void;
}

type ServiceMessage =
  | WireEvent
  | { readonly type: 'auth.success'; readonly cursor: string }
  | { readonly type: 'resume.failed' | 'error' };

/** Every event that a key may read, from now on. A connection that breaks is made again, from the last cursor on. */
export class EventFeed {
  private socket: WebSocket | undefined;
  private retry: NodeJS.Timeout | undefined;
  private cursor: string | undefined;
  private closed = false;

  /** @param baseUrl asked before each connection */
  constructor(
    private readonly baseUrl: () => string,
    private readonly key: string,
    private readonly listener: FeedListener,
  ) {}

  /** Resolves when the service has taken the key: no later event will be missed. */
  open(): Promise<void> {
    return new Promise((resolve) => this.connect(resolve));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.socket?.close();
  }

  private connect(onReady: () => void): void {
    const socket = new WebSocket(`${this.baseUrl().replace(/^http/, 'ws')}/ws`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      const resume = this.cursor === undefined ? {} : { resume_from: this.cursor };
      socket.send(JSON.stringify({ type: 'auth', token: this.key, ...resume }));
    });
    socket.addEventListener('message', ({ data }) => this.receive(String(data), onReady));
    // Every failed connection ends with a close too.
    socket.addEventListener('close', () => {
      if (!this.closed) this.retry = setTimeout(() => this.connect(onReady), RETRY_MS);
    });
  }

  private receive(text: string, onReady: () => void): void {
    const message = JSON.parse(text) as ServiceMessage;
    switch (message.type) {
      case 'auth.success':
        this.cursor ??= message.cursor;
        return onReady();
      case 'resume.failed':
      case 'error':
        return this.listener.refused(new Error(`The event feed was refused: ${text}`));
      default:
        if (!('sequence' in message)) return;
        this.cursor = message.cursor;
        this.listener.event(message);
    }
  }
}
