import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpNodeFixture } from './http-node.fixture.js';

const fixture = new HttpNodeFixture();
const { answer, call, elsewhere, failureOf, origin, outputOf } = fixture;
beforeAll(() => fixture.start());
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('http node redirects', () => {
  function redirect(path: string, status: number, location: string): string {
    return answer(path, status, { location }, 'moved');
  }

  it.each<[number, string, string]>([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
    [303, 'HEAD', 'HEAD'],
    [302, 'GET', 'GET'],
  ])(
    'after a redirect with status %i, a %s request becomes a %s request',
    async (status, method, expected) => {
      answer('/to', 200, {});
      await call({
        url: redirect('/from', status, 'to?x=1'),
        method,
        body: method === 'GET' || method === 'HEAD' ? null : { a: 1 },
      });
      const { method: used, body, headers, path } = origin.received[1]!;
      expect([used, path]).toEqual([expected, '/to?x=1']);
      const keepsBody = expected === method && method !== 'GET' && method !== 'HEAD';
      expect([body, headers['content-type']]).toEqual(
        keepsBody ? ['{"a":1}', 'application/json'] : ['', undefined],
      );
    },
  );

  it('a redirect to another origin drops headers that may contain secrets', async () => {
    const headers = {
      authorization: 'Bearer x',
      cookie: 'a=1',
      'x-api-key': 'k',
      'x-plain': 'p',
      accept: 'text/x',
    };
    answer('/to', 200, {});
    elsewhere.answers.set('/to', (_, response) => void response.end());
    await call({ url: redirect('/same', 307, '/to'), headers });
    await call({ url: redirect('/other', 307, `${elsewhere.url}/to`), headers });
    expect(origin.received[1]!.headers).toMatchObject(headers);
    expect(elsewhere.received[0]!.headers).toMatchObject({ accept: 'text/x' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-plain'])
      expect(elsewhere.received[0]!.headers).not.toHaveProperty(name);
  });

  it('the http node follows at most five redirects', async () => {
    answer('/0', 200, {});
    for (let left = 1; left <= 6; left++) redirect(`/${left}`, 302, `/${left - 1}`);
    expect(await outputOf({ url: `${origin.url}/5` })).toMatchObject({ status: 200 });
    expect(await failureOf({ url: `${origin.url}/6` })).toMatchObject({
      code: 'http_too_many_redirects',
      options: { retryable: false },
    });
  });

  it('the http node checks the target of each redirect against the egress policy', async () => {
    const closed = elsewhere.url.replace('127.0.0.1', '127.0.0.2');
    expect(await failureOf({ url: redirect('/', 302, `${closed}/secret`) })).toMatchObject({
      code: 'egress_denied',
      options: { retryable: false },
    });
  });

  it.each(['file:///etc/passwd', 'http://user:pass@127.0.0.1/', 'http://['])(
    'the http node does not follow a redirect to %s',
    async (location) => {
      expect(await failureOf({ url: redirect('/', 302, location) })).toMatchObject({
        code: 'http_invalid_request',
      });
    },
  );

  it('a redirect response succeeds if `accept_status` lists its status', async () => {
    expect(await outputOf({ url: redirect('/', 302, '/to'), accept_status: [302] })).toMatchObject({
      status: 302,
      headers: { location: '/to' },
    });
    expect(await failureOf({ url: answer('/nowhere', 302, {}) })).toMatchObject({
      code: 'http_status_error',
    });
  });
});
