import type { IncomingHttpHeaders } from 'node:http';

/**
 * Detects requests from other origins, because browsers send cookies to all ports of a host.
 * @param baseUrl the origin that clients use; if undefined, the origin of the request's `Host`
 * header
 */
export function isForeign(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, headers.host, baseUrl);
}

/** Some browsers omit the origin over plain http. */
export function namesOrigin(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Parameters as for `isForeign`. */
export function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: plain, host: originHost } = new URL(origin);
  if (baseUrl !== undefined) return plain === new URL(baseUrl).origin;
  return originHost === host?.toLowerCase();
}
