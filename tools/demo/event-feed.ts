import { eventStream } from '../../clients/typescript/src/event-stream.ts';
import type { WireEvent } from '../../src/display/index.js';

/** The server that was killed is started at once, so there is no reason to wait longer from try to try. */
const BACKOFF = { initialMs: 150, maxMs: 300 };

/** What a feed tells. */
export interface FeedListener {
  readonly event: (event: WireEvent) => void;
  /** The key or the cursor was refused, so there is nothing to wait for. */
  readonly refused: (error: Error) => void;
}

/** Every event that a key may read, from now on, by the client that anybody would use. */
export class EventFeed {
  private readonly stop = new AbortController();

  /** @param baseUrl asked before each connection */
  constructor(
    private readonly baseUrl: () => string,
    private readonly key: string,
    private readonly listener: FeedListener,
  ) {}

  /** Resolves when the service has taken the key: no later event will be missed. */
  open(): Promise<void> {
    return new Promise((resolve) => void this.follow(resolve));
  }

  close(): void {
    this.stop.abort();
  }

  private async follow(onReady: () => void): Promise<void> {
    const events = eventStream({
      baseUrl: this.baseUrl,
      token: this.key,
      signal: this.stop.signal,
      backoff: BACKOFF,
      onConnection: ({ state }) => {
        if (state === 'connected') onReady();
      },
    });
    try {
      for await (const event of events) this.listener.event(event as unknown as WireEvent);
    } catch (error) {
      this.listener.refused(error as Error);
    }
  }
}
