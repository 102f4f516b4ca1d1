import type { Settings } from '../../settings/index.js';

/** Prefix of paths in URLs that clients get; empty until the service knows its address. */
let base = '';

/** Sets the URL at which clients reach this service; global to the process. */
export function setPublicUrl(baseUrl: string | undefined): void {
  base = baseUrl?.replace(/\/+$/, '') ?? '';
}

/** A path of the service as clients use it: absolute if `BASE_URL` is set. */
export function publicUrl(path: string): string {
  return base + path;
}

/** Whether clients reach the service by https. */
export function isHttps({ BASE_URL, TLS_CERT }: Pick<Settings, 'BASE_URL' | 'TLS_CERT'>): boolean {
  return BASE_URL === undefined ? TLS_CERT !== undefined : BASE_URL.startsWith('https://');
}
