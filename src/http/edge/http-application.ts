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
  /** URL paths that accept bodies as URL-encoded forms in addition to JSON. */
  readonly formPaths?: readonly string[];
  /** URL path prefix of requests whose body is not parsed. Their handlers get the bytes of the body. */
  readonly rawPrefix?: string;
  /**
   * The only URL paths that the process serves. Other paths respond with 404. Absent if the process serves all paths.
   */
  readonly onlyPaths?: readonly string[];
  /** Called for each request before a route is chosen. May change the `url` of the request. */
  readonly beforeRouting?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called after each response. Not called for streams and for requests that wait for an execution. */
  readonly onResponse?: ResponseListener;
}

/**
 * Milliseconds after which the server closes an idle connection. Longer than the idle timeout of most load balancers,
 * which must close idle connections before the server does.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 10_000;
/** Milliseconds in which a whole request must arrive, with headers and body. */
const REQUEST_MS = 60_000;

/**
 * Installs all middleware. Must be called before the routes exist, with an application that was created with
 * `bodyParser: false`. The root module must provide `HTTP_PROVIDERS`, and `InputGuard` as the last guard.
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
  // The simple query parser keeps `metadata[k]=v` as one key. The extended parser would create nested objects from the
  // query.
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
  // All middleware is one function, because each entry in the Express router costs more time than most middleware.
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
