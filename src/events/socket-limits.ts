/**
 * Limits for WebSockets and event streams in this process. Some limits apply to each connection, others to each key.
 */
export interface SocketLimits {
  /** Milliseconds after the opening of a socket in which the client must authenticate. */
  readonly authDeadlineMs: number;
  /** Interval between pings in milliseconds. A client that misses two consecutive pings is disconnected. */
  readonly heartbeatMs: number;
  /** Milliseconds in which a client must complete the WebSocket close handshake before its connection is terminated. */
  readonly closeMs: number;
  /** Interval in milliseconds at which the service checks whether the user of a dashboard socket is still signed in. */
  readonly signInCheckMs: number;
  /**
   * Lifetime in milliseconds of an event stream that was authenticated by the dashboard's cookie. When the stream ends,
   * the browser reconnects and is authenticated again.
   */
  readonly signInStreamMs: number;
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
  readonly connectionsPerKey: number;
  readonly subscriptionsPerConnection: number;
  /** Maximum number of unsent bytes of a connection. A client that exceeds the maximum is disconnected as slow. */
  readonly sendBufferBytes: number;
  /** Maximum number of journal batches per read of a replay. */
  readonly pageSize: number;
  /** Maximum number of live journal batches to buffer for a client while past events are replayed. */
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
