import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/index.js';
import { ABSOLUTE_MS } from './sign-in.js';

/** Name of the cookie over plain http; over https it has the prefix by which browsers hold it to this host. */
export const SIGN_IN_COOKIE = 'workflow_sign_in';

/** The dashboard's cookie: an opaque value that no script reads and no other site sends. */
@Injectable()
export class SignInCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(@Inject(SETTINGS) { BASE_URL }: Settings) {
    const secure = BASE_URL?.startsWith('https://') ?? false;
    this.name = secure ? `__Host-${SIGN_IN_COOKIE}` : SIGN_IN_COOKIE;
    this.attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }

  set(response: ServerResponse, secret: string): void {
    this.send(response, secret, ABSOLUTE_MS / 1000);
  }

  clear(response: ServerResponse): void {
    this.send(response, '', 0);
  }

  /** The value that a request carries; undefined where it carries none. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const start = `${this.name}=`;
    const pair = headers.cookie
      ?.split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(start) && part.length > start.length);
    return pair?.slice(start.length);
  }

  private send(response: ServerResponse, value: string, maxAgeSeconds: number): void {
    response.setHeader('Set-Cookie', `${this.name}=${value}; ${this.attributes}; Max-Age=${maxAgeSeconds}`);
  }
}
