import { eventStream } from '../../clients/typescript/src/event-stream.ts';
import type { WireEvent } from '../../src/display/index.js';

/** Delays between connection attempts. They are short, because the demo restarts a killed server immediately. */
const BACKOFF = { initialMs: 150, maxMs: 300 };

export interface FeedListener {
  readonly event: (event: WireEvent) => void;
  /** Called when the service rejects the key or the cursor. The feed then ends. */
  readonly refused: (error: Error) => void;
}

/** Receives all new events of the service through the public TypeScript client. */
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

  /** Resolves when the service has accepted the key. The feed receives every event that occurs afterwards. */
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
