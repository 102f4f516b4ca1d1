import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { WebSocketServer } from 'ws';
import {
  errorBody,
  isRefused,
  pathOf,
  REQUEST_ID_HEADER,
  requestIdOf,
  withoutBasePath,
} from '../http/index.js';
import { PermissionError, type ServiceError, UnknownPathError } from '../errors/index.js';

type MessageBinding = Parameters<WsAdapter['bindMessageHandlers']>;

/** A `ws` server as the stock adapter registers it. */
type Entry = WebSocketServer & { readonly path: string };

/** Thrown when a page of another origin opens a socket and `CORS_ORIGINS` does not list that origin. */
class OriginNotAllowedError extends PermissionError {
  constructor() {
    super('Pages of this origin may not open sockets. Add the origin to CORS_ORIGINS.', 'origin_not_allowed');
  }
}

export interface EventSocketOptions {
  /** The path of `BASE_URL`, with or without which sockets are opened. */
  readonly basePath?: string;
  /**
   * Whether a page of an origin may open a socket; asked where the handshake names one. Left out: every page.
   */
  readonly isAllowedOrigin?: (origin: string, host: string | undefined) => boolean;
  /** Whether every upgrade is answered 404, as in a worker, which serves no clients. */
  readonly refusesAll?: boolean;
}

/**
 * Nest's adapter for `ws`, with three differences: an upgrade to an unknown path is answered 404 in the error shape,
 * one by a page of an origin that is not allowed 403, and faults of peers are not logged as faults of the service.
 */
export class EventSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: EventSocketOptions = {},
  ) {
    super(app);
  }

  /** A gateway without `@SubscribeMessage` reads its sockets itself. */
  override bindMessageHandlers(...[socket, handlers, transform]: MessageBinding): void {
    if (handlers.length > 0) super.bindMessageHandlers(socket, handlers, transform);
  }

  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server
      .on('error', (error) => this.logger.error(error))
      .on('connection', (socket) => {
        // The peer broke the protocol or the line; `close` follows.
        socket.on('error', (error) => this.logger.debug({ err: error }, 'A socket broke.'));
      });
  }

  protected override ensureHttpServerExists(port: number, httpServer: Server = createServer()): Server {
    const known = this.httpServersRegistry.get(port) as Server | undefined;
    if (known !== undefined) return known;
    this.httpServersRegistry.set(port, httpServer);
    httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (isRefused(request.socket)) return;
      const entry = this.entryAt(
        port,
        pathOf(withoutBasePath(request.url ?? '/', this.options.basePath ?? '')),
      );
      if (entry === undefined) refuse(request, socket, new UnknownPathError());
      else if (!this.isAllowed(request)) refuse(request, socket, new OriginNotAllowedError());
      else
        entry.handleUpgrade(request, socket, head, (webSocket) =>
          entry.emit('connection', webSocket, request),
        );
    });
    return httpServer;
  }

  private isAllowed({ headers: { origin, host } }: IncomingMessage): boolean {
    return origin === undefined || (this.options.isAllowedOrigin?.(origin, host) ?? true);
  }

  private entryAt(port: number, path: string | undefined): Entry | undefined {
    if (this.options.refusesAll === true) return undefined;
    const entries = (this.wsServersRegistry.get(port) ?? []) as readonly Entry[];
    return entries.find((entry) => entry.path === path);
  }
}

function refuse(request: IncomingMessage, socket: Duplex, error: ServiceError): void {
  const requestId = requestIdOf(request);
  const body = JSON.stringify(errorBody(error, requestId));
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
