import type { Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as TcpServer, type Socket } from 'node:net';
import { ConnectionLimit, type ConnectionLimitOptions } from './connection-limit.js';
import { parserErrorAnswer } from './http-parser-errors.js';
import { calmMoment } from './calm-moment.js';

/** A connection without a request for this long is closed once the service leaves; a busy client asks sooner. */
const QUIET_MS = 500;

/** Between two looks for quiet connections. */
const LOOK_MS = 50;

/** The rest of a request that was answered before all of it had arrived has this long. */
const REST_MS = 8_000;

/** A refused client has this long to read the answer. */
const REFUSED_MS = 1_000;

interface Connection {
  /** What is answered now; null between requests. */
  response: ServerResponse | null;
  /** When the last response ended, on the clock of the process. */
  quietSince: number;
  /** Bytes that had arrived by then: more are the beginning of a request. */
  bytesRead: number;
}

/** Sockets that were refused: what still arrives on them is not for the service. */
const refused = new WeakSet<Socket>();

/** Whether a request came on a connection that was refused. */
export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

/** The open connections of an HTTP server: how many an address may have, and how they end with the service. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Below TLS, until they close. */
  private readonly raw = new Set<Socket>();
  private readonly limit: ConnectionLimit | null;
  private looking: NodeJS.Timeout | undefined;
  /** Connections that were accepted and responses that were sent so far. */
  private activity = 0;
  /** Whether nothing is read, for a moment. */
  private isPaused = false;
  /** Resolves once it does not listen any more; null while it is not leaving. */
  private left: Promise<void> | null = null;
  private whenClosed: () => void = () => undefined;

  /** @param options without them, connections are not limited */
  constructor(
    private readonly server: Server,
    options: ConnectionLimitOptions | undefined,
  ) {
    this.limit = options === undefined ? null : new ConnectionLimit(options);
    if (server instanceof TlsServer) {
      // Requests know the socket that decrypts, which is there only after the handshake.
      server.on('connection', (socket: Socket) => this.shakeHands(socket));
      server.on('secureConnection', (socket: Socket) => this.enter(socket));
    } else server.on('connection', (socket) => this.enter(socket));
  }

  /** A response is the next to be sent on a connection. */
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
   * Stops listening. What is under way is answered with `Connection: close`, and so is what still arrives on open
   * connections; quiet ones are closed.
   */
  leave(): Promise<void> {
    return (this.left ??= this.stopListening());
  }

  /**
   * The system completes connections before they are accepted, and resets those that are not when the server stops
   * listening. So nothing is read for a moment: clients wait for their answers then, and soon none connects anew.
   */
  private async stopListening(): Promise<void> {
    for (const { response } of this.open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    this.isPaused = true;
    for (const socket of this.open.keys()) socket.pause();
    await calmMoment(() => this.activity);
    // Not that of the HTTP server, which would close connections on which a request is about to arrive.
    TcpServer.prototype.close.call(this.server);
    this.isPaused = false;
    for (const socket of this.open.keys()) socket.resume();
    // Right after what has arrived was read.
    this.looking = setInterval(() => setImmediate(() => this.closeQuiet()), LOOK_MS).unref();
  }

  /** Closes what is left; once it is leaving, not before what is under way was answered. */
  async close(): Promise<void> {
    await this.left;
    if (this.left !== null && this.open.size > 0)
      await new Promise<void>((resolve) => (this.whenClosed = resolve));
    clearInterval(this.looking);
    this.cut();
  }

  /** Closes every connection, whatever is under way. */
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

/** Says why and closes. The parser has the connection by now: what it makes of it, `isRefused` keeps out. */
function refuse(socket: Socket): void {
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  socket.end(parserErrorAnswer('TOO_MANY_CONNECTIONS'));
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}
