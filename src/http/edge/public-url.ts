import type { Settings } from '../../settings/index.js';

/** What precedes the path in addresses that clients are given; empty until the service is told its address. */
let base = '';

/** Sets where clients reach this process's service; it is one for the whole process. */
export function setPublicUrl(baseUrl: string | undefined): void {
  base = baseUrl?.replace(/\/+$/, '') ?? '';
}

/** A path of the service as clients reach it: absolute where `BASE_URL` is set, else as it is. */
export function publicUrl(path: string): string {
  return base + path;
}

/** Whether clients reach the service by https. */
export function isHttps({ BASE_URL, TLS_CERT }: Pick<Settings, 'BASE_URL' | 'TLS_CERT'>): boolean {
  return BASE_URL === undefined ? TLS_CERT !== undefined : BASE_URL.startsWith('https://');
}
