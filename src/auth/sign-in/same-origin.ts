import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that a request was made by another origin. Cookies know sites, not origins: without
 * this a page on another port of the same host would be answered.
 * @param baseUrl the origin that clients use; where none is set, the one that the request names as its host
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, baseUrl);
}

/** Whether a browser says by whom a request was made. Over plain http, not every one does on every request. */
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
