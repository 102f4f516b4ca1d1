import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the browser reports that another origin made the request. Cookies are bound to sites, not origins: without
 * this check a page on another port of the same host would be accepted.
 * @param baseUrl the origin that clients use; if undefined, the origin of the request's host header
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, baseUrl);
}

/** Whether the browser reports the origin of the request. Over plain http, some omit it. */
export function namesOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Whether an `Origin` header names the service's own origin; parameters as of `isForeign`. */
export function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: plain, host: originHost } = new URL(origin);
  if (baseUrl !== undefined) return plain === new URL(baseUrl).origin;
  return originHost === host?.toLowerCase();
}
