import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response as ExpressResponse } from 'express';

/**
 * Express with requests and responses that are its own from the start. Else it gives each another prototype once it
 * has it, and the runtime throws away what it knew of the object: a good part of what Express costs.
 */
export class HttpAdapter extends ExpressAdapter {
  private readonly sockets = new Set<Socket>();

  constructor() {
    super();
    // Nest's adapter has made the router by now, so the setting "case sensitive routing" would come too late.
    this.getInstance<{ readonly router: { caseSensitive: boolean } }>().router.caseSensitive = true;
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse<Request> {}
    Object.setPrototypeOf(Request.prototype, express.request);
    Object.setPrototypeOf(Response.prototype, express.response);
    Object.assign(express, { request: Request.prototype, response: Response.prototype });
    const server = createServer({ IncomingMessage: Request, ServerResponse: Response }, express);
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.setHttpServer(server);
  }

  /**
   * JSON goes out as it is: Express would look for a type, a tag and a copy of it, which takes longer than to write it.
   * Whatever else is answered, or is compared with what the client has, goes Express's way.
   */
  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    const isCompared = response.hasHeader('ETag') || response.req.headers['if-none-match'] !== undefined;
    if (!isPlain(body) || isCompared || response.hasHeader('Content-Type'))
      return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(text);
    response.setHeader('Content-Length', bytes);
    // ASCII is the same in both, and goes out as Latin-1 without being encoded.
    return response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }

  /** A client that keeps a connection without using it must not hold up the end. */
  override async close(): Promise<unknown> {
    for (const socket of this.sockets) socket.destroy();
    return super.close();
  }
}

function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}
