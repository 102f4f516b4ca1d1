import type { Settings } from '../../settings/index.js';

/** Base URL for the URLs in responses. Empty without a call of `setPublicUrl`. */
let base = '';

/** Sets the public URL of the service for the whole process. */
export function setPublicUrl(baseUrl: string | undefined): void {
  base = baseUrl?.replace(/\/+$/, '') ?? '';
}

/** The public URL of a path, or the path itself without `BASE_URL`. */
export function publicUrl(path: string): string {
  return base + path;
}

/** Whether clients reach the service by https. */
export function isHttps({ BASE_URL, TLS_CERT }: Pick<Settings, 'BASE_URL' | 'TLS_CERT'>): boolean {
  return BASE_URL === undefined ? TLS_CERT !== undefined : BASE_URL.startsWith('https://');
}
