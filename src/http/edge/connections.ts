import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as TcpServer, type Socket } from 'node:net';
import { ConnectionLimit, type ConnectionLimitOptions } from './connection-limit.js';
import { parserErrorAnswer } from './http-parser-errors.js';
import { calmMoment } from './calm-moment.js';

/** During shutdown, a connection without a request for this long is closed; a busy client sends one sooner. */
const QUIET_MS = 500;

/** Interval of the check for idle connections. */
const LOOK_MS = 50;

/** Time for the rest of a request that was answered before it had arrived completely. */
const REST_MS = 8_000;

/** Time for a refused client to read the response. */
const REFUSED_MS = 1_000;

interface Connection {
  /** The current response; null between requests. */
  response: ServerResponse | null;
  /** When the last response ended, on the process's monotonic clock. */
  quietSince: number;
  /** Bytes received by then: more are the beginning of a request. */
  bytesRead: number;
}

/** Refused sockets: data that still arrives on them is ignored. */
const refused = new WeakSet<Socket>();

/** Whether a request came on a refused connection. */
export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

/** The open connections of an HTTP server: limits them per address, and ends them at shutdown. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Sockets below TLS, until they close. */
  private readonly raw = new Set<Socket>();
  private readonly limit: ConnectionLimit | null;
  private looking: NodeJS.Timeout | undefined;
  /** Number of accepted connections and sent responses. */
  private activity = 0;
  /** Whether reading is paused for a moment. */
  private isPaused = false;
  /** Resolves when it stops listening; null before shutdown. */
  private left: Promise<void> | null = null;
  private whenClosed: () => void = () => undefined;

  /** @param options omitted for unlimited connections */
  constructor(
    private readonly server: Server,
    options: ConnectionLimitOptions | undefined,
  ) {
    this.limit = options === undefined ? null : new ConnectionLimit(options);
    if (server instanceof TlsServer) {
      // Requests refer to the decrypting socket, which exists only after the handshake.
      server.on('connection', (socket: Socket) => this.shakeHands(socket));
      server.on('secureConnection', (socket: Socket) => this.enter(socket));
    } else server.on('connection', (socket) => this.enter(socket));
  }

  /** A response becomes the next to be sent on a connection. */
  begin(socket: Socket, response: ServerResponse): void {
    if (this.left !== null) response.shouldKeepAlive = false;
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.response = response;
  }

  /** A response was sent. */
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
   * Stops listening. Current requests, and those that still arrive on open connections, get responses with `Connection:
   * close`; idle connections are closed.
   */
  leave(): Promise<void> {
    return (this.left ??= this.stopListening());
  }

  /**
   * The system completes connections before they are accepted, and resets unaccepted ones when the server stops
   * listening. Pausing reads for a moment makes clients wait for their responses, so that few connect anew.
   */
  private async stopListening(): Promise<void> {
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    this.isPaused = true;
    for (const socket of this.open.keys()) socket.pause();
    await calmMoment(() => this.activity);
    // Not the HTTP server's method, which would close connections on which a request is arriving.
    TcpServer.prototype.close.call(this.server);
    this.isPaused = false;
    for (const socket of this.open.keys()) socket.resume();
    // Right after received data was read.
    this.looking = setInterval(() => setImmediate(() => this.closeQuiet()), LOOK_MS).unref();
  }

  /** Closes the remaining connections; during shutdown, after current requests were answered. */
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

/** Sends the reason and closes. The parser already has the connection; `isRefused` ignores what it parses. */
function refuse(socket: Socket): void {
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  socket.end(parserErrorAnswer('TOO_MANY_CONNECTIONS'));
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}
