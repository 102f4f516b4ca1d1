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

/** A WebSocket server in the registry of Nest's `WsAdapter`, with the URL path that the gateway declares. */
type Entry = WebSocketServer & { readonly path: string };

/** Thrown when a web page opens a socket from an origin that `CORS_ORIGINS` does not list. */
class OriginNotAllowedError extends PermissionError {
  constructor() {
    super('This origin may not open WebSockets. Add the origin to CORS_ORIGINS.', 'origin_not_allowed');
  }
}

export interface EventSocketOptions {
  /** Path component of `BASE_URL`. Clients may open sockets with or without this prefix. */
  readonly basePath?: string;
  /**
   * Whether web pages of an origin may open sockets. Without this function, pages of all origins may. Upgrade requests
   * without an `Origin` header are not checked.
   */
  readonly isAllowedOrigin?: (origin: string, host: string | undefined) => boolean;
  /** True if the process rejects every upgrade request with status 404, as workers do. */
  readonly refusesAll?: boolean;
}

/**
 * Extends Nest's WebSocket adapter for `ws`. An upgrade to an unknown path gets status 404, and an upgrade from a
 * forbidden origin gets 403, in the error format of the API. Errors that clients cause are logged only at debug level.
 */
export class EventSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly options: EventSocketOptions = {},
  ) {
    super(app);
  }

  /**
   * Skips gateways without `@SubscribeMessage` handlers, because such gateways read messages from their sockets
   * themselves.
   */
  override bindMessageHandlers(...[socket, handlers, transform]: MessageBinding): void {
    if (handlers.length > 0) super.bindMessageHandlers(socket, handlers, transform);
  }

  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    return server
      .on('error', (error) => this.logger.error(error))
      .on('connection', (socket) => {
        // Logs socket errors only at debug level, because the client or the network causes them. The socket then emits
        // `close`.
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
