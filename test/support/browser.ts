import type { ClockedAnswer, ClockedService } from './clocked-service.js';

/** What a browser adds to the calls of the dashboard's own pages: cookie, origin and the CSRF token. */
export class Browser {
  cookie: string | undefined;
  csrfToken: string | undefined;

  constructor(private readonly service: ClockedService) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    const answer = await this.service.call(method, path, body, { ...this.headers(), ...headers });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined)
      this.cookie = set.includes('Max-Age=0') ? undefined : set.slice(0, set.indexOf(';'));
    const token: unknown = answer.body?.csrf_token;
    if (typeof token === 'string') this.csrfToken = token;
    return answer;
  }

  signIn(email: string, password: string): Promise<ClockedAnswer> {
    return this.call('POST', '/v1/auth/sign-in', { email, password });
  }

  headers(): Readonly<Record<string, string>> {
    return {
      origin: this.service.url,
      'sec-fetch-site': 'same-origin',
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...(this.csrfToken === undefined ? {} : { 'x-csrf-token': this.csrfToken }),
    };
  }
}
