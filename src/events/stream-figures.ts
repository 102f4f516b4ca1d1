import { Injectable } from '@nestjs/common';

/** How a reader receives events. */
export const TRANSPORTS = ['websocket', 'sse'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Counts the open streams and sent events of this process, for metrics. */
@Injectable()
export class StreamFigures {
  /** Open sockets and SSE streams of authenticated readers. */
  readonly open: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Events written to readers since process start. */
  readonly delivered: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Slow readers disconnected since process start. */
  slowReadersClosed = 0;
}
