import type { Request, Response } from 'express';
import { acceptedEncoding } from './accepted-encoding.js';
import type { StaticFile } from './static-files.js';

/** Sends a file in an encoding that the client accepts. Sends the status 304 if the client's cached copy is current. */
export function sendFile(
  { type, cacheControl, bodies }: StaticFile,
  request: Request,
  response: Response,
): void {
  const encoding = acceptedEncoding(request.headers['accept-encoding'], bodies.keys());
  const body = bodies.get(encoding);
  if (body === undefined) throw new Error(`The static file has no body in the encoding ${encoding}.`);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', body.etag);
  // `request.fresh` of Express evaluates the header If-None-Match, including lists and weak ETags.
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.bytes.length);
  response.end(body.bytes);
}
