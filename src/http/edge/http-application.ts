import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Settings } from '../../settings/index.js';
import { asRequest, requestLimitMs } from '../../database/index.js';
import { type ResponseListener, timeRequest } from './request-time.js';
import { bodyReader } from './body-reader.js';
import { allowOrigins } from './cors.js';
import { isRefused } from './connections.js';
import { answerParserErrors } from './http-parser-errors.js';
import { isAmong, refusePath } from './only-paths.js';
import { isHttps, setPublicUrl } from './public-url.js';
import { assignRequestId } from './request-id.js';
import { basePathOf, withoutBasePath } from './request-path.js';
import { indexedRoutes, type IndexedRouter } from './route-index.js';
import { securityHeaders } from './security-headers.js';
import { checkTarget } from './target-check.js';

export interface HttpOptions {
  /** Paths that accept URL-encoded forms in addition to JSON. */
  readonly formPaths?: readonly string[];
  /** Path prefix of requests whose handlers get the unparsed bytes. */
  readonly rawPrefix?: string;
  /** If present, all other paths respond with 404. */
  readonly onlyPaths?: readonly string[];
  /** Called for each request before routing. May change the request's `url`. */
  readonly beforeRouting?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called after each response, except for requests that stay open on purpose. */
  readonly onResponse?: ResponseListener;
}

/**
 * Milliseconds after which an idle connection is closed. Longer than in most load balancers, which must close idle
 * connections first.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 10_000;
/** Milliseconds in which a whole request must arrive. */
const REQUEST_MS = 60_000;

/**
 * Installs all middleware before the routes. The application must be created with `bodyParser: false`. Its root
 * module must provide `HTTP_PROVIDERS`, and `InputGuard` as the last guard.
 */
export function configureHttp(
  app: NestExpressApplication,
  settings: Pick<
    Settings,
    'HTTP_BODY_LIMIT' | 'BASE_URL' | 'CORS_ORIGINS' | 'TLS_CERT' | 'DATABASE_TIMEOUT_SECONDS'
  >,
  options: HttpOptions = {},
): void {
  app.disable('x-powered-by').disable('etag');
  // The simple parser keeps `metadata[k]=v` as one key. Other parsers would let the caller create nested objects.
  app.set('query parser', 'simple').set('trust proxy', false);
  const secure = securityHeaders(isHttps(settings));
  setPublicUrl(settings.BASE_URL);
  const basePath = basePathOf(settings.BASE_URL);
  const readBody = bodyReader({
    limitBytes: settings.HTTP_BODY_LIMIT,
    formPaths: new Set(options.formPaths),
    rawPrefix: options.rawPrefix,
  });
  const limitMs = requestLimitMs(settings.DATABASE_TIMEOUT_SECONDS * 1_000);
  const route = indexedRoutes(app.getHttpAdapter().getInstance().router as unknown as IndexedRouter);
  allowOrigins(app, settings.CORS_ORIGINS, basePath);
  // One layer for all middleware, because a layer of the router takes more time than most middleware.
  app.use((request: Request, response: ServerResponse, next: (error?: unknown) => void) => {
    if (isRefused(request.socket)) return;
    assignRequestId(request, response);
    timeRequest(request, response, options.onResponse);
    secure(response);
    checkTarget(request);
    request.url = withoutBasePath(request.url ?? '/', basePath);
    options.beforeRouting?.(request, response);
    if (options.onlyPaths !== undefined && !isAmong(options.onlyPaths, request))
      return refusePath(request, response);
    readBody(request, response, (error) =>
      asRequest(response, limitMs, () =>
        error === undefined ? route(request, response, next) : next(error),
      ),
    );
  });
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  answerParserErrors(server);
}
