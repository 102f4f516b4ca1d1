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

/** Milliseconds between two checks for requests that arrive too slowly. */
const CHECK_MS = 1_000;
/** Maximum duration of a TLS handshake in milliseconds. */
const HANDSHAKE_MS = 10_000;

export interface HttpAdapterOptions {
  readonly limit?: ConnectionLimitOptions;
  readonly tls?: TlsFiles | undefined;
}

/**
 * Express adapter whose HTTP server creates requests and responses with the prototypes of Express. Otherwise, Express
 * would replace the prototype of each object, and V8 would discard its optimizations.
 */
export class HttpAdapter extends ExpressAdapter {
  private connections: Connections;

  constructor(private readonly own: HttpAdapterOptions = {}) {
    super();
    // Make paths case-sensitive. The router exists already, so the Express setting `case sensitive routing` would have
    // no effect.
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
        // The base URL is added to `Location` only when the response is sent. Stored responses therefore stay valid
        // after a change of the base URL.
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

  /**
   * Sends a JSON response without `response.json` of Express, which is slower. Express also ignores
   * `If-None-Match` if the request has `Cache-Control: no-cache`, which `fetch` sends.
   */
  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    if (isKnown(response, statusCode)) return response.status(304).end();
    if (!isPlain(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(text);
    response.setHeader('Content-Length', bytes);
    // The text is ASCII if it has as many bytes as characters. ASCII has the same bytes in Latin-1, which Node.js
    // writes faster than UTF-8.
    return response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }

  /** Stops listening at the start of a shutdown. Requests in progress still get their responses. */
  leave(): Promise<void> {
    return this.connections.leave();
  }

  cut(): void {
    this.connections.cut();
  }

  /** Closes the server after its connections. Open idle connections would delay the end of the process. */
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
