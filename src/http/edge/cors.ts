import type { IncomingMessage } from 'node:http';
import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { pathOf, withoutBasePath } from './request-path.js';

/** Prefix of the URL paths that web pages of other origins may call. */
const API = '/v1/';
/** Seconds for which browsers cache the response to a CORS preflight request. */
const PREFLIGHT_SECONDS = 600;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Request-Id',
];
const RESPONSE_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/**
 * Enables CORS for the API: pages of the given origins may call the API with a bearer credential, but not with cookies.
 * @param origins origins in the format of the header `Origin`; if empty, CORS stays disabled
 */
export function allowOrigins(
  app: NestExpressApplication,
  origins: readonly string[],
  basePath: string,
): void {
  if (origins.length === 0) return;
  const open: CorsOptions = {
    origin: [...origins],
    credentials: false,
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  };
  app.enableCors((request: IncomingMessage, answer: (error: null, options: CorsOptions) => void) => {
    const path = pathOf(withoutBasePath(request.url ?? '/', basePath));
    answer(null, path.startsWith(API) ? open : { origin: false });
  });
}
