import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as TcpServer, type Socket } from 'node:net';
import { ConnectionLimit, type ConnectionLimitOptions } from './connection-limit.js';
import { parserErrorAnswer } from './http-parser-errors.js';
import { calmMoment } from './calm-moment.js';

/** During a shutdown, a connection is closed after this number of milliseconds without a request. */
const QUIET_MS = 500;

/** Milliseconds between two checks for idle connections during a shutdown. */
const CHECK_INTERVAL_MS = 50;

/** If a response is sent before the whole request was received, the rest must arrive in this number of milliseconds. */
const REMAINDER_LIMIT_MS = 8_000;

/** Milliseconds after which a refused connection is closed. Until then, the client can read the response. */
const REFUSED_MS = 1_000;

interface Connection {
  /** The response that is being prepared or sent on the connection. Null between requests. */
  response: ServerResponse | null;
  /**
   * Time at which the last response ended, in milliseconds of `performance.now()`. For a new connection, the time of
   * its start.
   */
  quietSince: number;
  /**
   * Number of bytes that the connection had received when the last response ended. A higher number of received bytes
   * shows that the next request has begun.
   */
  bytesRead: number;
}

/** Sockets of connections that the server has refused. Requests on these sockets are ignored. */
const refused = new WeakSet<Socket>();

export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

/**
 * The open connections of the HTTP server. Limits unauthenticated connections per address, and closes all connections
 * at shutdown.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /**
   * TCP sockets that carry TLS, including sockets whose TLS handshake is not complete. Empty if the server does not use
   * TLS.
   */
  private readonly raw = new Set<Socket>();
  private readonly limit: ConnectionLimit | null;
  private checking: NodeJS.Timeout | undefined;
  private activity = 0;
  private isPaused = false;
  /** Resolves when the server has stopped listening. Null until the shutdown begins. */
  private left: Promise<void> | null = null;
  private whenClosed: () => void = () => undefined;

  /** @param options absent for an unlimited number of connections */
  constructor(
    private readonly server: Server,
    options: ConnectionLimitOptions | undefined,
  ) {
    this.limit = options === undefined ? null : new ConnectionLimit(options);
    if (server instanceof TlsServer) {
      // With TLS, requests belong to the TLS socket, which exists only after the handshake. Until then, only the TCP
      // socket is known.
      server.on('connection', (socket: Socket) => this.shakeHands(socket));
      server.on('secureConnection', (socket: Socket) => this.enter(socket));
    } else server.on('connection', (socket) => this.enter(socket));
  }

  /** Records that a connection has a request in progress. Must be called before the response is sent. */
  begin(socket: Socket, response: ServerResponse): void {
    if (this.left !== null) response.shouldKeepAlive = false;
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.response = response;
  }

  /** Records that the request in progress has ended. Must be called after the response was sent. */
  end(socket: Socket, { req: request }: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    this.activity += 1;
    connection.response = null;
    connection.quietSince = performance.now();
    connection.bytesRead = socket.bytesRead;
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, REMAINDER_LIMIT_MS).unref();
  }

  /**
   * Begins the shutdown: stops listening, then closes idle connections. Requests in progress get responses with
   * `Connection: close`.
   */
  leave(): Promise<void> {
    return (this.left ??= this.stopListening());
  }

  /**
   * Stops listening in a moment in which no client is connecting. Otherwise, the operating system would reset
   * connections that are established but not yet accepted by the server.
   */
  private async stopListening(): Promise<void> {
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    this.isPaused = true;
    for (const socket of this.open.keys()) socket.pause();
    await calmMoment(() => this.activity);
    // `net.Server.close` is used, because `http.Server.close` would also close connections on which only part
    // of a request has arrived.
    TcpServer.prototype.close.call(this.server);
    this.isPaused = false;
    for (const socket of this.open.keys()) socket.resume();
    // `setImmediate` lets the server first read data that has arrived, so that a connection with a new
    // request stays open.
    this.checking = setInterval(() => setImmediate(() => this.closeQuiet()), CHECK_INTERVAL_MS).unref();
  }

  /**
   * Closes the remaining connections. If the shutdown has begun, first waits until requests in progress have
   * their responses.
   */
  async close(): Promise<void> {
    await this.left;
    if (this.left !== null && this.open.size > 0)
      await new Promise<void>((resolve) => (this.whenClosed = resolve));
    clearInterval(this.checking);
    this.cut();
  }

  cut(): void {
    for (const socket of [...this.open.keys(), ...this.raw]) socket.destroy();
  }

  private shakeHands(socket: Socket): void {
    this.raw.add(socket);
    socket.on('close', () => this.raw.delete(socket));
  }

  private enter(socket: Socket): void {
    this.activity += 1;
    const counted = this.limit?.count(socket) ?? null;
    if (this.limit !== null && counted === null) return refuse(socket);
    this.open.set(socket, { response: null, quietSince: performance.now(), bytesRead: 0 });
    if (this.isPaused) socket.pause();
    socket.on('close', () => {
      this.open.delete(socket);
      counted?.leave();
      if (this.open.size === 0) this.whenClosed();
    });
  }

  private closeQuiet(): void {
    const now = performance.now();
    for (const [socket, { response, quietSince, bytesRead }] of this.open)
      if (response === null && now - quietSince >= QUIET_MS && socket.bytesRead === bytesRead) socket.end();
  }
}

/** Refuses a connection: sends the error response for too many connections, and closes the connection. */
function refuse(socket: Socket): void {
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  socket.end(parserErrorAnswer('TOO_MANY_CONNECTIONS'));
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}
