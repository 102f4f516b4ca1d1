import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHttps } from '../../http/index.js';
import type { Settings } from '../../settings/index.js';

type CookieSettings = Pick<Settings, 'BASE_URL' | 'NODE_ENV' | 'TLS_CERT'>;

/** Prefix by which browsers hold a cookie to this host and to https. */
const HOST_PREFIX = '__Host-';
/** Hosts that browsers trust as they trust https. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A cookie of the service: for this host alone, read by no script and sent by no other site. */
export class HostCookie {
  constructor(
    private readonly name: string,
    private readonly maxAgeSeconds: number,
    private readonly settings: CookieSettings,
  ) {}

  /** @param response of the request whose browser is to keep the cookie */
  set(response: ServerResponse, value: string): void {
    this.send(response, value, this.maxAgeSeconds);
  }

  clear(response: ServerResponse): void {
    this.send(response, '', 0);
  }

  /** The value that a request carries; undefined where it carries none. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const start = `${this.nameFor(headers.host)}=`;
    const pair = headers.cookie
      ?.split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(start) && part.length > start.length);
    return pair?.slice(start.length);
  }

  private send(response: ServerResponse, value: string, maxAgeSeconds: number): void {
    const { host } = response.req.headers;
    const secure = this.isSecureFor(host) ? '; Secure' : '';
    response.appendHeader(
      'Set-Cookie',
      `${this.nameFor(host)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=${maxAgeSeconds}`,
    );
  }

  private nameFor(host: string | undefined): string {
    return this.isSecureFor(host) ? HOST_PREFIX + this.name : this.name;
  }

  /** Without `BASE_URL`, production gives a cookie over plain http only to browsers on the same machine. */
  private isSecureFor(host: string | undefined): boolean {
    const { BASE_URL, NODE_ENV } = this.settings;
    if (isHttps(this.settings)) return true;
    return BASE_URL === undefined && NODE_ENV === 'production' && !LOOPBACK.test(host ?? '');
  }
}
