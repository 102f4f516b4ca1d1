import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether another origin made the request, according to the browser's headers. The check is needed because browsers
 * send cookies to all ports of a host: a page on another port could use the cookie.
 * @param baseUrl the origin that clients use; if undefined, the origin of the request's `Host` header
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, baseUrl);
}

/** Whether the browser sent the origin of the request. Some browsers omit it over plain http. */
export function namesOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Whether an `Origin` header names the origin of this service. Parameters as for `isForeign`. */
export function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: plain, host: originHost } = new URL(origin);
  if (baseUrl !== undefined) return plain === new URL(baseUrl).origin;
  return originHost === host?.toLowerCase();
}
