import { createServer, type IncomingMessage, type Server } from 'node:http';
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
import { UnknownPathError } from '../errors/index.js';

type MessageBinding = Parameters<WsAdapter['bindMessageHandlers']>;

/** A `ws` server as the stock adapter registers it. */
type Entry = WebSocketServer & { readonly path: string };

export interface EventSocketOptions {
  /** The path of `BASE_URL`, with or without which sockets are opened. */
  readonly basePath?: string;
  /** Whether every upgrade is answered 404, as in a worker, which serves no clients. */
  readonly refusesAll?: boolean;
}

/**
 * Nest's adapter for `ws`, with two differences: an upgrade to an unknown path is answered 404 in the error shape, and
 * faults of peers are not logged as faults of the service.
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
      if (entry === undefined) refuse(request, socket);
      else
        entry.handleUpgrade(request, socket, head, (webSocket) =>
          entry.emit('connection', webSocket, request),
        );
    });
    return httpServer;
  }

  private entryAt(port: number, path: string | undefined): Entry | undefined {
    if (this.options.refusesAll === true) return undefined;
    const entries = (this.wsServersRegistry.get(port) ?? []) as readonly Entry[];
    return entries.find((entry) => entry.path === path);
  }
}

function refuse(request: IncomingMessage, socket: Duplex): void {
  const requestId = requestIdOf(request);
  const body = JSON.stringify(errorBody(new UnknownPathError(), requestId));
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      'HTTP/1.1 404 Not Found',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
