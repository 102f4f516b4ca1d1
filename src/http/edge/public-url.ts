import type { Settings } from '../../settings/index.js';

/** Base URL for the URLs in responses. Empty without a call of `setPublicUrl`. */
let base = '';

export function setPublicUrl(baseUrl: string | undefined): void {
  base = baseUrl?.replace(/\/+$/, '') ?? '';
}

export function publicUrl(path: string): string {
  return base + path;
}

export function isHttps({ BASE_URL, TLS_CERT }: Pick<Settings, 'BASE_URL' | 'TLS_CERT'>): boolean {
  return BASE_URL === undefined ? TLS_CERT !== undefined : BASE_URL.startsWith('https://');
}
