import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf, publicUrl } from '../http/index.js';

const DEPRECATED_SINCE = new Date('2026-11-21T00:00:00Z');

const SUNSET = new Date('2027-11-30T23:59:59Z').toUTCString();

/** Value of the response header `Deprecation`: `@` and Unix seconds (RFC 9745). */
const DEPRECATION = `@${DEPRECATED_SINCE.getTime() / 1_000}`;

const V0 = '/v0/';
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** Returns the `/v1` path that replaces a `/v0` path; undefined for other paths. Keeps the query of a URL. */
export function successorOf(path: string): string | undefined {
  return path.startsWith(V0) ? `/v1/${path.slice(V0.length)}` : undefined;
}

/**
 * Serves GET and HEAD requests under `/v0` like those under `/v1`, by rewriting the path of the request. All responses
 * under `/v0` have deprecation headers. Other methods keep their path, which no route matches.
 */
export function answerV0(request: IncomingMessage, response: ServerResponse): void {
  const successor = successorOf(request.url ?? '');
  if (successor === undefined) return;
  response.setHeader('Deprecation', DEPRECATION);
  response.setHeader('Sunset', SUNSET);
  response.setHeader('Link', `<${publicUrl(encodedForLink(pathOf(successor)))}>; rel="successor-version"`);
  if (READS.has(request.method)) request.url = successor;
}

/** Encodes a path for the response header `Link`. The URL parser escapes characters that would end the link. */
function encodedForLink(path: string): string {
  return new URL(path, 'http://localhost').pathname;
}
