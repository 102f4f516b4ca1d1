import { type HttpRequest, parseUrl } from './http-request.js';

const REDIRECTS = [301, 302, 303, 307, 308];

/** Only these headers are sent to another origin after a redirect, because any other header may contain a secret. */
const CROSS_ORIGIN_HEADERS = new Set(
  (
    'accept accept-encoding accept-language cache-control content-language content-type ' +
    'idempotency-key prefer range traceparent user-agent'
  ).split(' '),
);

/**
 * Returns the request that follows a redirect, or null if the response is no redirect.
 *
 * @throws NodeFailure `http_invalid_request` if the new URL may not be called.
 */
export function redirectOf(
  request: HttpRequest,
  status: number,
  location: string | undefined,
): HttpRequest | null {
  if (!REDIRECTS.includes(status) || location === undefined) return null;
  const url = parseUrl(location, request.url);
  // Status 301 and 302 turn POST into GET. Status 303 turns every method except HEAD into GET (RFC 9110).
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') || (status <= 302 && request.method === 'POST');
  const leavesOrigin = url.origin !== request.url.origin;
  const headers = [...request.headers].filter(
    ([name]) => !(becomesGet && describesBody(name)) && (!leavesOrigin || CROSS_ORIGIN_HEADERS.has(name)),
  );
  return {
    method: becomesGet ? 'GET' : request.method,
    url,
    headers: new Map(headers),
    body: becomesGet ? null : request.body,
  };
}

function describesBody(name: string): boolean {
  return name.startsWith('content-') || name === 'idempotency-key';
}
