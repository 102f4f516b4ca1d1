import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHttps } from '../../http/index.js';
import type { Settings } from '../../settings/index.js';

type CookieSettings = Pick<Settings, 'BASE_URL' | 'NODE_ENV' | 'TLS_CERT'>;

/** Prefix of a cookie name. Browsers accept cookies with this prefix only over https and for one host. */
const HOST_PREFIX = '__Host-';
/**
 * Matches loopback hosts, with an optional port. Browsers on the same machine may reach loopback hosts over plain http.
 */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * A cookie for one host. Scripts cannot read the cookie, and browsers do not send it with requests from other sites.
 */
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

  /** Returns the value of the cookie; undefined if the request does not contain the cookie. */
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

  /**
   * Whether browsers may send the cookie only over https. In production without `BASE_URL`, cookies need https on all
   * hosts except loopback hosts.
   */
  private isSecureFor(host: string | undefined): boolean {
    const { BASE_URL, NODE_ENV } = this.settings;
    if (isHttps(this.settings)) return true;
    return BASE_URL === undefined && NODE_ENV === 'production' && !LOOPBACK.test(host ?? '');
  }
}
