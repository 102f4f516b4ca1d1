/** Limits for the sockets and event streams of this process, per connection or per key. */
export interface SocketLimits {
  /** Maximum time from the opening of the socket to the `auth` message, in milliseconds. */
  readonly authDeadlineMs: number;
  /** Interval between pings in milliseconds. A client that misses two pings is terminated. */
  readonly heartbeatMs: number;
  /** Milliseconds in which a client must complete the close handshake. */
  readonly closeMs: number;
  /** Interval in milliseconds at which the dashboard's cookie of an open socket is checked. */
  readonly signInCheckMs: number;
  /**
   * Lifetime in milliseconds of a stream that was opened with the dashboard's cookie. When the stream ends, the browser
   * reconnects and is authenticated again.
   */
  readonly signInStreamMs: number;
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
  readonly connectionsPerKey: number;
  readonly subscriptionsPerConnection: number;
  /** Maximum number of unsent bytes per reader. A reader with more unsent bytes is disconnected as slow. */
  readonly sendBufferBytes: number;
  /** Maximum number of batches per journal read. */
  readonly pageSize: number;
  /** Maximum number of batches buffered for a reader during its replay. */
  readonly bufferSize: number;
}

/** Injection token of the `SocketLimits`. */
export const SOCKET_LIMITS = Symbol('SOCKET_LIMITS');

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  authDeadlineMs: 10_000,
  heartbeatMs: 25_000,
  closeMs: 2_000,
  signInCheckMs: 1_000,
  signInStreamMs: 30_000,
  messagesPerSecond: 50,
  messageBurst: 100,
  connectionsPerKey: 100,
  subscriptionsPerConnection: 100,
  sendBufferBytes: 1_048_576,
  pageSize: 200,
  bufferSize: 1_000,
};
