import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as TcpServer, type Socket } from 'node:net';
import { ConnectionLimit, type ConnectionLimitOptions } from './connection-limit.js';
import { parserErrorAnswer } from './http-parser-errors.js';
import { calmMoment } from './calm-moment.js';

/** During shutdown, a connection without a request for this many milliseconds is closed. */
const QUIET_MS = 500;

/** Interval in milliseconds at which idle connections are closed during shutdown. */
const LOOK_MS = 50;

/** Milliseconds in which the rest of a request must arrive after the response was sent. */
const REST_MS = 8_000;

/** Milliseconds in which a refused client can read the response. */
const REFUSED_MS = 1_000;

interface Connection {
  /** The response that is being sent; null between requests. */
  response: ServerResponse | null;
  /** Milliseconds on the monotonic clock at which the last response ended. */
  quietSince: number;
  /** Bytes received up to the end of the last response. If more bytes have arrived, the next request has begun. */
  bytesRead: number;
}

/** Sockets of refused connections. Data that still arrives on them is ignored. */
const refused = new WeakSet<Socket>();

/** Whether a socket belongs to a refused connection. */
export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

/** The open connections of an HTTP server. Limits their number per address, and ends them at shutdown. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** The TCP sockets under TLS connections, including those in the handshake. Empty without TLS. */
  private readonly raw = new Set<Socket>();
  private readonly limit: ConnectionLimit | null;
  private looking: NodeJS.Timeout | undefined;
  /** Number of accepted connections and sent responses. */
  private activity = 0;
  /** Whether the server currently does not read from its connections. */
  private isPaused = false;
  /** Resolves when the server has stopped listening; null before shutdown. */
  private left: Promise<void> | null = null;
  private whenClosed: () => void = () => undefined;

  /** @param options absent for an unlimited number of connections */
  constructor(
    private readonly server: Server,
    options: ConnectionLimitOptions | undefined,
  ) {
    this.limit = options === undefined ? null : new ConnectionLimit(options);
    if (server instanceof TlsServer) {
      // With TLS, requests refer to another socket, which exists only after the handshake.
      server.on('connection', (socket: Socket) => this.shakeHands(socket));
      server.on('secureConnection', (socket: Socket) => this.enter(socket));
    } else server.on('connection', (socket) => this.enter(socket));
  }

  /** Must be called when the server starts to handle a request, before it sends the response. */
  begin(socket: Socket, response: ServerResponse): void {
    if (this.left !== null) response.shouldKeepAlive = false;
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.response = response;
  }

  /** Must be called after a response was sent. */
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
    }, REST_MS).unref();
  }

  /**
   * Stops listening. Requests in progress get responses with `Connection: close`, and so do requests that still arrive
   * on open connections. Idle connections are closed.
   */
  leave(): Promise<void> {
    return (this.left ??= this.stopListening());
  }

  /**
   * Stops listening at a moment when no client is about to connect. The operating system establishes connections before
   * the server accepts them. When the server stops listening, the system resets connections that were not accepted yet.
   * While the server does not read for a moment, clients wait for responses instead of opening connections.
   */
  private async stopListening(): Promise<void> {
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    this.isPaused = true;
    for (const socket of this.open.keys()) socket.pause();
    await calmMoment(() => this.activity);
    // Calls the method of the TCP server, because the method of the HTTP server would close connections on which a
    // request is arriving.
    TcpServer.prototype.close.call(this.server);
    this.isPaused = false;
    for (const socket of this.open.keys()) socket.resume();
    // `setImmediate`, so that the check runs after received data was read.
    this.looking = setInterval(() => setImmediate(() => this.closeQuiet()), LOOK_MS).unref();
  }

  /** Closes the remaining connections. During shutdown, requests in progress get their responses first. */
  async close(): Promise<void> {
    await this.left;
    if (this.left !== null && this.open.size > 0)
      await new Promise<void>((resolve) => (this.whenClosed = resolve));
    clearInterval(this.looking);
    this.cut();
  }

  /** Closes every connection immediately. */
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

/** Sends the reason and closes the connection. The HTTP server ignores data that still arrives (see `isRefused`). */
function refuse(socket: Socket): void {
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  socket.end(parserErrorAnswer('TOO_MANY_CONNECTIONS'));
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}
