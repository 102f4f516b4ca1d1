import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHttps } from '../../http/index.js';
import type { Settings } from '../../settings/index.js';

type CookieSettings = Pick<Settings, 'BASE_URL' | 'NODE_ENV' | 'TLS_CERT'>;

/** Browsers accept cookies with this prefix only over https and for one host. */
const HOST_PREFIX = '__Host-';
/** Browsers accept secure cookies from these hosts over plain http. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A cookie for one host, hidden from scripts and other sites. */
export class HostCookie {
  constructor(
    private readonly name: string,
    private readonly maxAgeSeconds: number,
    private readonly settings: CookieSettings,
  ) {}

  set(response: ServerResponse, value: string): void {
    this.send(response, value, this.maxAgeSeconds);
  }

  clear(response: ServerResponse): void {
    this.send(response, '', 0);
  }

  /** Undefined if the request has no such cookie. */
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

  /** In production without `BASE_URL`, only browsers on the same machine may use plain http. */
  private isSecureFor(host: string | undefined): boolean {
    const { BASE_URL, NODE_ENV } = this.settings;
    if (isHttps(this.settings)) return true;
    return BASE_URL === undefined && NODE_ENV === 'production' && !LOOPBACK.test(host ?? '');
  }
}
