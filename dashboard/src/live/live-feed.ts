import { availability } from '../api/availability.ts';
import { eventStream, type ConnectionState, type WorkflowEvent } from '../api/client.ts';
import { SERVICE_URL } from '../base-path.ts';

/** Shortest and longest delay before the feed reconnects, in milliseconds. */
const BACKOFF = { initialMs: 250, maxMs: 1_000 };

/** State of the event feed. `off` means that the feed is stopped, not connected yet, or refused by the service. */
export type LiveState = 'off' | 'connected' | 'disconnected';

/**
 * The event feed of the whole dashboard, over one WebSocket. After a lost connection, the feed resumes at its cursor
 * without loss or duplicates.
 */
export class LiveFeed {
  private state: LiveState = 'off';
  private running: AbortController | undefined;
  private cursor: string | undefined;
  private readonly readers = new Set<(event: WorkflowEvent) => void>();
  private readonly watchers = new Set<() => void>();

  readonly readState = (): LiveState => this.state;

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /**
   * Calls `reader` for every event that arrives after the call.
   * @returns a function that ends the subscription
   */
  listen(reader: (event: WorkflowEvent) => void): () => void {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  }

  start(): void {
    if (this.running !== undefined) return;
    const running = new AbortController();
    this.running = running;
    void this.follow(running);
  }

  stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.cursor = undefined;
    this.become('off');
  }

  /** Returns the cursor of the last received event; undefined before the first event. */
  readonly readCursor = (): string | undefined => this.cursor;

  /**
   * Closes the WebSocket to simulate a network failure.
   * @returns a function that reconnects
   */
  cut(): () => void {
    this.running?.abort();
    const cut = new AbortController();
    this.running = cut;
    this.become('disconnected');
    return () => {
      if (this.running === cut) void this.follow(cut);
    };
  }

  private async follow(running: AbortController): Promise<void> {
    const onConnection = ({ state }: ConnectionState): void => {
      if (running.signal.aborted) return;
      if (state === 'disconnected') availability.doubt();
      this.become(state);
    };
    try {
      const options = {
        baseUrl: SERVICE_URL,
        signal: running.signal,
        backoff: BACKOFF,
        onConnection,
        after: this.cursor,
      };
      for await (const event of eventStream(options)) {
        if (running.signal.aborted) return;
        this.cursor = event.cursor;
        for (const reader of this.readers) reader(event);
      }
    } catch {
      // The service refused the connection, because the user may not read events or the sign-in has ended.
      if (!running.signal.aborted) this.become('off');
    }
  }

  private become(state: LiveState): void {
    if (state === this.state) return;
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}
