import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response as ExpressResponse } from 'express';
import type { ConnectionLimitOptions } from './connection-limit.js';
import { Connections } from './connections.js';
import { isUnchanged } from './etag.js';
import { publicUrl } from './public-url.js';
import type { TlsFiles } from './tls.js';

/** Interval in milliseconds between checks for slow requests. */
const CHECK_MS = 1_000;
/** Maximum duration of the TLS handshake in milliseconds. */
const HANDSHAKE_MS = 10_000;

export interface HttpAdapterOptions {
  readonly limit?: ConnectionLimitOptions;
  readonly tls?: TlsFiles | undefined;
}

/**
 * Express with its own request and response classes. Express would replace the prototype of each object, which makes
 * V8 discard optimizations.
 */
export class HttpAdapter extends ExpressAdapter {
  private connections: Connections;

  constructor(private readonly own: HttpAdapterOptions = {}) {
    super();
    // Set on the router, because Express' own setting has no effect on an existing router.
    this.getInstance<{ readonly router: { caseSensitive: boolean } }>().router.caseSensitive = true;
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    const connections = (): Connections => this.connections;
    class Response extends ServerResponse<Request> {
      override assignSocket(socket: Socket): void {
        super.assignSocket(socket);
        connections().begin(socket, this);
      }

      override detachSocket(socket: Socket): void {
        super.detachSocket(socket);
        connections().end(socket, this);
      }

      override setHeader(name: string, value: number | string | readonly string[]): this {
        // The base URL is added last, because stored responses must survive a change of the base URL.
        const isOwn = name === 'Location' && typeof value === 'string' && value.startsWith('/');
        return super.setHeader(name, isOwn ? publicUrl(value) : value);
      }
    }
    Object.setPrototypeOf(Request.prototype, express.request);
    Object.setPrototypeOf(Response.prototype, express.response);
    Object.assign(express, { request: Request.prototype, response: Response.prototype });
    const options = {
      IncomingMessage: Request,
      ServerResponse: Response,
      connectionsCheckingInterval: CHECK_MS,
    };
    const { tls, limit } = this.own;
    const server: Server =
      tls === undefined
        ? createServer(options, express)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: HANDSHAKE_MS }, express);
    this.connections = new Connections(server, limit);
    this.setHttpServer(server);
  }

  /** Sends JSON without Express, which is slower and ignores `If-None-Match` of `fetch`. */
  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    if (isKnown(response, statusCode)) return response.status(304).end();
    if (!isPlain(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(text);
    response.setHeader('Content-Length', bytes);
    // ASCII text has the same bytes in both encodings, and Latin-1 needs no conversion.
    return response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }

  /** Stops listening at a shutdown signal. Requests in progress still get responses. */
  leave(): Promise<void> {
    return this.connections.leave();
  }

  cut(): void {
    this.connections.cut();
  }

  /** Also closes idle connections, which would delay the shutdown. */
  override async close(): Promise<unknown> {
    await this.connections.close();
    return super.close();
  }
}

function isKnown(response: ExpressResponse, statusCode = response.statusCode): boolean {
  const { method, headers } = response.req;
  const etag = response.getHeader('ETag');
  const condition = headers['if-none-match'];
  const isRead = statusCode === 200 && (method === 'GET' || method === 'HEAD');
  if (!isRead || condition === undefined) return false;
  return isUnchanged(condition, typeof etag === 'string' ? etag : undefined);
}

function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}
