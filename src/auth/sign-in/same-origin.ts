import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another origin sent a request. The check is necessary, because browsers send cookies to all ports
 * of a host.
 * @param baseUrl URL that clients use; if undefined, the `Host` header of the request determines the own origin
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, baseUrl);
}

/** Whether the headers contain the origin of the page. Some browsers omit the origin over plain http. */
export function namesOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/**
 * Whether an origin is the service's own origin.
 * @param host value of the `Host` header, used if `baseUrl` is undefined
 * @param baseUrl URL that clients use; undefined if unknown
 */
export function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: plain, host: originHost } = new URL(origin);
  if (baseUrl !== undefined) return plain === new URL(baseUrl).origin;
  return originHost === host?.toLowerCase();
}
