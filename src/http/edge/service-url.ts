import type { Server } from 'node:http';
import type { Settings } from '../../settings/index.js';
import { isHttps } from './public-url.js';

/**
 * URL at which clients reach the service, without a trailing slash. If `BASE_URL` is not set, a URL that works on the
 * same machine.
 */
export function serviceUrl(
  settings: Pick<Settings, 'BASE_URL' | 'TLS_CERT' | 'HOST' | 'PORT'>,
  server: Server | undefined,
): string {
  const { BASE_URL, HOST, PORT } = settings;
  if (BASE_URL !== undefined) return BASE_URL.replace(/\/$/, '');
  const address = server?.address() ?? null;
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  const port = typeof address === 'object' && address !== null ? address.port : PORT;
  return `${isHttps(settings) ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
