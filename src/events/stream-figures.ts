import { Injectable } from '@nestjs/common';

/** How a reader is connected. */
export const TRANSPORTS = ['websocket', 'sse'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What this process has open and has delivered, for its metrics. */
@Injectable()
export class StreamFigures {
  /** Sockets and streams of authenticated readers. */
  readonly open: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Events written to readers since the start. */
  readonly delivered: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Readers closed since the start because they left too much unread. */
  slowReadersClosed = 0;
}
