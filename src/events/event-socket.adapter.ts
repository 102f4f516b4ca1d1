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

/** A WebSocket server as Nest's `WsAdapter` registers it, with the path of its gateway. */
type Entry = WebSocketServer & { readonly path: string };

/** Thrown when a page opens a socket and `CORS_ORIGINS` does not list the origin of the page. */
class OriginNotAllowedError extends PermissionError {
  constructor() {
    super('Pages of this origin may not open sockets. Add the origin to CORS_ORIGINS.', 'origin_not_allowed');
  }
}

export interface EventSocketOptions {
  /** Path of `BASE_URL`. Clients may open sockets with or without this prefix. */
  readonly basePath?: string;
  /**
   * Whether pages of an origin may open sockets. If absent, pages of all origins may. Called only if the handshake has
   * an `Origin` header.
   */
  readonly isAllowedOrigin?: (origin: string, host: string | undefined) => boolean;
  /** Whether every upgrade request is rejected with status 404. Workers set this option. */
  readonly refusesAll?: boolean;
}

/**
 * Nest's adapter for `ws` with three changes. An upgrade to an unknown path gets status 404 in the error format of the
 * API. An upgrade from an origin that is not allowed gets 403. Errors that clients cause are not logged as errors of
 * the service.
 */
export class EventSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: EventSocketOptions = {},
  ) {
    super(app);
  }

  /** Does nothing for gateways without `@SubscribeMessage`, because such gateways read their sockets themselves. */
  override bindMessageHandlers(...[socket, handlers, transform]: MessageBinding): void {
    if (handlers.length > 0) super.bindMessageHandlers(socket, handlers, transform);
  }

  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server
      .on('error', (error) => this.logger.error(error))
      .on('connection', (socket) => {
        // The client violated the protocol or the connection broke. The event `close` follows.
        socket.on('error', (error) => this.logger.debug({ err: error }, 'A socket connection failed.'));
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
