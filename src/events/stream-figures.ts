import { Injectable } from '@nestjs/common';

/** Transport of a reader. */
export const TRANSPORTS = ['websocket', 'sse'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Metrics of this process: open streams and delivered events. */
@Injectable()
export class StreamFigures {
  /** Open sockets and SSE streams of authenticated readers. */
  readonly open: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Events written to readers since process start. */
  readonly delivered: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Slow readers disconnected since process start. */
  slowReadersClosed = 0;
}
