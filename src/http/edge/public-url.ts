import type { Settings } from '../../settings/index.js';

/** Base URL that is put before the paths in responses. Empty if `BASE_URL` is not set. */
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
