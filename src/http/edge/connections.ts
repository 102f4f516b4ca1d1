import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as TcpServer, type Socket } from 'node:net';
import { ConnectionLimit, type ConnectionLimitOptions } from './connection-limit.js';
import { parserErrorAnswer } from './http-parser-errors.js';
import { calmMoment } from './calm-moment.js';

/** Milliseconds without a request after which a shutdown closes a connection. */
const QUIET_MS = 500;

/** Interval in milliseconds between checks for idle connections during a shutdown. */
const LOOK_MS = 50;

/** Milliseconds in which the rest of a request must arrive after its response. */
const REST_MS = 8_000;

/** Milliseconds that a refused client has to read the response. */
const REFUSED_MS = 1_000;

interface Connection {
  /** The current response. Null between requests. */
  response: ServerResponse | null;
  /** End of the last response, in milliseconds on the monotonic clock. */
  quietSince: number;
  /** Bytes received before the end of the last response. Later bytes belong to the next request. */
  bytesRead: number;
}

/** Sockets of refused connections, whose further data is ignored. */
const refused = new WeakSet<Socket>();

export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

/** The open connections of an HTTP server. Limits connections per address and closes connections at shutdown. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** The TCP sockets under TLS, including those in the handshake. Empty without TLS. */
  private readonly raw = new Set<Socket>();
  private readonly limit: ConnectionLimit | null;
  private looking: NodeJS.Timeout | undefined;
  private activity = 0;
  private isPaused = false;
  /** Resolves when the server has stopped listening. Null before shutdown. */
  private left: Promise<void> | null = null;
  private whenClosed: () => void = () => undefined;

  /** @param options absent for an unlimited number of connections */
  constructor(
    private readonly server: Server,
    options: ConnectionLimitOptions | undefined,
  ) {
    this.limit = options === undefined ? null : new ConnectionLimit(options);
    if (server instanceof TlsServer) {
      // Under TLS, requests refer to another socket, which exists only after the handshake.
      server.on('connection', (socket: Socket) => this.shakeHands(socket));
      server.on('secureConnection', (socket: Socket) => this.enter(socket));
    } else server.on('connection', (socket) => this.enter(socket));
  }

  /** Must be called before the response is sent. */
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

  /** Stops listening and closes idle connections. Requests in progress get responses with `Connection: close`. */
  leave(): Promise<void> {
    return (this.left ??= this.stopListening());
  }

  /**
   * Stops listening while no client is connecting. The operating system resets established connections that the
   * server has not accepted yet.
   */
  private async stopListening(): Promise<void> {
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    this.isPaused = true;
    for (const socket of this.open.keys()) socket.pause();
    await calmMoment(() => this.activity);
    // The method of the HTTP server would also close connections with a partially received request.
    TcpServer.prototype.close.call(this.server);
    this.isPaused = false;
    for (const socket of this.open.keys()) socket.resume();
    // `setImmediate` lets the server read received data first.
    this.looking = setInterval(() => setImmediate(() => this.closeQuiet()), LOOK_MS).unref();
  }

  /** Closes the remaining connections. During a shutdown, requests in progress get their responses first. */
  async close(): Promise<void> {
    await this.left;
    if (this.left !== null && this.open.size > 0)
      await new Promise<void>((resolve) => (this.whenClosed = resolve));
    clearInterval(this.looking);
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

/** Sends the reason and closes the connection. */
function refuse(socket: Socket): void {
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  socket.end(parserErrorAnswer('TOO_MANY_CONNECTIONS'));
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}
