import type { Json } from '../../expressions/index.js';
import { type NodeContext, NodeFailure } from '../../node-contract/index.js';

type Scalar = string | number | boolean | null;

export type HttpParameters = {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  readonly body?: Json;
  readonly accept_status?: readonly (number | string)[];
  readonly max_response_bytes?: number;
};

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Values of the request headers, by header name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | null;
}

/** Headers that only the HTTP client may set, because these headers control message framing and routing. */
const FORBIDDEN_HEADERS = new Set(
  (
    'host content-length transfer-encoding connection keep-alive upgrade te trailer ' +
    'expect proxy-authorization proxy-connection http2-settings'
  ).split(' '),
);

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Builds the first request of an attempt, before any redirect.
 *
 * @param traceContext W3C Trace Context of the attempt; a `traceparent` header in the definition of the node takes
 * precedence
 * @throws NodeFailure `http_invalid_request` for errors that the schema cannot express.
 */
export function buildRequest(
  parameters: HttpParameters,
  idempotencyKey: string,
  traceContext: NodeContext['traceContext'],
): HttpRequest {
  const url = parseUrl(parameters.url);
  appendQuery(url, parameters.query ?? {});
  const method = parameters.method ?? 'GET';
  const { text: body, type } = encodeBody(parameters.body ?? null);
  const headers = new Map([
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, deflate, br'],
    ['user-agent', 'workflow-service'],
  ]);
  if (type !== null) headers.set('content-type', type);
  if (!SAFE_METHODS.includes(method)) headers.set('idempotency-key', idempotencyKey);
  const given = Object.entries(parameters.headers ?? {});
  if (!given.some(([name]) => name.toLowerCase() === 'traceparent'))
    for (const [name, value] of Object.entries(traceContext)) headers.set(name, value);
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    if (FORBIDDEN_HEADERS.has(key)) throw invalidRequest(`The header "${name}" cannot be set.`);
    if (value !== null) headers.set(key, String(value));
  }
  return { method, url, headers, body };
}

/**
 * @throws NodeFailure `http_invalid_request` if the URL is malformed, is not http(s), or contains credentials,
 * which every record of the request would reveal
 */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw invalidRequest('The URL is not valid.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidRequest(`The URL begins with "${url.protocol}". Only http: and https: are supported.`);
  if (url.username !== '' || url.password !== '')
    throw invalidRequest('The URL contains a user name or password. Send an Authorization header instead.');
  return url;
}

function appendQuery(url: URL, query: NonNullable<HttpParameters['query']>): void {
  for (const [name, given] of Object.entries(query))
    for (const value of isList(given) ? given : [given])
      if (value !== null) url.searchParams.append(name, String(value));
}

function encodeBody(body: Json): { readonly text: string | null; readonly type: string | null } {
  if (body === null) return { text: null, type: null };
  if (typeof body === 'string') return { text: body, type: 'text/plain; charset=utf-8' };
  return { text: JSON.stringify(body), type: 'application/json' };
}

function invalidRequest(message: string): NodeFailure {
  return new NodeFailure('http_invalid_request', message, { retryable: false });
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
