import { eventStream } from '../../clients/typescript/src/event-stream.ts';
import type { WireEvent } from '../../src/display/index.js';

/** Milliseconds between attempts to connect. A killed server restarts immediately. */
const BACKOFF = { initialMs: 150, maxMs: 300 };

export interface FeedListener {
  readonly event: (event: WireEvent) => void;
  /** Called if the service refuses the key or the cursor. The feed then ends. */
  readonly refused: (error: Error) => void;
}

/** Streams all new events through the public TypeScript client. */
export class EventFeed {
  private readonly stop = new AbortController();

  /**
   * @param baseUrl called before each connection attempt
   */
  constructor(
    private readonly baseUrl: () => string,
    private readonly key: string,
    private readonly listener: FeedListener,
  ) {}

  /** Resolves when the service has accepted the key. The feed then misses no later event. */
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
