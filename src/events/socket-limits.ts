/** Bounds of one socket and of all sockets together. */
export interface SocketLimits {
  /** Time for the `auth` message. */
  readonly authDeadlineMs: number;
  /** Time between two pings; a peer that answers neither of two is dead. */
  readonly heartbeatMs: number;
  /** Time for a closing peer to go by itself. */
  readonly closeMs: number;
  /** Time between two looks at the sign-in of a socket that was opened with the dashboard's cookie. */
  readonly signInCheckMs: number;
  /** Time after which a stream that was opened with the cookie ends, for the browser to open it anew. */
  readonly signInStreamMs: number;
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
  readonly connectionsPerKey: number;
  readonly subscriptionsPerConnection: number;
  /** Bytes that may wait for a reader; with more it is too slow. */
  readonly sendBufferBytes: number;
  /** Batches read from the journal at once at most. */
  readonly pageSize: number;
  /** Batches kept for a reader that is still in the past. */
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
