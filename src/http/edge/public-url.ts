import type { Settings } from '../../settings/index.js';

/** Base URL for the URLs in responses; empty until `setPublicUrl` is called. */
let base = '';

/** Sets the URL at which clients reach this service, for the whole process. */
export function setPublicUrl(baseUrl: string | undefined): void {
  base = baseUrl?.replace(/\/+$/, '') ?? '';
}

/** The URL at which clients reach a path of the service: absolute if `BASE_URL` is set, otherwise the path itself. */
export function publicUrl(path: string): string {
  return base + path;
}

/** Whether clients reach the service by https. */
export function isHttps({ BASE_URL, TLS_CERT }: Pick<Settings, 'BASE_URL' | 'TLS_CERT'>): boolean {
  return BASE_URL === undefined ? TLS_CERT !== undefined : BASE_URL.startsWith('https://');
}
