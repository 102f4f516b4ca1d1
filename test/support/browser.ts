import type { ClockedAnswer, ClockedService } from './clocked-service.js';

/** Sends requests with everything that a browser adds: cookies, origin and CSRF token. */
export class Browser {
  /** The session cookie, in the form of the `Cookie` header. */
  cookie: string | undefined;
  /** The cookie that marks this browser as a known device. */
  deviceCookie: string | undefined;
  csrfToken: string | undefined;

  constructor(private readonly service: ClockedService) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    const answer = await this.service.call(method, path, body, { ...this.headers(), ...headers });
    for (const set of answer.headers.getSetCookie()) {
      const pair = set.includes('Max-Age=0') ? undefined : set.slice(0, set.indexOf(';'));
      if (set.includes('workflow_known_device=')) this.deviceCookie = pair;
      else this.cookie = pair;
    }
    const token: unknown = answer.body?.csrf_token;
    if (typeof token === 'string') this.csrfToken = token;
    return answer;
  }

  signIn(email: string, password: string): Promise<ClockedAnswer> {
    return this.call('POST', '/v1/auth/sign-in', { email, password });
  }

  headers(): Readonly<Record<string, string>> {
    const cookies = [this.cookie, this.deviceCookie].filter((cookie) => cookie !== undefined);
    return {
      origin: this.service.url,
      'sec-fetch-site': 'same-origin',
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(this.csrfToken === undefined ? {} : { 'x-csrf-token': this.csrfToken }),
    };
  }
}
