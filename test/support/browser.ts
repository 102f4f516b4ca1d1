import type { ClockedAnswer, ClockedService } from './clocked-service.js';

/** What a browser adds to requests from the dashboard: cookies, origin and CSRF token. */
export class Browser {
  /** Cookie of the sign-in, as the `Cookie` header contains it. */
  cookie: string | undefined;
  /** Cookie by which the service recognizes a known device. */
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
