import { Injectable } from '@nestjs/common';

/** Transports over which a client receives events: WebSocket or server-sent events. */
export const TRANSPORTS = ['websocket', 'sse'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Counts the open streams and sent events of this process, for metrics. */
@Injectable()
export class StreamFigures {
  /** Number of open streams of authenticated clients, by transport. */
  readonly open: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Number of events sent to clients since the process started, by transport. */
  readonly delivered: Record<Transport, number> = { websocket: 0, sse: 0 };
  /** Number of slow readers disconnected since the process started. */
  slowReadersClosed = 0;
}
