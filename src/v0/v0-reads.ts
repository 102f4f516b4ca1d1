import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathOf, publicUrl } from '../http/index.js';

/** Since when clients should use `/v1`. */
const DEPRECATED_SINCE = new Date('2026-11-21T00:00:00Z');

/** When `/v0` may be removed. */
const SUNSET = new Date('2027-11-30T23:59:59Z').toUTCString();

/** `@` and Unix seconds: a structured date (RFC 9745). */
const DEPRECATION = `@${DEPRECATED_SINCE.getTime() / 1_000}`;

const V0 = '/v0/';
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** The path under `/v1` whose reads a path under `/v0` answers; undefined for any other path. */
export function successorOf(path: string): string | undefined {
  return path.startsWith(V0) ? `/v1/${path.slice(V0.length)}` : undefined;
}

/**
 * Answers every read of `/v1` under `/v0`, too. The request is routed as one of `/v1`, so guards, scopes, limits and
 * answers are the same; headers name the deprecation, refusals included. Writes keep their path, which no route has.
 */
export function answerV0(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  const successor = successorOf(pathOf(url));
  if (successor === undefined) return;
  response.setHeader('Deprecation', DEPRECATION);
  response.setHeader('Sunset', SUNSET);
  response.setHeader('Link', `<${publicUrl(encodedForLink(successor))}>; rel="successor-version"`);
  if (READS.has(request.method)) request.url = successor + url.slice(pathOf(url).length);
}

/** The URL parser escapes what would end the link. */
function encodedForLink(path: string): string {
  return new URL(path, 'http://localhost').pathname;
}
