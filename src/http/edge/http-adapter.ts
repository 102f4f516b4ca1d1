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

/** How often connections are looked through for requests that take too long to arrive. */
const CHECK_MS = 1_000;
/** For the handshake of TLS. */
const HANDSHAKE_MS = 10_000;

export interface HttpAdapterOptions {
  /** Of connections; without it there is none. */
  readonly limit?: ConnectionLimitOptions;
  /** Speaks https; without it http. */
  readonly tls?: TlsFiles | undefined;
}

/**
 * Express with requests and responses that are its own from the start. Else it gives each another prototype once it
 * has it, and the runtime throws away what it knew of the object: a good part of what Express costs.
 */
export class HttpAdapter extends ExpressAdapter {
  private connections: Connections;

  constructor(private readonly own: HttpAdapterOptions = {}) {
    super();
    // Nest's adapter has made the router by now, so the setting "case sensitive routing" would come too late.
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
        // Here and not at each route: what is kept of an answer stays right when the address changes.
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
   * JSON goes out as it is: Express would look for a type, a tag and a copy of it, which takes longer than to write it.
   * Whatever else is answered goes Express's way. `If-None-Match` is compared here: Express ignores it beside
   * `Cache-Control: no-cache`, which `fetch` adds to every conditional request.
   */
  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    if (isKnown(response, statusCode)) return response.status(304).end();
    if (!isPlain(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(text);
    response.setHeader('Content-Length', bytes);
    // ASCII is the same in both, and goes out as Latin-1 without being encoded.
    return response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }

  /** Stops listening; what is under way is answered. To be called at the signal to end. */
  leave(): Promise<void> {
    return this.connections.leave();
  }

  /** Closes every connection, whatever is under way. */
  cut(): void {
    this.connections.cut();
  }

  /** A client that keeps a connection without using it must not hold up the end. */
  override async close(): Promise<unknown> {
    await this.connections.close();
    return super.close();
  }
}

/** Whether the client says that it has what it asks for. */
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
